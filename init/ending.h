// SPDX-License-Identifier: GPL-3.0-or-later
// How the machine ends: everything stopped, written and unmounted, then reboot(2).
#pragma once

#include <stdint.h>

#include "init.h"

// Kills what the sequence left running, but no shell of a person. Waits for its end, at
// most some seconds, and names what did not die.
void ending_clear(struct init *init);

// Ends the machine; never returns. Each step is bounded in time, whatever a dying disk
// does. A machine that cannot power off is halted, never restarted: it might boot from
// the network and run its plan for ever.
void ending_run(struct init *init, enum pid1_then then) __attribute__((noreturn));

// Runs `fn` in a process of its own, for at most `bound_ns`. Returns what it returned,
// or -ETIMEDOUT when it was left behind.
int ending_bounded(int (*fn)(const void *arg), const void *arg, uint64_t bound_ns);
