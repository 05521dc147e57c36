// SPDX-License-Identifier: GPL-3.0-or-later
// What a campaign's numbers come to: every verdict, every reason.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "campaign-data.h"
#include "common/mem.h"
#include "result/comparison.h"

static const char *const two[] = { "plain", "encrypted" };

// What a little noise does to the value of a block, the same in each call.
static double wobble(unsigned block, unsigned salt)
{
	return 1 + 0.01 * sin(block * 2.4 + salt * 1.7);
}

static void rate(struct json_object *result, unsigned block, const char *arm,
		 enum metric_bound bound, double value)
{
	add_value(add_run(result, block, arm, "seqread", OUTCOME_PASSED), "read", "B/s",
		  BETTER_HIGHER, bound, value);
}

// `n` blocks of two arms, the second at `ratio`.
static struct json_object *campaign_of(unsigned n, double ratio)
{
	struct json_object *o = make_result(two, 2, -1);

	for (unsigned block = 1; block <= n; block++) {
		rate(o, block, "plain", BOUND_EXACT, 1e8 * wobble(block, 0));
		rate(o, block, "encrypted", BOUND_EXACT, ratio * 1e8 * wobble(block, 1));
	}
	return o;
}

static void expect_text(const struct comparison *c, const char *part)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };

	comparison_sentence(c, &text);
	if (!strstr(strbuf_str(&text), part))
		fail_msg("\"%s\" lacks \"%s\"", strbuf_str(&text), part);
}

// Makes the comparisons of a document and puts it.
static struct comparison_list compare(struct json_object *result)
{
	struct comparison_list list;

	comparison_make(&list, result);
	json_object_put(result);
	return list;
}

