// SPDX-License-Identifier: GPL-3.0-or-later
// The design of a campaign: warm-up block, null arm, early end, repeated blocks, the time
// that it is said to take.
#include "suite-campaign.h"

#include "result/comparison.h"
#include "suite/payload.h"
#include "suite/runner.h"

#define TEST_NULL "[test null]\n"

static double design_number(const char *key)
{
	return json_get_double(campaign_design(&it.campaign), key, -1);
}

static void warm_up_block_comes_first_and_counts_nothing(void **state)
{
	size_t counted = 0;

	(void)state;
	begin("blocks = 2\nwarm-up = yes", TEST_NULL);
	assert_int_equal(suite_run(&it.suite, NULL), 0);
	assert_int_equal(n_records(), 3 * 3 * 3); // build, run, tear-down
	for (size_t i = 0; i < n_records(); i++) {
		bool warm = i < 9;

		assert_int_equal(json_get_int(record(i), "block", -1), i / 9);
		assert_int_equal(json_get_bool(record(i), "counts", true), !warm);
		if (is(record(i), "kind", "run")) {
			counted += comparison_counts(record(i));
			assert_int_equal(json_get(record(i), "not_counted") != NULL,
					 warm);
		}
	}
	assert_int_equal(counted, 6);
	assert_non_null(strstr(it.said.data, "warm-up block, arm "));
	assert_int_equal(design_number("blocks_run"), 2);
	end();
}

static void warm_up_is_the_default_where_findings_are_possible(void **state)
{
	(void)state;
	begin("blocks = 5", TEST_NULL);
	assert_false(it.plan.warm_up);
	end();
	begin("blocks = 6", TEST_NULL);
	assert_true(it.plan.warm_up);
	assert_true(it.plan.margin == 3 && it.plan.precision == 0);
	assert_int_equal(it.plan.blocks_min, 6);
	assert_int_equal(it.plan.repeats, 2);
	end();
}

static void null_arm_is_the_first_one_again(void **state)
{
	(void)state;
	begin("null = yes", TEST_NULL);
	assert_int_equal(it.plan.n_arms, 4);
	assert_string_equal(it.plan.arms[3].name, "a-null");
	assert_true(it.plan.arms[3].null && !it.plan.arms[0].null);
	assert_int_equal(it.plan.arms[3].n, it.plan.arms[0].n);
	assert_string_equal(it.plan.arms[3].layers[0].kind, "disk");
	assert_int_equal(suite_run(&it.suite, NULL), 0);
	assert_int_equal(count("a-null", "passed", NULL), 1);
	end();
}

// Engine null gives the same number each time: every interval is of width 0.
static void precise_enough_is_the_end(void **state)
{
	static const struct {
		const char *head;
		unsigned blocks;
	} rows[] = {
		{ "blocks = 20\nprecision = 1%\nwarm-up = no", 6 },
		{ "blocks = 20\nprecision = 1%\nblocks-min = 9\nwarm-up = no", 9 },
		{ "blocks = 7\nwarm-up = no", 7 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		begin(rows[i].head, TEST_NULL);
		it.campaign.plan = plan_json(&it.plan);
		assert_int_equal(suite_run(&it.suite, NULL), 0);
		assert_int_equal(count(NULL, "passed", NULL), 3 * rows[i].blocks);
		assert_int_equal(design_number("blocks_run"), rows[i].blocks);
		assert_int_equal(json_get(campaign_design(&it.campaign), "stopped") !=
					 NULL,
				 rows[i].blocks < it.plan.blocks);
		end();
	}
}

static void precision_asks_for_rates_that_are_there(void **state)
{
	struct runner r = { .suite = &it.suite };

	(void)state;
	begin("blocks = 20\nprecision = 1%", TEST_NULL);
	assert_false(runner_precise(&r)); // no data are not precise
	end();
}

static void time_is_estimated_before_and_after_the_first_block(void **state)
{
	(void)state;
	begin("blocks = 2\nwarm-up = yes", TEST_NULL "[test slow]\nengine = null\n"
						     "time = 1m\n");
	// 3 blocks of 3 arms: 8 s for the arm, 1 s for each test, and its minute
	assert_true(suite_seconds(&it.plan, 1e8) == 3 * 3 * (8 + 1 + 1 + 60.0));
	it.plan.n_tests = 1;
	it.suite.estimate = 12000;
	assert_int_equal(suite_run(&it.suite, NULL), 0);
	assert_non_null(strstr(it.said.data, "this campaign will take about 3 h 20 min"));
	assert_non_null(
		strstr(it.said.data, "the rest of this campaign will take about"));
	assert_true(design_number("estimate") == 12000);
	assert_true(design_number("estimate_after_block") >= 0);
	it.plan.n_tests = 2;
	end();
}

static void engines_say_how_long_they_take(void **state)
{
	(void)state;
	begin("blocks = 1", "[test bonnie]\nsize = 1000M\nram = 400M\nfiles = 0\n"
			    "[test read]\nengine = fio\nrw = read\nsize = 1G\n"
			    "[test timed]\nengine = fio\nrw = randread\nsize = 1G\n"
			    "runtime = 20s\n[test hdparm]\n");
	it.plan.n_arms = 1;
	it.plan.n_tests = 1; // six passes of 1000 MiB at 100 MiB/s, seeks
	assert_true(suite_seconds(&it.plan, 100 << 20) == 8 + 1 + 60 + 10);
	it.plan.tests++; // the file is written, then read
	assert_true(suite_seconds(&it.plan, 1 << 30) == 8 + 1 + 1 + 1 + 2);
	it.plan.tests++;
	assert_true(suite_seconds(&it.plan, 1 << 26) == 8 + 1 + 16 + 20 + 2);
	it.plan.tests++;
	assert_true(suite_seconds(&it.plan, 1) == 8 + 1 + 14);
	it.plan.tests -= 3;
	it.plan.n_tests = 4;
	it.plan.n_arms = 3;
	end();
}

static struct json_object *with_gate(const char *name)
{
	struct json_object *o = json_new(), *gates = json_new_array();
	struct json_object *gate = json_new();

	json_set_str(gate, "name", name);
	json_set_str(gate, "words", "it was so");
	json_append(gates, gate);
	json_set(o, "gates", gates);
	return o;
}

static void only_what_passes_is_a_cause_to_repeat(void **state)
{
	static const struct {
		const char *gate;
		bool cause;
	} rows[] = { { "throttled", true }, { "power", true },
		     { "resync", true },    { "media", true },
		     { "cpu-hog", true },   { "link", false },
		     { "cache", false },    { "generic-cipher", false } };
	_cleanup_json_ struct json_object *none = json_new();

	(void)state;
	assert_null(runner_disturbance(none));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_json_ struct json_object *o = with_gate(rows[i].gate);

		assert_int_equal(runner_disturbance(o) != NULL, rows[i].cause);
	}
}

