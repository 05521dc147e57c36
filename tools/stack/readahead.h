// SPDX-License-Identifier: GPL-3.0-or-later
// The same read-ahead on every layer of a stack: the kernel gives each device its own,
// and a comparison of stacks would compare those.
#pragma once

#include "common/strbuf.h"

// Gives every device above the disk `name` (kernel name) the disk's own read_ahead_kb,
// and reads it back. Adds to `odd` each that did not take it: "dm-1 (8192 KiB)". `root`
// as in device_scan(). Returns the value in KiB; -ENOENT when the disk does not tell.
int readahead_equal(const char *root, const char *name, struct strbuf *odd);
