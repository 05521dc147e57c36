// SPDX-License-Identifier: GPL-3.0-or-later
// Where a partition table leaves room for partitions. Pure arithmetic.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Partitions start and end at multiples of this: right for every disk and SSD so far.
#define PART_UNIT (UINT64_C(1) << 20)

struct part_table {
	const char *kind;  // as in a plan
	const char *label; // as libfdisk calls it
	size_t max;        // partitions
	unsigned
		tail_bytes; // of entries at the end of the disk; a header sector is added
	uint64_t max_sectors; // that an entry can count; 0: no limit
};

const struct part_table *part_table_find(const char *kind);

// The first unit at the end that no partition may use, for a disk of `size` bytes.
uint64_t part_end(const struct part_table *table, uint64_t size, unsigned sector);
