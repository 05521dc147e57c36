// SPDX-License-Identifier: GPL-3.0-or-later
// Overwrites a device with random data: zeros through dm-crypt with a key that nobody
// keeps. As fast as the disk and the CPU are, and no two blocks are alike.
#pragma once

#include <stddef.h>
#include <stdint.h>

struct fill {
	const char *device;  // consent was checked
	const char *mapping; // name of the mapping that is made; the caller removes it
	uint64_t pieces;     // that are read back
	uint64_t seed;       // of where they lie
};

// Writes and reads back; says bytes, threads, write_s, verify_s, verified (bytes). Each
// piece is read through the mapping, where it must be zeros, and below it, where it must
// be neither zeros nor the same as another one. For run_work().
int fill_run(const struct fill *f, int out);

// Where the n-th of `pieces` lies, in bytes: the first and last of the device are always
// among them. `piece` is its length. Pure.
uint64_t fill_where(uint64_t size, size_t piece, uint64_t n, uint64_t pieces,
		    uint64_t *state);
