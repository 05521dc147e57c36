// SPDX-License-Identifier: GPL-3.0-or-later
// Where partitions and volumes come to lie, and what does not fit.
#include "unit.h"

#include <string.h>

#include "common/mem.h"
#include "stack/part.h"
#include "stack/volume.h"

#define MIB (UINT64_C(1) << 20)

static const struct param_spec params[] = { { .key = "part", .type = PARAM_UINT },
					    { 0 } };

// A plan with that one stack, to be freed with plan_done().
static struct plan parse(const char *text)
{
	struct fault_list faults = { 0 };
	struct plan plan = { .arms = mem_new(1, sizeof(*plan.arms)), .n_arms = 1 };

	plan_parse_stack(plan.arms, text, "test", 1, &faults);
	assert_int_equal(faults.n, 0);
	return plan;
}

#define _cleanup_plan_ _cleanup_(plan_done)

static void rest_in_the_middle(void **state)
{
	_cleanup_plan_ struct plan plan =
		parse("disk/gpt,boot=100M,data=rest,part=2,tail=1500K");
	struct volume_list v;
	struct err err = { 0 };

	(void)state;
	volume_list_make(&v, &plan.arms->layers[1], params, "data");
	assert_int_equal(v.n, 3); // part= is a parameter
	assert_int_equal(volume_layout(&v, MIB, 1, 1023, &err), 0);
	assert_int_equal(v.items[0].start, 1);
	assert_int_equal(v.items[0].count, 100);
	assert_int_equal(v.items[1].start, 101);
	assert_int_equal(v.items[1].count, 920);
	assert_int_equal(v.items[2].start, 1021);
	assert_int_equal(v.items[2].count, 2); // 1500K is rounded up
	assert_string_equal(volume_carrier(&v)->name, "data");
	volume_list_done(&v);
}

static void exact_and_too_small(void **state)
{
	_cleanup_plan_ struct plan plan = parse("disk/gpt,a=10M,b=rest");
	struct volume_list v;
	struct err err = { 0 };

	(void)state;
	volume_list_make(&v, &plan.arms->layers[1], params, "data");
	assert_int_equal(volume_layout(&v, MIB, 1, 12, &err), 0);
	assert_int_equal(v.items[1].count, 1);
	assert_int_equal(volume_layout(&v, MIB, 1, 11, &err), -ENOSPC);
	assert_string_equal(
		err.text,
		"what is asked for needs 11.5 MB, and 10.5 MB can be given out");
	assert_int_equal(volume_layout(&v, MIB, 1, 0, &err), -ENOSPC);
	volume_list_done(&v);
}

static void huge_sizes_do_not_wrap(void **state)
{
	_cleanup_plan_ struct plan plan =
		parse("disk/gpt,a=16000000T,b=16000000T,c=rest");
	struct volume_list v;
	struct err err = { 0 };

	(void)state;
	volume_list_make(&v, &plan.arms->layers[1], params, "data");
	assert_int_equal(volume_layout(&v, 1, 0, 1000, &err), -ENOSPC);
	volume_list_done(&v);
}

static void without_volumes_one_takes_all(void **state)
{
	_cleanup_plan_ struct plan plan = parse("disk/gpt");
	struct volume_list v;

	(void)state;
	volume_list_make(&v, &plan.arms->layers[1], params, "data");
	assert_int_equal(volume_layout(&v, MIB, 1, 5, NULL), 0);
	assert_int_equal(v.n, 1);
	assert_int_equal(v.items[0].count, 4);
	assert_string_equal(volume_carrier(&v)->name, "data");
	volume_list_done(&v);
}

static void one_of_a_size_carries(void **state)
{
	_cleanup_plan_ struct plan one = parse("disk/gpt,a=5M");
	_cleanup_plan_ struct plan two = parse("disk/gpt,a=5M,b=5M");
	struct volume_list v;

	(void)state;
	volume_list_make(&v, &one.arms->layers[1], params, "data");
	assert_string_equal(volume_carrier(&v)->name, "a");
	volume_list_done(&v);
	volume_list_make(&v, &two.arms->layers[1], params, "data");
	assert_null(volume_carrier(&v));
	volume_list_done(&v);
}

static void table_ends(void **state)
{
	const struct part_table *gpt = part_table_find("gpt");
	const struct part_table *mbr = part_table_find("mbr");

	(void)state;
	// 33 sectors of GPT at the end cost the last whole MiB
	assert_int_equal(part_end(gpt, 100 * MIB, 512), 99);
	assert_int_equal(part_end(gpt, 100 * MIB + 33 * 512, 512), 100);
	assert_int_equal(part_end(gpt, 100 * MIB + 32 * 512, 512), 99);
	assert_int_equal(part_end(gpt, 100 * MIB + 5 * 4096, 4096), 100);
	assert_int_equal(part_end(gpt, 4096, 512), 0);
	assert_int_equal(part_end(mbr, 100 * MIB, 512), 100);
	// 32 bits of 512-byte sectors are 2 TiB less one sector
	assert_int_equal(part_end(mbr, UINT64_C(3) << 40, 512), (UINT64_C(2) << 20) - 1);
	assert_int_equal(part_end(mbr, UINT64_C(3) << 40, 4096), UINT64_C(3) << 20);
	assert_null(part_table_find("sun"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rest_in_the_middle),
		cmocka_unit_test(exact_and_too_small),
		cmocka_unit_test(huge_sizes_do_not_wrap),
		cmocka_unit_test(without_volumes_one_takes_all),
		cmocka_unit_test(one_of_a_size_carries),
		cmocka_unit_test(table_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
