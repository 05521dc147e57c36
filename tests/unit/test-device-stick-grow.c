// SPDX-License-Identifier: GPL-3.0-or-later
// A stick made from assay.img: when it grows, to what, and when it must not be touched.
#include <string.h>

#include "device/stick-grow.h"
#include "unit.h"

#define GIB ((uint64_t)(1 << 30) / GROW_SECTOR) // sectors

static uint8_t mbr[GROW_SECTOR], boot[GROW_SECTOR];

static void put(uint8_t *p, uint32_t n, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		p[i] = (uint8_t)(n >> 8 * i);
}

static uint32_t get(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

// The numbers of a real assay.img: 4 KiB clusters, tables for 32 GiB.
static void image(void)
{
	memset(mbr, 0, sizeof(mbr));
	memset(boot, 0, sizeof(boot));
	put(mbr + 440, 0x3daafea3, 4);
	mbr[446] = 0x80;
	mbr[450] = 0x0c;
	put(mbr + 454, 2048, 4);
	put(mbr + 458, 661504, 4);
	put(mbr + 510, 0xaa55, 2);
	put(boot + 11, 512, 2);
	boot[13] = 8;
	put(boot + 14, 32, 2);
	boot[16] = 2;
	put(boot + 28, 2048, 4);
	put(boot + 32, 661504, 4);
	put(boot + 36, 65416, 4);
	put(boot + 48, 1, 2);
	put(boot + 50, 6, 2);
	put(boot + 67, 0x3daafea3, 4);
	put(boot + 510, 0xaa55, 2);
}

static void to_the_end(void **state)
{
	struct grow g;

	(void)state;
	image();
	assert_true(grow_decide(mbr, boot, 4 * GIB, &g));
	assert_int_equal(g.start, 2048);
	assert_int_equal(g.total, 661504);
	assert_int_equal(g.partition, 4 * GIB - 2048);
	grow_mbr(mbr, &g);
	grow_boot(boot, &g);
	assert_int_equal(get(mbr + 458), 4 * GIB - 2048);
	assert_int_equal(get(boot + 32), 4 * GIB - 2048);
	assert_int_equal(mbr[446], 0x80);                  // still the one to boot from
	assert_false(grow_decide(mbr, boot, 4 * GIB, &g)); // once is enough
}

// Cut between the partition and the filesystem, it goes on.
static void after_a_power_cut(void **state)
{
	struct grow g;

	(void)state;
	image();
	assert_true(grow_decide(mbr, boot, GIB, &g));
	grow_mbr(mbr, &g);
	assert_true(grow_decide(mbr, boot, GIB, &g));
	assert_int_equal(g.partition, GIB - 2048);
}

// No further than the tables reach: 65416 sectors of 128 entries.
static void as_far_as_the_tables(void **state)
{
	uint64_t most = 32 + 2 * 65416 + (65416 * 128 - 2) * (uint64_t)8;
	struct grow g;

	(void)state;
	image();
	assert_true(grow_decide(mbr, boot, 100 * GIB, &g));
	assert_true(g.partition <= most && g.partition > most - 2048);
	assert_true(grow_decide(mbr, boot, UINT64_MAX / 512, &g));
	assert_true(g.partition <= most);
}

static void not_for_less_than_16_mib(void **state)
{
	uint64_t end = 2048 + 661504;
	struct grow g;

	(void)state;
	image();
	assert_false(grow_decide(mbr, boot, end, &g));
	assert_false(grow_decide(mbr, boot, end + 32767, &g));
	assert_true(grow_decide(mbr, boot, end + 32768, &g));
	assert_false(grow_decide(mbr, boot, 2000, &g)); // shorter than its own table
}

// Each change alone makes it another's stick.
static const struct {
	bool in_boot;
	size_t at, bytes;
	uint32_t value;
} foreign[] = {
	{ false, 440, 4, 1 },         // another number
	{ false, 450, 1, 0x83 },      // no FAT
	{ false, 446 + 20, 1, 0x83 }, // a second partition
	{ false, 446 + 60, 4, 5 },    // a fourth
	{ false, 454, 4, 4096 },      // not where the filesystem believes to be
	{ false, 458, 4, 661503 },    // a partition shorter than the filesystem
	{ false, 510, 2, 0 },         { true, 11, 2, 4096 },
	{ true, 13, 1, 0 },           { true, 13, 1, 3 },
	{ true, 14, 2, 7 }, // no room for the copy
	{ true, 16, 1, 1 },           { true, 19, 2, 9 },
	{ true, 22, 2, 200 }, // FAT16
	{ true, 36, 4, 0 },           { true, 48, 2, 0 },
	{ true, 50, 2, 0 },           { true, 67, 4, 1 },
	{ true, 510, 2, 0 },
};

static void others_are_not_touched(void **state)
{
	struct grow g;

	(void)state;
	for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++) {
		image();
		put((foreign[i].in_boot ? boot : mbr) + foreign[i].at, foreign[i].value,
		    foreign[i].bytes);
		if (grow_decide(mbr, boot, 4 * GIB, &g))
			fail_msg("%s %zu", foreign[i].in_boot ? "boot" : "mbr",
				 foreign[i].at);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(to_the_end),
		cmocka_unit_test(after_a_power_cut),
		cmocka_unit_test(as_far_as_the_tables),
		cmocka_unit_test(not_for_less_than_16_mib),
		cmocka_unit_test(others_are_not_touched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
