// SPDX-License-Identifier: GPL-3.0-or-later
// What badblocks prints, and where fill looks.
#include "suite-fakes.h"

#include "suite/badblocks-text.h"
#include "suite/engines.h"
#include "suite/fill-work.h"

static struct badblocks_text parse(const char *text)
{
	struct badblocks_text t;

	badblocks_text_parse(text, strlen(text), &t);
	return t;
}

static void counters_are_read(void **state)
{
	struct badblocks_text t;

	(void)state;
	t = parse("Checking blocks 0 to 16383\n"
		  "Checking for bad blocks (read-only test): done                  \n"
		  "Pass completed, 3 bad blocks found. (1/0/2 errors)\n");
	assert_true(t.complete);
	assert_int_equal(t.found, 3);
	assert_int_equal(t.read, 1);
	assert_int_equal(t.write, 0);
	assert_int_equal(t.compare, 2);
	assert_int_equal(t.phases, 1);
	// the last pass counts
	t = parse("Pass completed, 3 bad blocks found. (1/0/2 errors)\n"
		  "Pass completed, 0 bad blocks found. (0/0/0 errors)\n");
	assert_int_equal(t.found, 0);
}

static void half_a_line_is_no_count(void **state)
{
	static const char *const texts[] = {
		"",
		"Pass completed, ",
		"Pass completed, 3 bad",
		"Pass completed, x bad blocks found. (0/0/0 errors)",
		"Pass completed, 3 bad blocks found. (1/0 errors)",
		"Pass completed, 99999999999999999999999 bad blocks found. (0/0/0 "
		"errors)",
		"Interrupted at block 1473728",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_false(parse(texts[i]).complete);
}

static void progress_counts_phases_and_percent(void **state)
{
	struct badblocks_text t;

	(void)state;
	t = parse("Testing with pattern 0xaa: done                      \n"
		  "Reading and comparing:   0.00% done, 0:01 elapsed. (0/0/0 errors)"
		  "\b\b\b\b 97.27% done, 0:02 elapsed. (0/0/0 errors)\b\b\b\b");
	assert_int_equal(t.phases, 1);
	assert_true(t.percent > 97.26 && t.percent < 97.28);
	assert_false(t.complete);
}

// What a screen would show; the output of a week stays as long as that of a minute.
static void overwritten_progress_is_taken_out(void **state)
{
	struct strbuf b = { 0 };

	(void)state;
	strbuf_puts(&b, "Reading:   0.00% done");
	for (int i = 1; i < 1000; i++) {
		strbuf_puts(&b, "\b\b\b\b\b\b\b\b\b\b\b\b");
		strbuf_printf(&b, "%6.2f%% done", i / 10.0);
		badblocks_text_compact(&b);
	}
	assert_string_equal(strbuf_str(&b), "Reading:  99.90% done");
	strbuf_puts(&b, "\b\b\b\b\b");
	badblocks_text_compact(&b); // not overwritten yet
	assert_true(parse(strbuf_str(&b)).percent > 99.8);
	strbuf_puts(&b, "\b\b\b\b\b\b\bdone      \n");
	badblocks_text_compact(&b);
	assert_string_equal(strbuf_str(&b), "Reading: done      \n");
	strbuf_done(&b);
	badblocks_text_compact(&b);
	strbuf_puts(&b, "\b\b\b\b\bx");
	badblocks_text_compact(&b);
	assert_string_equal(strbuf_str(&b), "x");
	strbuf_done(&b);
}

static void huge_disks_get_blocks_that_can_be_counted(void **state)
{
	static const struct {
		uint64_t size;
		unsigned sector, block;
	} rows[] = {
		{ UINT64_C(1) << 30, 512, 4096 },
		{ UINT64_C(16) << 40, 512, 8192 }, // 2^32 blocks of 4096 are one too many
		{ (UINT64_C(16) << 40) - 4096, 512, 8192 },
		{ (UINT64_C(16) << 40) - 8192, 512, 4096 },
		{ UINT64_C(20000000000000), 4096, 8192 },
		{ UINT64_C(200000000000000), 512, 65536 },
		{ UINT64_C(1) << 30, 16384, 16384 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_int_equal(badblocks_block_size(rows[i].size, rows[i].sector),
				 rows[i].block);
}

static struct fault_list checked(const char *key, const char *value)
{
	struct plan_param param = { .key = (char *)(uintptr_t)key,
				    .value = (char *)(uintptr_t)value };
	struct plan_test test = { .name = (char *)(uintptr_t) "b",
				  .params = &param,
				  .n = 1 };
	struct fault_list faults = { 0 };

	test_badblocks.check(&test, "plan", &faults);
	return faults;
}

static void bad_patterns_are_faults(void **state)
{
	static const char *const good[] = { "all", "random", "0xaa", "170" };
	static const char *const bad[] = { "rnd", "0x", "0xzz", "-1" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		assert_int_equal(checked("pattern", good[i]).n, 0);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct fault_list f = checked("pattern", bad[i]);

		assert_int_equal(f.n, 1);
		fault_done(&f);
	}
}

static void what_overwrites_wants_a_bare_device_of_ours(void **state)
{
	struct plan_layer layers[2] = { { .kind = (char[]){ "disk" } },
					{ .kind = (char[]){ "ext4" } } };
	struct plan_param mode = { .key = (char[]){ "mode" },
				   .value = (char[]){ "write" } };
	struct plan_test test = { .params = &mode, .n = 1 };
	struct plan_arm arm = { .layers = layers, .n = 2 };

	(void)state;
	assert_non_null(test_refused(&test_badblocks, &test, &arm));
	assert_non_null(test_refused(&test_fill, &test, &arm));
	arm.n = 1;
	assert_null(test_refused(&test_badblocks, &test, &arm));
	assert_null(test_refused(&test_fill, &test, &arm));
	arm.open = true;
	assert_non_null(test_refused(&test_badblocks, &test, &arm));
	assert_non_null(test_refused(&test_fill, &test, &arm));
	test.n = 0; // mode = read
	assert_null(test_refused(&test_badblocks, &test, &arm));
}

static void the_sample_has_both_ends(void **state)
{
	uint64_t size = (UINT64_C(1) << 30) + 512, state_ = 1;
	uint64_t last = fill_where(size, 65536, 9, 10, &state_);

	(void)state;
	assert_int_equal(fill_where(size, 65536, 0, 10, &state_), 0);
	assert_true(last % 4096 == 0 && last + 65536 <= size &&
		    last + 65536 + 4096 > size);
	for (uint64_t n = 1; n < 9; n++) {
		uint64_t at = fill_where(size, 65536, n, 10, &state_);

		assert_true(at % 4096 == 0 && at + 65536 <= size);
	}
	assert_int_equal(fill_where(4096, 4096, 1, 2, &state_), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_are_read),
		cmocka_unit_test(half_a_line_is_no_count),
		cmocka_unit_test(progress_counts_phases_and_percent),
		cmocka_unit_test(overwritten_progress_is_taken_out),
		cmocka_unit_test(huge_disks_get_blocks_that_can_be_counted),
		cmocka_unit_test(bad_patterns_are_faults),
		cmocka_unit_test(what_overwrites_wants_a_bare_device_of_ours),
		cmocka_unit_test(the_sample_has_both_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
