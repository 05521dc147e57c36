// SPDX-License-Identifier: GPL-3.0-or-later
// One program in a session of its own: started, listened to, stopped in time, reported.
#pragma once

#include <sys/types.h>

#include "init.h"

struct child {
	pid_t pid;      // 0 when it is not running
	int control_fd; // where it talks to us, or -1
	struct pid1_control control;
	struct pid1_end end;
};

// Starts `argv` and waits for its end, which is told in c->end. It is stopped when its
// own deadline passes, when a person asks for the end of the machine, and after
// `bound_ns` from now (0: none). It has ended or was left behind when this returns.
void child_run(struct init *init, struct child *c, const char *const *argv,
	       uint64_t bound_ns);

// Starts a program that nobody waits for.
void child_detach(const char *const *argv);

// Tells that a process was reaped.
void child_reaped(struct child *c, pid_t pid, int status);
