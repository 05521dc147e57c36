// SPDX-License-Identifier: GPL-3.0-or-later
// How large bonnie++'s file must be so that it measures the disk and not the page cache.
#pragma once

#include <stdint.h>

struct bonnie_size {
	uint64_t ram;  // bytes, whole MiB: what bonnie++ is told (-r)
	uint64_t size; // bytes, whole MiB (-s)
	uint64_t cap;  // bytes: memory that it gets in its cgroup; 0: no cap
};

// From the parameters (0: not given) and the machine's memory. Pure, so that all arms
// get the same: with neither size nor ram, twice the RAM where that is 2 GiB or less,
// else 2 GiB with the memory capped to a quarter of it. A size below twice the RAM is
// capped to a quarter, 32 MiB at least.
struct bonnie_size bonnie_size(uint64_t size, uint64_t ram, uint64_t cap,
			       uint64_t machine_ram);
