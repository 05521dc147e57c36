// SPDX-License-Identifier: GPL-3.0-or-later
// How large bonnie++'s file must be.
#include "suite/bonnie-size.h"

#define MIB       (UINT64_C(1) << 20)
#define SIZE_MAX_ (UINT64_C(2) << 30) // default size at most
#define CAP_MIN   (32 * MIB)
#define RAM_STEP  (64 * MIB) // kernels differ by a few MiB in what they call RAM

static uint64_t round_up(uint64_t v, uint64_t step)
{
	return (v + step - 1) / step * step;
}

struct bonnie_size bonnie_size(uint64_t size, uint64_t ram, uint64_t cap,
			       uint64_t machine_ram)
{
	uint64_t machine = round_up(machine_ram, RAM_STEP);
	struct bonnie_size b = { .size = size, .ram = ram, .cap = cap };

	if (!b.size)
		b.size = ram                        ? 2 * ram
			 : cap                      ? 4 * cap
			 : 2 * machine <= SIZE_MAX_ ? 2 * machine
						    : SIZE_MAX_;
	b.size = round_up(b.size, MIB);
	if (!b.cap && b.size < 2 * machine) {
		b.cap = round_up(b.size / 4, MIB);
		if (b.cap < CAP_MIN)
			b.cap = CAP_MIN;
	}
	if (!b.ram)
		b.ram = b.size / 2; // bonnie++ refuses a size below twice of it
	b.ram -= b.ram % MIB;
	return b;
}