static void repeated_blocks_do_not_count(void **state)
{
	struct runner r = { .suite = &it.suite };
	size_t counted = 0;

	(void)state;
	begin("blocks = 2", TEST_NULL);
	assert_int_equal(suite_run(&it.suite, NULL), 0);
	runner_record_repeat(&r, 2, "the CPU was throttled 3 times");
	for (size_t i = 0; i < n_records(); i++) {
		struct json_object *o = record(i);

		if (!is(o, "kind", "run"))
			continue;
		counted += comparison_counts(o);
		assert_int_equal(comparison_counts(o), json_get_int(o, "block", 0) == 1);
		if (json_get_int(o, "block", 0) == 2)
			assert_true(
				is(o, "not_counted", "the CPU was throttled 3 times"));
	}
	assert_int_equal(counted, 3);
	assert_string_equal(
		json_line(json_get(campaign_design(&it.campaign), "repeated")),
		"[{\"block\":2,\"why\":\"the CPU was throttled 3 times\"}]");
	end();
}

static void the_place_on_the_disk_is_told(void **state)
{
	static const struct {
		const char *layers;
		int64_t start;
	} rows[] = {
		{ "[{\"kind\":\"disk\"}]", 0 },
		{ "[{\"kind\":\"disk\"},{\"kind\":\"gpt\",\"start\":1048576},{\"kind\":"
		  "\"ext4\"}]",
		  1048576 },
		{ "[{\"kind\":\"disk\"},{\"kind\":\"lvm\",\"table\":[{\"target\":"
		  "\"linear\","
		  "\"args\":\"8:1 2048\"}]}]",
		  1048576 },
		// segments, a mirror, two disks, md, rubbish: nowhere in particular
		{ "[{\"kind\":\"disk\"},{\"kind\":\"lvm\",\"table\":[{},{}]}]", -1 },
		{ "[{\"kind\":\"disk\"},{\"kind\":\"lvm\",\"table\":[{\"target\":"
		  "\"raid\","
		  "\"args\":\"8:1 2048\"}]}]",
		  -1 },
		{ "[{\"kind\":\"disk\"},{\"kind\":\"disk\"}]", -1 },
		{ "[{\"kind\":\"disk\"},{\"kind\":\"md\"}]", -1 },
		{ "[{\"kind\":\"disk\"},{\"kind\":\"lvm\",\"table\":[{\"target\":"
		  "\"linear\","
		  "\"args\":\"sda 2048\"}]}]",
		  -1 },
		{ "[]", -1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_json_ struct json_object *o =
			json_parse_text(rows[i].layers, strlen(rows[i].layers), NULL);

		assert_non_null(o);
		assert_int_equal(payload_start(o), rows[i].start);
	}
}

static void arms_in_other_places_are_warned_of(void **state)
{
	static const struct {
		uint64_t size;
		bool rotational;
		const char *warning;
	} rows[] = {
		{ 1 << 30, true,
		  "the data of c begin 1.6 % of the disk behind those of a" },
		{ UINT64_C(2) << 30, true, NULL },
		{ 1 << 30, false, NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *said;

		begin("blocks = 1", TEST_NULL);
		fake.disk_size = rows[i].size;
		fake.rotational = rows[i].rotational;
		assert_int_equal(suite_run(&it.suite, NULL), 0);
		said = json_line(it.campaign.warnings);
		if (rows[i].warning) {
			assert_non_null(strstr(said, rows[i].warning));
			assert_non_null(strstr(said, "e.g. gpt,pad=16M,data=rest"));
		} else {
			assert_null(strstr(said, "begin"));
		}
		end();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(warm_up_block_comes_first_and_counts_nothing),
		cmocka_unit_test(warm_up_is_the_default_where_findings_are_possible),
		cmocka_unit_test(null_arm_is_the_first_one_again),
		cmocka_unit_test(precise_enough_is_the_end),
		cmocka_unit_test(precision_asks_for_rates_that_are_there),
		cmocka_unit_test(time_is_estimated_before_and_after_the_first_block),
		cmocka_unit_test(engines_say_how_long_they_take),
		cmocka_unit_test(only_what_passes_is_a_cause_to_repeat),
		cmocka_unit_test(repeated_blocks_do_not_count),
		cmocka_unit_test(the_place_on_the_disk_is_told),
		cmocka_unit_test(arms_in_other_places_are_warned_of),
	};

	return cmocka_run_group_tests(tests, set_up, clean_up);
}
