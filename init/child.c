// SPDX-License-Identifier: GPL-3.0-or-later
// One program in a session of its own.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "common/clock.h"

#define GRACE   (30 * CLOCK_SECOND) // from SIGTERM to SIGKILL: results are being written
#define DYING   (10 * CLOCK_SECOND) // from SIGKILL until we call it stuck
#define CONTROL 3

static void become(const char *const *argv, int control)
{
	const char *began = getenv("ASSAY_INIT_NS");
	char began_text[64];
	const char *const env[] = {
		"PATH=/usr/sbin:/usr/bin:/sbin:/bin",
		"HOME=/root",
		"TERM=linux",
		"LC_ALL=C",
		began_text,
		control < 0 ? NULL : "ASSAY_CONTROL_FD=3",
		NULL,
	};
	sigset_t none;

	snprintf(began_text, sizeof(began_text), "ASSAY_INIT_NS=%s", began ? began : "");

	setsid();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (control >= 0 && control != CONTROL)
		dup2(control, CONTROL); // the copy survives execve(2)
	else if (control >= 0)
		fcntl(control, F_SETFD, 0);
	execve(argv[0], (char *const *)(uintptr_t)argv, (char *const *)(uintptr_t)env);
	dprintf(STDERR_FILENO, "%s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

static bool start(struct child *c, const char *const *argv)
{
	int ends[2];

	c->control_fd = -1;
	if (pipe2(ends, O_CLOEXEC) < 0)
		return false;
	c->pid = fork();
	if (c->pid == 0)
		become(argv, ends[1]);
	close(ends[1]);
	if (c->pid < 0) {
		c->pid = 0;
		close(ends[0]);
		return false;
	}
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	c->control_fd = ends[0];
	return true;
}

// Takes what the child said; at most 64 KiB at once, so that a babbler cannot hold us.
static void listen_to(struct child *c)
{
	char text[1024];

	for (int i = 0; i < 64 && c->control_fd >= 0; i++) {
		ssize_t n = read(c->control_fd, text, sizeof(text));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return;
		if (n == 0) { // it closed its end; a poll would report that for ever
			close(c->control_fd);
			c->control_fd = -1;
			return;
		}
		if (pid1_control_feed(&c->control, text, (size_t)n) > 0)
			say("The program said something that PID 1 does not understand.");
	}
}

static uint64_t sooner(uint64_t a, uint64_t b)
{
	return !a ? b : !b ? a : a < b ? a : b;
}

// Is it time to stop the child, and why?
static bool must_stop(const struct init *init, struct child *c, uint64_t bound)
{
	uint64_t now = clock_mono_ns();

	c->end.asked = init->asked != PID1_UNSAID;
	c->end.late = c->control.deadline_ns && now >= c->control.deadline_ns;
	c->end.breached = bound && now >= bound;
	return c->end.asked || c->end.late || c->end.breached;
}

static void wait_until(struct init *init, struct child *c, uint64_t deadline)
{
	while (c->pid > 0 && clock_mono_ns() < deadline) {
		loop_wait(init, c->control_fd, deadline);
		listen_to(c);
	}
}

static void stop(struct init *init, struct child *c)
{
	pid_t group = c->pid;

	say("Stopping: %s",
	    c->end.asked      ? "a person asked for it. Results are being written."
	    : c->end.late     ? "the deadline has passed. Results are being written."
	    : c->end.breached ? "this takes too long."
			      : "");
	kill(-group, SIGTERM);
	kill(-group, SIGCONT);
	wait_until(init, c, clock_mono_ns() + GRACE);
	if (c->pid > 0)
		say("It did not end within 30 s, and is killed.");
	kill(-group, SIGKILL);
	wait_until(init, c, clock_mono_ns() + DYING);
	if (c->pid > 0) {
		say("It did not die: a device does not answer. It is left behind.");
		c->end.stuck = true;
		c->pid = 0;
	}
}

void child_run(struct init *init, struct child *c, const char *const *argv,
	       uint64_t bound_ns)
{
	uint64_t bound = bound_ns ? clock_mono_ns() + bound_ns : 0;

	*c = (struct child){ .control_fd = -1 };
	init->watched = c;
	if (!start(c, argv)) {
		c->end.missing = true;
		say("%s could not be started: %s.", argv[0], strerror(errno));
	}
	while (c->pid > 0) {
		if (must_stop(init, c, bound)) {
			stop(init, c);
			break;
		}
		loop_wait(init, c->control_fd, sooner(c->control.deadline_ns, bound));
		listen_to(c);
	}
	listen_to(c); // its last words
	if (c->control_fd >= 0)
		close(c->control_fd);
	init->watched = NULL;
}

void child_detach(const char *const *argv)
{
	pid_t pid = fork();

	if (pid == 0)
		become(argv, -1);
	if (pid < 0)
		say("%s could not be started: %s.", argv[0], strerror(errno));
}

void child_reaped(struct child *c, pid_t pid, int status)
{
	if (!c || pid != c->pid)
		return;
	c->pid = 0;
	c->end.status = status;
}
