// SPDX-License-Identifier: GPL-3.0-or-later
// Work that a sick disk may never let go of, done in a child that can be left behind.
#pragma once

#include <stdint.h>

#include "common/strbuf.h"

// Runs work(arg, out) in a child process with every other file closed; what it writes to
// `out` (a pipe) is added to `text` (may be NULL), at most 64 KiB. `work` returns 0 or a
// negative errno. Returns that, or -ETIMEDOUT: then the child was killed, and left behind
// if it did not die within a second.
int bounded_run(int (*work)(void *arg, int out), void *arg, uint64_t timeout_ns,
		struct strbuf *text);
