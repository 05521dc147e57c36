// SPDX-License-Identifier: GPL-3.0-or-later
// The wall clock: a date that cannot be right is replaced by the build's.
#pragma once

// Looks at the clock, and sets it when it cannot be right: old laptops have an empty
// CMOS battery, and beyond 2038 no 32-bit program can stat(2) a file. Before anything
// but /dev is mounted, so that whatever is made later is stamped right. The hardware's
// clock is left alone.
void wall_fix(void);

// Tells the person and /run/assay/clock-suspect, once that can be said.
void wall_note(void);
