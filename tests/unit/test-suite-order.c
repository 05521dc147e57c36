// SPDX-License-Identifier: GPL-3.0-or-later
// The order of arms: exact for a seed, without bias.
#include "unit.h"

#include <string.h>

#include "suite/order.h"
#include "suite/suite.h"

static void splitmix_is_the_known_one(void **state)
{
	uint64_t s = 0;

	(void)state;
	// the published first numbers of the stream of seed 0
	assert_true(order_next(&s) == UINT64_C(0xe220a8397b1dcdaf));
	assert_true(order_next(&s) == UINT64_C(0x6e789e6aa1b965f4));
	assert_true(order_next(&s) == UINT64_C(0x06c45d188009454f));
}

static void order_is_exact(void **state)
{
	static const size_t want[3][5] = {
		{ 1, 3, 4, 0, 2 },
		{ 2, 0, 4, 3, 1 }, // the first one backwards
		{ 3, 0, 1, 4, 2 },
	};
	size_t order[5];

	(void)state;
	// worked out by another program
	for (unsigned block = 1; block <= 3; block++) {
		suite_order(42, block, 5, order);
		assert_memory_equal(order, want[block - 1], sizeof(order));
	}
	suite_order(7, 1, 1, order);
	assert_int_equal(order[0], 0);
	suite_order(7, 1, 0, order);
}

static void every_order_is_as_likely(void **state)
{
	unsigned seen[4][4] = { { 0 } };
	size_t order[4];

	(void)state;
	for (uint64_t seed = 0; seed < 100; seed++)
		for (unsigned block = 1; block <= 240; block++) {
			unsigned mask = 0;

			suite_order(seed, block, 4, order);
			for (size_t i = 0; i < 4; i++) {
				seen[i][order[i]]++;
				mask |= 1U << order[i];
			}
			assert_int_equal(mask, 15);
		}
	// 24000 draws: 6000 in each cell, sigma 67; five sigma
	for (size_t i = 0; i < 4; i++)
		for (size_t j = 0; j < 4; j++)
			assert_in_range(seen[i][j], 5665, 6335);
}

static void block_seeds_differ(void **state)
{
	(void)state;
	assert_true(order_block_seed(42, 1) == UINT64_C(0x7ec9547eeb0b622a));
	assert_true(order_block_seed(42, 1) != order_block_seed(42, 2));
	assert_true(order_block_seed(42, 1) != order_block_seed(43, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(splitmix_is_the_known_one),
		cmocka_unit_test(order_is_exact),
		cmocka_unit_test(every_order_is_as_likely),
		cmocka_unit_test(block_seeds_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
