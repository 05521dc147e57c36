// SPDX-License-Identifier: GPL-3.0-or-later
// The order of the arms in each block: pure functions of the plan's seed.
#include <stdbool.h>

#include "common/splitmix.h"
#include "suite/order.h"
#include "suite/suite.h"

uint64_t order_next(uint64_t *state)
{
	return splitmix_next(state);
}

// A stream of its own for each block, so that a resumed campaign finds the same order.
static uint64_t block_stream(uint64_t seed, unsigned block)
{
	uint64_t state = seed;

	return order_next(&state) + block * UINT64_C(0xd1b54a32d192ed03);
}

uint64_t order_block_seed(uint64_t seed, unsigned block)
{
	uint64_t state = ~block_stream(seed, block);

	return order_next(&state);
}

// A number below n without bias: draws above the last whole multiple of n are repeated.
static uint64_t below(uint64_t *state, uint64_t n)
{
	uint64_t limit = UINT64_MAX - UINT64_MAX % n, v;

	do
		v = order_next(state);
	while (v >= limit);
	return v % n;
}

static void draw_order(uint64_t seed, unsigned block, size_t n, size_t *order)
{
	uint64_t state = block_stream(seed, block);

	for (size_t i = 0; i < n; i++)
		order[i] = i;
	for (size_t i = n; i > 1; i--) {
		size_t j = (size_t)below(&state, i), kept = order[i - 1];

		order[i - 1] = order[j];
		order[j] = kept;
	}
}

void suite_order(uint64_t seed, unsigned block, size_t n, size_t *order)
{
	bool mirrored = block > 0 && block % 2 == 0;

	draw_order(seed, mirrored ? block - 1 : block, n, order);
	for (size_t i = 0; mirrored && i < n / 2; i++) {
		size_t kept = order[i];

		order[i] = order[n - 1 - i];
		order[n - 1 - i] = kept;
	}
}
