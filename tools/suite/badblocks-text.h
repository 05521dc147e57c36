// SPDX-License-Identifier: GPL-3.0-or-later
// What `badblocks -s -v` prints, and the block size that it can count a disk in.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/strbuf.h"

struct badblocks_text {
	bool complete;                 // "Pass completed": there is a count
	uint64_t found;                // bad blocks
	uint64_t read, write, compare; // errors
	unsigned phases;               // that are done
	double percent;                // of the phase that runs
};

// Reads the end of its stderr so far: counters of the last complete pass, and progress.
void badblocks_text_parse(const char *text, size_t len, struct badblocks_text *ret);

// Takes out what was overwritten: progress is printed once a second with backspaces,
// which in a week would be more than is kept of any output.
void badblocks_text_compact(struct strbuf *text);

// The smallest power of two, at least 4096 and the device's sector, in which the device
// has fewer than 2^32 blocks: badblocks counts them in 32 bits.
unsigned badblocks_block_size(uint64_t size, unsigned sector);
