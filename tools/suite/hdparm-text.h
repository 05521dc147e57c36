// SPDX-License-Identifier: GPL-3.0-or-later
// What `hdparm -t -T` prints.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define HDPARM_TIMINGS 16

// One line "Timing ... reads: 82 MB in 3.06 seconds = 26.80 MB/sec". Its MB is MiB.
struct hdparm_timing {
	bool cached; // -T, memory; else -t, the device
	bool direct; // O_DIRECT
	double bytes, seconds;
	double rate; // B/s, as printed
};

// Reads every timing in the text and passes over all else. Returns how many of them are
// in `to`, which has room for HDPARM_TIMINGS.
size_t hdparm_text_parse(const char *text, size_t len, struct hdparm_timing *to);
