// SPDX-License-Identifier: GPL-3.0-or-later
// What PID 1 waits for: signals, its child's words, time. Reaps every orphan.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include "child.h"
#include "common/clock.h"
#include "shell.h"

// Shells are looked after, and lost signals made good, at least this often.
#define TICK_MS 2000

int loop_open(struct init *init)
{
	sigset_t set;

	sigfillset(&set);
	// A fault in PID 1 itself cannot be blocked: rescue.c handles it.
	sigdelset(&set, SIGSEGV);
	sigdelset(&set, SIGBUS);
	sigdelset(&set, SIGILL);
	sigdelset(&set, SIGFPE);
	sigdelset(&set, SIGABRT);
	sigprocmask(SIG_SETMASK, &set, NULL);
	init->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	reboot(RB_DISABLE_CAD); // Ctrl-Alt-Del comes as SIGINT instead of at once
	return init->signals < 0 ? -errno : 0;
}

static void reap(struct init *init)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		child_reaped(init->watched, pid, status);
		shell_reaped(pid);
	}
}

static void take_signals(struct init *init)
{
	static const struct {
		int signal;
		enum pid1_then then;
		const char *text;
	} requests[] = {
		{ SIGINT, PID1_REBOOT, "Ctrl-Alt-Del was pressed" },
		{ SIGTERM, PID1_REBOOT, "A restart was asked for" },
		{ SIGUSR1, PID1_POWEROFF, "Power-off was asked for" },
		{ SIGUSR2, PID1_POWEROFF, "Power-off was asked for" },
	};
	struct signalfd_siginfo info;

	while (read(init->signals, &info, sizeof(info)) == (ssize_t)sizeof(info))
		for (size_t i = 0; i < ARRAY_SIZE(requests); i++) {
			if ((int)info.ssi_signo != requests[i].signal)
				continue;
			if (init->asked == PID1_UNSAID)
				say("%s: the machine ends what it does, then it %s.",
				    requests[i].text,
				    requests[i].then == PID1_REBOOT ? "restarts"
								    : "powers off");
			init->asked = requests[i].then;
		}
}

void loop_wait(struct init *init, int fd, uint64_t deadline_ns)
{
	struct pollfd fds[2] = {
		{ .fd = init->signals, .events = POLLIN },
		{ .fd = fd, .events = POLLIN },
	};
	int ms = clock_poll_ms(deadline_ns);

	if (ms < 0 || ms > TICK_MS)
		ms = TICK_MS;
	poll(fds, ARRAY_SIZE(fds), ms);
	take_signals(init);
	reap(init);
	shell_tend();
}
