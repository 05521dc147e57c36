// SPDX-License-Identifier: GPL-3.0-or-later
// An engine's own work on a device or filesystem, in a child that can be left behind: in
// the run's cgroup, with its time limit, and with progress.
#pragma once

#include "suite/run.h"

struct work {
	// In the child. Says what it found through work_say() and how far it is through
	// work_progress(). Returns 0 or -errno, best through work_fail().
	int (*work)(void *arg, int out);
	// In the parent, for each document of work_say(); may be NULL.
	void (*heard)(struct run *run, struct json_object *o, void *arg);
	void *arg; // of both; the child has a copy
};

// Runs it. Returns 0 when the child did; else the outcome is set, and -errno.
int run_work(struct run *run, const struct work *work);

// The child's side. `o` is taken over.
void work_say(int out, struct json_object *o);
void work_progress(int out, uint64_t done, uint64_t total);

// Says why it failed, and returns `code`: for `return work_fail(...)`.
int work_fail(int out, int code, const char *fmt, ...) _printf_(3, 4);
