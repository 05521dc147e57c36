// SPDX-License-Identifier: GPL-3.0-or-later
// Limits: every form of a line, and no data is never passed.
#include "unit.h"

#include <string.h>

#include "campaign-data.h"
#include "common/mem.h"
#include "report/banner.h"
#include "result/accept.h"

static const char *const arms[] = { "plain", "encrypted" };

// Three blocks: plain reads 100, 110, 90 MB/s, encrypted half of each in the same block.
static struct json_object *campaign(void)
{
	static const double mb[] = { 100, 110, 90 };
	struct json_object *o = make_result(arms, 2, -1);

	for (unsigned block = 1; block <= 3; block++)
		for (unsigned arm = 0; arm < 2; arm++) {
			struct json_object *run =
				add_run(o, block, arms[arm], "seqread", OUTCOME_PASSED);

			add_value(run, "read", "B/s", BETTER_HIGHER, BOUND_EXACT,
				  mb[block - 1] * 1e6 / (arm + 1));
			add_value(run, "read_lat_99.9", "s", BETTER_LOWER, BOUND_EXACT,
				  0.004);
			add_value(run, "seq_create", "1/s", BETTER_HIGHER, BOUND_AT_LEAST,
				  32768);
		}
	return o;
}

static struct json_object *judged(struct json_object *result, const char *line,
				  const struct json_object *baseline)
{
	struct json_object *lines = json_new_array(), *array, *one;

	json_append_str(lines, line);
	json_set(json_get(result, "plan"), "accept", lines);
	array = accept_judge(result, baseline);
	assert_int_equal(json_object_array_length(array), 1);
	one = json_object_get(json_object_array_get_idx(array, 0));
	json_object_put(array);
	return one;
}

struct row {
	const char *line, *outcome, *why;
};

static void expect(struct json_object *result, const struct row *row,
		   const struct json_object *baseline)
{
	_cleanup_json_ struct json_object *o = judged(result, row->line, baseline);

	if (strcmp(json_get_str(o, "outcome"), row->outcome) != 0 ||
	    !strstr(json_get_str(o, "why"), row->why))
		fail_msg("%s", json_line(o));
	assert_string_equal(json_get_str(o, "text"), row->line);
	// a number is there exactly where something was judged
	assert_int_equal(json_get(o, "value") != NULL,
			 strcmp(row->outcome, "not-run") != 0);
}

static void lines_are_judged(void **state)
{
	static const struct row rows[] = {
		{ "plain.seqread.read >= 50 MB/s", "passed",
		  "100 MB/s, limit 50.0 MB/s (3 runs)" },
		{ "encrypted.seqread.read >= 50 MB/s", "passed", "50.0 MB/s" },
		{ "encrypted.seqread.read > 50 MB/s", "failed",
		  "50.0 MB/s, but the limit is 50.0 MB/s" },
		{ "encrypted.seqread.read >= 48 MiB/s", "failed", "limit is 50.3 MB/s" },
		{ "plain.seqread.read_lat_99.9 <= 5 ms", "passed", "4.0 ms" },
		{ "plain.seqread.read_lat_99.9 < 4 ms", "failed", "4.0 ms" },
		{ "encrypted.seqread.read >= 0.5 * plain.seqread.read", "passed",
		  "50.0 MB/s, limit 50.0 MB/s" },
		{ "encrypted.seqread.read >= 0.51 * plain.seqread.read", "failed",
		  "limit is 51.0 MB/s" },
		// a bound says enough on one side only
		{ "plain.seqread.seq_create >= 1000 1/s", "passed", "32768" },
		{ "plain.seqread.seq_create >= 50000 IOPS", "not-run",
		  "only known to be at least 32768 /s" },
		{ "plain.seqread.seq_create <= 50000 IOPS", "not-run", "at least" },
		{ "plain.seqread.seq_create <= 1000 IOPS", "failed", "32768" },
		{ "encrypted.seqread.seq_create >= 1 * plain.seqread.seq_create",
		  "not-run", "gave only a bound" },
		// nothing to judge by
		{ "plain.seqread.write >= 1 MB/s", "not-run", "gave no write" },
		{ "plain.bonnie.read >= 1 MB/s", "not-run", "bonnie on plain gave no" },
		{ "plain.seqread.read >= 1 ms", "not-run",
		  "read is in B/s, the limit in ms" },
		{ "plain.seqread.read >= 0.9 * baseline", "not-run", "no baseline" },
		{ "plain.seqread.read >= 0.9 * gone.seqread.read", "not-run",
		  "seqread on gone gave no read" },
		{ "rubbish", "not-run", "no criterion" },
		{ "a.b >= 1 MB/s", "not-run", "no criterion" },
		{ "", "not-run", "no criterion" },
	};
	_cleanup_json_ struct json_object *o = campaign();

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		expect(o, &rows[i], NULL);
}

