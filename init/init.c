// SPDX-License-Identifier: GPL-3.0-or-later
// PID 1: mounts, starts the sequence, reaps, keeps its deadline, ends the machine.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "common/clock.h"
#include "ending.h"
#include "init.h"
#include "mounts.h"
#include "rescue.h"
#include "shell.h"
#include "wall.h"

#define AFTER_BOUND (300 * CLOCK_SECOND) // to write the result of a program that died

// The sequence did not end well: tells so and starts the program that writes the result
// in its stead. Returns what that one wants next, and whether it ended well.
static bool run_after(struct init *init, const struct child *dead, struct child *after)
{
	const char *argv[] = { INIT_PROGRAM, "run", "--after", NULL, NULL };
	enum pid1_then asked = init->asked;
	char text[320];

	pid1_end_describe(&dead->end, dead->control.phase, text, sizeof(text));
	say("The program ended before its work was done: %s.", text);
	ending_clear(init);
	argv[3] = text;
	init->asked = PID1_UNSAID; // a second Ctrl-Alt-Del ends this, too
	child_run(init, after, argv, AFTER_BOUND);
	if (init->asked == PID1_UNSAID)
		init->asked = asked;
	if (pid1_end_well(&after->end))
		return true;
	pid1_end_describe(&after->end, after->control.phase, text, sizeof(text));
	say("The result could not be written either: %s.", text);
	return false;
}

// Runs the program to its end. Returns what comes next.
static enum pid1_then run(struct init *init, const char *option)
{
	const char *const argv[] = { INIT_PROGRAM, "run", option, NULL };
	struct child child, after;
	bool well;

	child_run(init, &child, argv, 0);
	if (pid1_end_well(&child.end))
		return pid1_next(true, child.control.then, init->asked);
	well = run_after(init, &child, &after);
	return pid1_next(well, after.control.then, init->asked);
}

static enum pid1_then run_shells(struct init *init)
{
	unsigned n = shell_start_all();

	say("A root shell is on each of %u console(s). The last one's end (\"exit\") "
	    "powers "
	    "off.",
	    n);
	while (shell_running() > 0 && init->asked == PID1_UNSAID)
		loop_wait(init, -1, 0);
	return pid1_next(true, PID1_POWEROFF, init->asked);
}

static enum pid1_then run_sequence(struct init *init)
{
	enum pid1_then then;

	shell_offer();
	// assay.menu: a person decides, whatever plan there is.
	then = cmdline_get(&init->cmdline, "assay.menu") ? PID1_MENU : run(init, NULL);
	while (then == PID1_MENU) {
		// A menu that comes back at once must not keep the machine busy.
		loop_wait(init, -1, clock_mono_ns() + CLOCK_SECOND);
		then = run(init, "--menu");
	}
	return then == PID1_SHELL ? run_shells(init) : then;
}

static void set_up(struct init *init)
{
	char now[32];
	const char *level;

	snprintf(now, sizeof(now), "%llu", (unsigned long long)clock_mono_ns());
	setenv("ASSAY_INIT_NS", now, 1); // its children's: see init.h

	rescue_catch_faults();
	mounts_dev();
	wall_fix();
	mounts_stdio();
	loop_open(init);
	say_open();
	mounts_up();
	say_open();
	cmdline_load(&init->cmdline, "/proc/cmdline");
	level = cmdline_get(&init->cmdline, "loglevel");
	if (!level && !cmdline_get(&init->cmdline, "debug"))
		mounts_quiet(cmdline_get(&init->cmdline, "quiet") != NULL);
	wall_note();
	rescue_check(init);
}

int main(void)
{
	static const char *const drivers[] = { INIT_PROGRAM, "drivers", NULL };
	static struct init init;
	const char *then;

	if (getpid() != 1) {
		fprintf(stderr,
			"This is the init program of the Assay appliance; it runs "
			"only as process 1 of a booted machine.\n");
		return 2;
	}
	set_up(&init);
	then = cmdline_get(&init.cmdline, "assay.then");
	if (then && pid1_then_parse(then) == PID1_SHELL) {
		child_detach(drivers);
		ending_run(&init, run_shells(&init));
	}
	ending_run(&init, run_sequence(&init));
}
