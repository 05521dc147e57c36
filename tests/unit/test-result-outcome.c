// SPDX-License-Identifier: GPL-3.0-or-later
// Outcomes, metrics and the lines of records.jsonl.
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "result/metric.h"
#include "result/outcome.h"
#include "result/record.h"
#include "unit.h"

static void names_go_both_ways(void **state)
{
	(void)state;
	for (int o = OUTCOME_NOT_RUN; o <= OUTCOME_ABORTED; o++)
		assert_int_equal(outcome_parse(outcome_name((enum outcome)o)), o);
	assert_string_equal(outcome_name(OUTCOME_NOT_RUN), "not-run");
	assert_int_equal(outcome_parse("Success"), OUTCOME_NOT_RUN);
	assert_int_equal(outcome_parse(NULL), OUTCOME_NOT_RUN);
	assert_string_equal(outcome_name((enum outcome)99), "not-run");
}

static void worse_is_a_total_order(void **state)
{
	static const enum outcome best_first[] = { OUTCOME_PASSED, OUTCOME_SKIPPED,
						   OUTCOME_NOT_RUN, OUTCOME_ABORTED,
						   OUTCOME_FAILED };

	(void)state;
	for (size_t i = 0; i < 5; i++)
		for (size_t k = 0; k < 5; k++)
			assert_int_equal(outcome_worse(best_first[i], best_first[k]),
					 best_first[i > k ? i : k]);
}

static void metrics_survive_json(void **state)
{
	struct metric_list list = { 0 }, again = { 0 };
	_cleanup_json_ struct json_object *json = NULL;
	const char *text;

	(void)state;
	metric_add(&list, "put_block", "B/s", BETTER_HIGHER, BOUND_EXACT, 21831 * 1024.0);
	metric_add(&list, "seq_stat", "1/s", BETTER_HIGHER, BOUND_AT_LEAST, 32768);
	metric_add(&list, "p99", "s", BETTER_LOWER, BOUND_AT_MOST, 0.1);
	metric_add(&list, "odd", "furlong", BETTER_NEITHER, BOUND_EXACT, 0);
	metric_add(&list, "none", "s", BETTER_LOWER, BOUND_EXACT, NAN);
	assert_int_equal(list.n, 4); // no number is no metric
	json = metric_json(&list);
	text = json_line(json);
	assert_non_null(strstr(text,
			       "{\"name\":\"seq_stat\",\"unit\":\"1/s\",\"better\":"
			       "\"higher\",\"bound\":\"at-least\",\"value\":32768.0}"));
	metric_parse(&again, json);
	assert_int_equal(again.n, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_string_equal(again.items[i].name, list.items[i].name);
		assert_string_equal(again.items[i].unit, list.items[i].unit);
		assert_int_equal(again.items[i].better, list.items[i].better);
		assert_int_equal(again.items[i].bound, list.items[i].bound);
		assert_true(again.items[i].value == list.items[i].value);
	}
	assert_null(metric_find(&again, "none"));
	assert_ptr_equal(metric_find(&again, "odd"), &again.items[3]);
	metric_list_done(&list);
	metric_list_done(&again);
}

static void metrics_read_well(void **state)
{
	static const struct {
		const char *unit;
		enum metric_bound bound;
		double value;
		const char *text;
	} rows[] = {
		{ "B/s", BOUND_EXACT, 21.8e6, "21.8 MB/s" },
		{ "1/s", BOUND_AT_LEAST, 32768, ">= 32768 /s" },
		{ "1/s", BOUND_EXACT, 148.8, "148.8 /s" },
		{ "s", BOUND_AT_MOST, 0.0041, "<= 4.1 ms" },
		{ "B", BOUND_EXACT, 512e6, "512 MB" },
		{ "%", BOUND_EXACT, 120, "120 %" },
		{ "B/s", BOUND_EXACT, 0, "0 B/s" },
		{ "", BOUND_EXACT, -1.5, "-1.50" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct metric m = { .unit = rows[i].unit,
				    .bound = rows[i].bound,
				    .value = rows[i].value };
		_cleanup_strbuf_ struct strbuf text = { 0 };

		metric_format(&m, &text);
		assert_string_equal(text.data, rows[i].text);
	}
}

static void make_line(struct strbuf *to)
{
	_cleanup_json_ struct json_object *o = json_new();

	json_set_str(o, "kind", "run");
	json_set_str(o, "why",
		     "Gr\xc3\xb6\xc3\x9f"
		     "e \xff, \"a\"\nb");
	record_line(to, o, "0a1b2c3d", 7, UINT64_C(81250000000));
}

static void record_lines_are_whole(void **state)
{
	_cleanup_strbuf_ struct strbuf line = { 0 };
	_cleanup_json_ struct json_object *o = NULL;

	(void)state;
	make_line(&line);
	assert_string_equal(line.data,
			    "{\"kind\":\"run\",\"why\":\"Gr\xc3\xb6\xc3\x9f"
			    "e ?, \\\"a\\\"\\nb\",\"run_id\":\"0a1b2c3d\",\"seq\":7,"
			    "\"t\":81.250000,\"crc\":\"b4b159a0\"}\n");
	assert_int_equal(record_check_line(line.data, line.len), 0);
	assert_int_equal(record_check_line(line.data, line.len - 1), 0);
	o = record_parse_line(line.data, line.len);
	assert_int_equal(json_get_int(o, "seq", -1), 7);
	assert_true(json_get_double(o, "t", 0) == 81.25);
}

static void damaged_records_are_seen(void **state)
{
	_cleanup_strbuf_ struct strbuf line = { 0 };

	(void)state;
	make_line(&line);
	line.len--; // the "\n" is not part of it
	for (size_t i = 0; i < line.len; i++) {
		line.data[i] ^= 0x20;
		assert_int_equal(record_check_line(line.data, line.len), -EBADMSG);
		line.data[i] ^= 0x20;
		assert_int_equal(record_check_line(line.data, i), -EBADMSG);
	}
	assert_int_equal(record_check_line(line.data, line.len), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_go_both_ways),
		cmocka_unit_test(worse_is_a_total_order),
		cmocka_unit_test(metrics_survive_json),
		cmocka_unit_test(metrics_read_well),
		cmocka_unit_test(record_lines_are_whole),
		cmocka_unit_test(damaged_records_are_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