static void arms_are_compared_block_by_block(void **state)
{
	_cleanup_json_ struct json_object *o = make_result(arms, 2, -1);
	static const double mb[] = { 100, 200, 400, 800 };
	const struct row row = { "encrypted.t.read >= 0.9 * plain.t.read", "passed",
				 "(3 runs)" };

	(void)state;
	// the machine gets faster; the encrypted arm lacks the last block, so that the
	// medians are 300 and 190, the ratio 0.95 in every block
	for (unsigned block = 1; block <= 4; block++)
		for (unsigned arm = 0; arm < 2; arm++)
			if (block < 4 || arm == 0)
				add_value(
					add_run(o, block, arms[arm], "t", OUTCOME_PASSED),
					"read", "B/s", BETTER_HIGHER, BOUND_EXACT,
					mb[block - 1] * (arm ? 0.95 : 1));
	expect(o, &row, NULL);
}

static void a_baseline_is_the_same_place_in_another_campaign(void **state)
{
	static const struct row rows[] = {
		{ "encrypted.seqread.read >= 1 * baseline", "passed", "limit 50.0 MB/s" },
		{ "encrypted.seqread.read > 1.1 * baseline", "failed",
		  "limit is 55.0 MB/s" },
		{ "encrypted.seqwrite.write >= 0.9 * baseline", "not-run", "gave no" },
	};
	_cleanup_json_ struct json_object *o = campaign(), *base = campaign();
	_cleanup_json_ struct json_object *empty = make_result(arms, 2, -1);
	const struct row none = { "plain.seqread.read >= 1 * baseline", "not-run",
				  "gave no read in the baseline" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		expect(o, &rows[i], base);
	expect(o, &none, empty);
}

static void what_does_not_count_is_no_data(void **state)
{
	_cleanup_json_ struct json_object *o = make_result(arms, 2, -1);
	struct json_object *gates = json_new_array(), *gate = json_new(), *run;
	static const struct row warm = { "plain.t.read >= 1 B/s", "not-run", "gave no" },
				hot = { "plain.t.read >= 1 B/s", "not-run",
					"counts: the CPU was throttled" };

	(void)state;
	run = add_run(o, 0, "plain", "t", OUTCOME_PASSED);
	add_value(run, "read", "B/s", BETTER_HIGHER, BOUND_EXACT, 5);
	json_set_bool(run, "counts", false);
	run = add_run(o, 1, "plain", "t", OUTCOME_FAILED);
	add_value(run, "read", "B/s", BETTER_HIGHER, BOUND_EXACT, 5);
	expect(o, &warm, NULL);
	run = add_run(o, 2, "plain", "t", OUTCOME_PASSED);
	add_value(run, "read", "B/s", BETTER_HIGHER, BOUND_EXACT, 5);
	json_set_str(gate, "name", "throttled");
	json_set_str(gate, "words", "the CPU was throttled 3 times");
	json_append(gates, gate);
	json_set(run, "gates", gates);
	expect(o, &hot, NULL);
}

static void the_whole_is_its_worst(void **state)
{
	static const char *const texts[] = { "plain.seqread.read >= 50 MB/s",
					     "plain.seqread.gone >= 50 MB/s",
					     "plain.seqread.read >= 150 MB/s" };
	static const struct {
		size_t n;
		enum outcome outcome;
		const char *why;
	} rows[] = {
		{ 0, OUTCOME_NOT_RUN, "0 of 0 criteria met" },
		{ 1, OUTCOME_PASSED, "1 of 1 criteria met" },
		{ 2, OUTCOME_NOT_RUN, "1 of 2 criteria met; plain.seqread.gone >= 50" },
		{ 3, OUTCOME_FAILED,
		  "1 of 3 criteria met; plain.seqread.read >= 150 MB/s: 100 MB/s, but" },
	};
	_cleanup_json_ struct json_object *o = campaign();

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_strbuf_ struct strbuf why = { 0 };
		struct json_object *lines = json_new_array(), *array;

		for (size_t k = 0; k < rows[i].n; k++)
			json_append_str(lines, texts[k]);
		json_set(json_get(o, "plan"), "accept", lines);
		array = accept_judge(o, NULL);
		assert_int_equal(accept_verdict(array, &why), rows[i].outcome);
		assert_non_null(strstr(strbuf_str(&why), rows[i].why));
		json_object_put(array);
	}
}

static void banners_fit_a_screen(void **state)
{
	(void)state;
	for (int o = OUTCOME_NOT_RUN; o <= OUTCOME_ABORTED; o++) {
		_cleanup_strbuf_ struct strbuf text = { 0 };
		size_t lines = 0, column = 0, marks = 0;

		report_banner(outcome_name((enum outcome)o), &text);
		for (size_t i = 0; i < text.len; i++) {
			assert_true(strchr("# \n", text.data[i]) != NULL);
			lines += text.data[i] == '\n';
			marks += text.data[i] == '#';
			column = text.data[i] == '\n' ? 0 : column + 1;
			assert_true(column < 80);
		}
		assert_int_equal(lines, 9);
		assert_true(marks > 60); // every letter has a shape
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_judged),
		cmocka_unit_test(arms_are_compared_block_by_block),
		cmocka_unit_test(a_baseline_is_the_same_place_in_another_campaign),
		cmocka_unit_test(what_does_not_count_is_no_data),
		cmocka_unit_test(the_whole_is_its_worst),
		cmocka_unit_test(banners_fit_a_screen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
