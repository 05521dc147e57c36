// SPDX-License-Identifier: GPL-3.0-or-later
// How the machine ends.
#include <dirent.h>
#include <errno.h>
#include <linux/reboot.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/io.h"
#include "common/number.h"
#include "ending.h"
#include "shell.h"
#include "unmount.h"

// Time for each step. A stick that writes 2 MB/s empties 256 MB of cache in two minutes.
#define TERM_GRACE     (10 * CLOCK_SECOND)
#define KILL_GRACE     (5 * CLOCK_SECOND)
#define SYNC_BOUND     (150 * CLOCK_SECOND)
#define UNMOUNT_BOUND  (150 * CLOCK_SECOND)
#define SHUTDOWN_BOUND (60 * CLOCK_SECOND) // the kernel flushes each disk's cache

static void pause_ms(int ms)
{
	poll(NULL, 0, ms);
}

int ending_bounded(int (*fn)(const void *arg), const void *arg, uint64_t bound_ns)
{
	uint64_t deadline = clock_mono_ns() + bound_ns;
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(-fn(arg) & 0x7f); // an errno fits
	if (pid < 0)
		return -errno;
	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (clock_mono_ns() >= deadline) {
			kill(pid, SIGKILL);
			return -ETIMEDOUT;
		}
		pause_ms(20);
	}
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EIO;
}

// One user process that is neither PID 1 nor in a shell's session. Kernel threads have
// session 0.
static bool is_leftover(const char *name, pid_t *pid)
{
	uint64_t number;
	pid_t session;

	if (number_uint(name, &number) < 0 || number <= 1)
		return false;
	*pid = (pid_t)number;
	session = getsid(*pid);
	return session > 0 && !shell_owns(session);
}

static unsigned signal_leftovers(int sig, bool report)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	unsigned n = 0;
	pid_t pid;

	while (dir && (entry = readdir(dir))) {
		if (!is_leftover(entry->d_name, &pid))
			continue;
		if (report) {
			_cleanup_free_ char *name =
				io_read_line("/proc/%d/comm", (int)pid);

			say("Process %d (%s) does not die; it is left behind.", (int)pid,
			    name ? name : "?");
		}
		kill(pid, sig);
		n++;
	}
	if (dir)
		closedir(dir);
	return n;
}

void ending_clear(struct init *init)
{
	uint64_t deadline = clock_mono_ns() + KILL_GRACE;

	while (signal_leftovers(SIGKILL, false) > 0 && clock_mono_ns() < deadline)
		loop_wait(init, -1, clock_mono_ns() + CLOCK_SECOND / 10);
	signal_leftovers(SIGKILL, true);
}

// Are all processes gone? Every one is a descendant of PID 1, so none is left when PID 1
// has no child.
static bool all_gone(uint64_t deadline)
{
	for (;;) {
		pid_t pid = waitpid(-1, NULL, WNOHANG);

		if (pid < 0 && errno == ECHILD)
			return true;
		if (pid > 0)
			continue;
		if (clock_mono_ns() >= deadline)
			return false;
		pause_ms(20);
	}
}

static void kill_all(void)
{
	kill(-1, SIGTERM);
	kill(-1, SIGCONT);
	kill(-1, SIGHUP); // an interactive shell ignores SIGTERM
	if (all_gone(clock_mono_ns() + TERM_GRACE))
		return;
	kill(-1, SIGKILL);
	if (!all_gone(clock_mono_ns() + KILL_GRACE))
		signal_leftovers(SIGKILL, true);
}

static int sync_all(const void *arg _unused_)
{
	sync();
	return 0;
}

static int kernel_reboot(const void *arg)
{
	return reboot(*(const int *)arg) < 0 ? -errno : 0;
}

static void halt_for_ever(void) __attribute__((noreturn));
static void halt_for_ever(void)
{
	const int halt = (int)LINUX_REBOOT_CMD_HALT;

	ending_bounded(kernel_reboot, &halt, SHUTDOWN_BOUND);
	for (;;) {
		pause_ms(1000);
		waitpid(-1, NULL, WNOHANG);
	}
}

static bool kernel_is_loaded(void)
{
	return io_read_number(0, "/sys/kernel/kexec_loaded") == 1;
}

static void reboot_by(enum pid1_then then)
{
	static const struct {
		enum pid1_then then;
		unsigned command;
		const char *text;
	} ways[] = {
		{ PID1_REBOOT, LINUX_REBOOT_CMD_RESTART, "Restarting." },
		{ PID1_BOOT, LINUX_REBOOT_CMD_KEXEC, "Starting the loaded kernel." },
		{ PID1_POWEROFF, LINUX_REBOOT_CMD_POWER_OFF,
		  "Powering off. If the machine stays on, switch it off by hand: "
		  "everything is written." },
	};

	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		int command = (int)ways[i].command, r;

		if (ways[i].then != then)
			continue;
		say("%s", ways[i].text);
		r = ending_bounded(kernel_reboot, &command, SHUTDOWN_BOUND);
		say("The kernel did not do it: %s.",
		    r < 0 ? strerror(-r) : "the call came back");
	}
}

void ending_run(struct init *init, enum pid1_then then)
{
	if (then == PID1_BOOT && !kernel_is_loaded()) {
		say("No kernel is loaded that could be started; powering off instead.");
		then = PID1_POWEROFF;
	}
	if (then != PID1_REBOOT && then != PID1_BOOT)
		then = PID1_POWEROFF;
	close(init->signals);
	kill_all();
	say_open();
	if (ending_bounded(sync_all, NULL, SYNC_BOUND) < 0)
		say("Not everything could be written: a device does not answer.");
	if (ending_bounded(unmount_all, NULL, UNMOUNT_BOUND) == -ETIMEDOUT)
		say("Unmounting took too long; a device does not answer.");
	reboot_by(then);
	if (then == PID1_BOOT)
		reboot_by(PID1_POWEROFF);
	say("The machine is stopped. Switch it off by hand; everything is written.");
	halt_for_ever();
}
