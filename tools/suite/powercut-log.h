// SPDX-License-Identifier: GPL-3.0-or-later
// Known content that is written with barriers, and looked for after the power was cut.
// Every step writes one block to a place of its own and is acknowledged when the kernel
// says that it is on the medium; nothing is written twice, so what an acknowledged step
// wrote must be there, whole.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define POWERCUT_BLOCK 4096

// On a filesystem (`dir`) the steps take turns: a block appended to a file, a new file in
// a folder, a block within a file that was there before; each by fdatasync(2) or fsync(2)
// of file and folder. On a device one block after the other, each by fsync(2).
struct powercut_log {
	const char *dir;    // mount point, or NULL
	const char *device; // where there is no filesystem
	uint64_t seed;      // the content follows from it
};

// The content of step `n`, from 1. Pure.
void powercut_block(uint64_t seed, uint64_t n, char to[POWERCUT_BLOCK]);

// Makes the places and writes step after step until it is stopped or they are full, and
// says {"acknowledged": n} after each. For run_work().
int powercut_write(const struct powercut_log *log, int out);

// Looks for the steps. Says acknowledged, lost (acknowledged, but not there or not
// whole), first_lost and what that was, survived (not acknowledged, but there) and torn
// (not acknowledged, there in part). For run_work().
int powercut_verify(const struct powercut_log *log, uint64_t acknowledged, int out);