static void verdicts(void **state)
{
	static const struct {
		unsigned n;
		double ratio;
		enum comparison_verdict verdict;
		const char *text;
	} rows[] = {
		{ 8, 0.88, COMPARISON_SLOWER,
		  "encrypted is 12 % slower than plain in seqread.read (95 % CI 11 to 13 "
		  "%, 8 blocks), 1.14 times the time" },
		{ 8, 1.25, COMPARISON_FASTER,
		  "encrypted is 25 % faster than plain in seqread.read (95 % CI 24 to 26 "
		  "%, 8 blocks), 0.80 times the time" },
		{ 8, 1.0, COMPARISON_EQUIVALENT,
		  "encrypted equals plain within 3 % in seqread.read (change " },
		{ 5, 0.5, COMPARISON_INCONCLUSIVE, "5 blocks; 6 or more are needed" },
		{ 1, 0.5, COMPARISON_INCONCLUSIVE,
		  "no finding in seqread.read: 1 block; 6 or more are needed (change -51 "
		  "%)" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct comparison_list list =
			compare(campaign_of(rows[i].n, rows[i].ratio));

		assert_int_equal(list.n, 1);
		assert_int_equal(list.items[0].verdict, rows[i].verdict);
		assert_int_equal(list.items[0].blocks, rows[i].n);
		expect_text(&list.items[0], rows[i].text);
		comparison_list_done(&list);
	}
}

static void numbers_are_those_of_the_formulas(void **state)
{
	struct json_object *o = make_result(two, 2, -1);
	// log ratios 0.1 and 0.3: mean 0.2, sd 0.1414, t[1, .975] = 12.7062
	struct comparison_list list;

	(void)state;
	rate(o, 1, "plain", BOUND_EXACT, 100);
	rate(o, 1, "encrypted", BOUND_EXACT, 100 * exp(0.1));
	rate(o, 2, "plain", BOUND_EXACT, 50);
	rate(o, 2, "encrypted", BOUND_EXACT, 50 * exp(0.3));
	list = compare(o);
	assert_true(fabs(list.items[0].ratio - exp(0.2)) < 1e-12);
	assert_true(fabs(list.items[0].high - 100 * expm1(0.2 + 1.270620)) < 1e-3);
	assert_true(fabs(list.items[0].low - 100 * expm1(0.2 - 1.270620)) < 1e-3);
	assert_true(list.items[0].p == 0.5);
	comparison_list_done(&list);
}

static void wide_noise_is_no_finding(void **state)
{
	struct json_object *o = make_result(two, 2, -1);
	struct comparison_list list;

	(void)state;
	for (unsigned block = 1; block <= 8; block++) {
		rate(o, block, "plain", BOUND_EXACT, 1e8);
		rate(o, block, "encrypted", BOUND_EXACT, 1e8 * (block % 2 ? 1.2 : 0.82));
	}
	list = compare(o);
	assert_int_equal(list.items[0].verdict, COMPARISON_INCONCLUSIVE);
	assert_true(list.items[0].need > 100);
	expect_text(&list.items[0], "the noise is larger than the difference");
	expect_text(&list.items[0], "blocks would decide about 3 %");
	comparison_list_done(&list);
}

static void time_and_other_units(void **state)
{
	struct json_object *o = make_result(two, 2, -1);
	struct comparison_list list;

	(void)state;
	for (unsigned block = 1; block <= 8; block++)
		for (unsigned arm = 0; arm < 2; arm++) {
			struct json_object *run =
				add_run(o, block, two[arm], "seqread", OUTCOME_PASSED);
			double w = wobble(block, arm) * (1 + 0.5 * arm);

			add_value(run, "lat", "s", BETTER_LOWER, BOUND_EXACT, 0.004 * w);
			add_value(run, "cpu", "s/GiB", BETTER_LOWER, BOUND_EXACT, 2 * w);
			add_value(run, "cpu_percent", "%", BETTER_NEITHER, BOUND_EXACT,
				  8);
		}
	list = compare(o);
	assert_int_equal(list.n, 2); // what is neither better nor worse is not judged
	assert_int_equal(list.items[0].verdict, COMPARISON_SLOWER);
	expect_text(&list.items[0], "encrypted is 50 % slower than plain in seqread.lat");
	expect_text(&list.items[0], "1.50 times the time");
	assert_int_equal(list.items[1].verdict, COMPARISON_SLOWER);
	expect_text(&list.items[1], "encrypted is 50 % more than plain in seqread.cpu");
	comparison_list_done(&list);
}

static void null_arm_is_the_noise_floor(void **state)
{
	static const char *const arms[] = { "plain", "plain-null", "encrypted" };
	struct json_object *o = make_result(arms, 3, 1);
	struct comparison_list list;

	(void)state;
	for (unsigned block = 1; block <= 8; block++)
		for (unsigned arm = 0; arm < 3; arm++)
			rate(o, block, arms[arm], BOUND_EXACT,
			     1e8 * wobble(block, arm) * (arm == 2 ? 0.88 : 1));
	list = compare(o);
	assert_int_equal(list.n, 2);
	assert_true(list.items[0].null && !list.items[1].null);
	assert_true(list.items[1].noise_floor > 0.1 && list.items[1].noise_floor < 2);
	assert_true(list.items[1].noise_floor ==
		    (list.items[0].high - list.items[0].low) / 2);
	expect_text(&list.items[1], "; noise floor ");
	comparison_list_done(&list);
	list = compare(campaign_of(8, 0.88));
	assert_true(isnan(list.items[0].noise_floor));
	comparison_list_done(&list);
}

static void what_does_not_count_is_left_out(void **state)
{
	struct json_object *o = campaign_of(8, 0.88), *run;
	struct comparison_list list;

	(void)state;
	for (unsigned arm = 0; arm < 2; arm++) { // a cold first block
		run = add_run(o, 0, two[arm], "seqread", OUTCOME_PASSED);
		add_value(run, "read", "B/s", BETTER_HIGHER, BOUND_EXACT, 1);
		json_set_bool(run, "counts", false);
		assert_false(comparison_counts(run));
		run = add_run(o, 9, two[arm], "seqread", OUTCOME_FAILED);
		add_value(run, "read", "B/s", BETTER_HIGHER, BOUND_EXACT, 1);
	}
	rate(o, 10, "plain", BOUND_EXACT, 1e8); // the other arm died in that block
	list = compare(o);
	assert_int_equal(list.items[0].blocks, 8);
	assert_int_equal(list.items[0].n_points, 8);
	assert_int_equal(list.items[0].verdict, COMPARISON_SLOWER);
	comparison_list_done(&list);
}

static void bounds_are_carried(void **state)
{
	static const struct {
		enum metric_bound a, b;
		double ratio; // of b
		enum comparison_verdict verdict;
		enum metric_bound bound;
		const char *text;
	} rows[] = {
		{ BOUND_AT_LEAST, BOUND_EXACT, 0.15, COMPARISON_SLOWER, BOUND_AT_MOST,
		  "encrypted is at least 85 % slower than plain" },
		{ BOUND_EXACT, BOUND_AT_LEAST, 3, COMPARISON_FASTER, BOUND_AT_LEAST,
		  "encrypted is at least 200 % faster than plain" },
		{ BOUND_EXACT, BOUND_AT_LEAST, 0.5, COMPARISON_INCONCLUSIVE,
		  BOUND_AT_LEAST, "bounds on the side where the difference would be" },
		{ BOUND_EXACT, BOUND_AT_LEAST, 1, COMPARISON_INCONCLUSIVE, BOUND_AT_LEAST,
		  "no finding" },
		{ BOUND_AT_LEAST, BOUND_AT_LEAST, 1, COMPARISON_NOT_COMPARABLE,
		  BOUND_EXACT, "both arms gave only bounds" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct json_object *o = make_result(two, 2, -1);
		struct comparison_list list;

		for (unsigned block = 1; block <= 8; block++) {
			rate(o, block, "plain", rows[i].a, 1e8 * wobble(block, 0));
			rate(o, block, "encrypted", rows[i].b,
			     rows[i].ratio * 1e8 * wobble(block, 1));
		}
		list = compare(o);
		assert_int_equal(list.items[0].verdict, rows[i].verdict);
		assert_int_equal(list.items[0].bound, rows[i].bound);
		expect_text(&list.items[0], rows[i].text);
		comparison_list_done(&list);
	}
}

static void what_cannot_be_compared_says_why(void **state)
{
	struct json_object *o = make_result(two, 2, -1), *run;
	struct comparison_list list;

	(void)state;
	rate(o, 1, "plain", BOUND_EXACT, 1e8);
	run = add_run(o, 1, "encrypted", "seqread", OUTCOME_FAILED);
	json_set_str(run, "why", "fio died");
	list = compare(o);
	assert_int_equal(list.items[0].verdict, COMPARISON_NOT_COMPARABLE);
	expect_text(&list.items[0],
		    "encrypted and plain cannot be compared in seqread.read: encrypted "
		    "has no result: fio died");
	comparison_list_done(&list);

	o = make_result(two, 2, -1); // Hermann's 432 MB against 464 MB
	for (unsigned arm = 0; arm < 2; arm++) {
		struct json_object *detail = json_new();

		run = add_run(o, 1, two[arm], "bonnie", OUTCOME_PASSED);
		add_value(run, "put_block", "B/s", BETTER_HIGHER, BOUND_EXACT, 1e7);
		json_set_str(detail, "file_size", arm ? "464M" : "432M");
		json_set(run, "detail", detail);
	}
	list = compare(o);
	assert_int_equal(list.items[0].verdict, COMPARISON_NOT_COMPARABLE);
	expect_text(&list.items[0], "different work: file_size 432M and 464M");
	comparison_list_done(&list);

	o = make_result(two, 2, -1);
	rate(o, 1, "plain", BOUND_EXACT, 0);
	rate(o, 1, "encrypted", BOUND_EXACT, 1);
	list = compare(o);
	expect_text(&list.items[0], "a value is 0 or less");
	comparison_list_done(&list);
}

static void outliers_are_flagged_and_stay(void **state)
{
	struct json_object *o = campaign_of(12, 0.9);
	struct comparison_list list;

	(void)state;
	rate(o, 13, "plain", BOUND_EXACT, 1e8);
	rate(o, 13, "encrypted", BOUND_EXACT, 2e7);
	list = compare(o);
	assert_int_equal(list.items[0].blocks, 13);
	assert_int_equal(list.items[0].outliers, 1);
	assert_true(list.items[0].points[12].outlier);
	assert_true(list.items[0].change < -15); // it still counts
	expect_text(&list.items[0], "1 outlier");
	comparison_list_done(&list);
}

static void drift_is_seen_and_cancels(void **state)
{
	struct json_object *o = make_result(two, 2, -1);
	struct comparison_list list;

	(void)state;
	for (unsigned block = 1; block <= 8; block++) {
		double slow = exp(-0.02 * block);

		rate(o, block, "plain", BOUND_EXACT, 1e8 * slow * wobble(block, 0));
		rate(o, block, "encrypted", BOUND_EXACT, 1e8 * slow * wobble(block, 1));
	}
	list = compare(o);
	assert_true(fabs(list.items[0].drift - 100 * expm1(-0.14)) < 1);
	assert_int_equal(list.items[0].verdict, COMPARISON_EQUIVALENT);
	comparison_list_done(&list);
}

static void json_goes_both_ways(void **state)
{
	static const char *const arms[] = { "plain", "plain-null", "encrypted" };
	struct json_object *o = make_result(arms, 3, 1);
	_cleanup_json_ struct json_object *one = NULL, *other = NULL;
	struct comparison_list list, again;

	(void)state;
	for (unsigned block = 1; block <= 8; block++)
		for (unsigned arm = 0; arm < 3; arm++)
			rate(o, block, arms[arm],
			     arm == 2 && block == 3 ? BOUND_AT_LEAST : BOUND_EXACT,
			     1e8 * wobble(block, arm));
	list = compare(o);
	one = comparison_json(&list);
	assert_null(strstr(json_line(one), "NaN"));
	comparison_parse(&again, one);
	assert_int_equal(again.n, 2);
	other = comparison_json(&again);
	assert_string_equal(json_line(one), json_line(other));
	assert_string_equal(again.items[1].unit, "B/s");
	comparison_list_done(&list);
	comparison_list_done(&again);
	comparison_parse(&again, NULL);
	assert_int_equal(again.n, 0);
	comparison_list_done(&again);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdicts),
		cmocka_unit_test(numbers_are_those_of_the_formulas),
		cmocka_unit_test(wide_noise_is_no_finding),
		cmocka_unit_test(time_and_other_units),
		cmocka_unit_test(null_arm_is_the_noise_floor),
		cmocka_unit_test(what_does_not_count_is_left_out),
		cmocka_unit_test(bounds_are_carried),
		cmocka_unit_test(what_cannot_be_compared_says_why),
		cmocka_unit_test(outliers_are_flagged_and_stay),
		cmocka_unit_test(drift_is_seen_and_cancels),
		cmocka_unit_test(json_goes_both_ways),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
