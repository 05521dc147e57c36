// SPDX-License-Identifier: GPL-3.0-or-later
// Many campaigns: siblings, the one that is unlike them, what changed since a baseline.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "common/json.h"
#include "common/mem.h"
#include "report/fleet-private.h"

// A campaign of one arm and one test with three runs near a rate.
static struct json_object *campaign(unsigned machine, const char *when, double rate,
				    const char *verdict)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct json_object *o;

	strbuf_printf(&text,
		      "{\"machine_id\":\"m%02u\",\"path\":\"assay/m%02u/%s\","
		      "\"plan_name\":\"p\",\"verdict\":\"%s\",\"why\":%s,"
		      "\"plan\":{\"targets\":[\"serial:S2\"]},\"devices\":["
		      "{\"kind\":\"disk\",\"serial\":\"S1\",\"model\":\"stick\"},"
		      "{\"kind\":\"disk\",\"serial\":\"S2\",\"model\":\"big disk\"}],"
		      "\"runs\":[",
		      machine, machine, when, verdict,
		      strcmp(verdict, "passed") == 0 ? "null" : "\"it broke\"");
	for (int block = 1; block <= 3; block++)
		strbuf_printf(
			&text,
			"%s{\"kind\":\"run\",\"block\":%d,\"arm\":\"a\",\"test\":"
			"\"t\",\"outcome\":\"passed\",\"metrics\":[{\"name\":\"read\","
			"\"unit\":\"B/s\",\"better\":\"higher\",\"bound\":\"exact\","
			"\"value\":%.0f}]}",
			block > 1 ? "," : "", block, rate * (1 + 0.001 * block));
	strbuf_puts(&text, "]}");
	o = json_parse_text(text.data, text.len, NULL);
	assert_non_null(o);
	return o;
}

static void take(struct fleet *f, unsigned machine, const char *when, double rate,
		 bool baseline)
{
	_cleanup_json_ struct json_object *o = campaign(machine, when, rate, "passed");

	fleet_take(f, when, o, baseline);
}

static void collect(void *arg, const char *data, size_t len)
{
	strbuf_add(arg, data, len);
}

static struct fleet *rack(void)
{
	struct fleet *f = fleet_new();

	for (unsigned i = 1; i <= 40; i++) // within 1 %, but for one
		take(f, i, "2026",
		     i == 17 ? 69e6 : 100e6 * (1 + 0.01 * ((int)(i % 5) - 2) / 2), false);
	return f;
}

static void the_slow_one_is_named(void **state)
{
	_cleanup_strbuf_ struct strbuf text = { 0 }, page = { 0 };
	struct fleet *f = rack();

	(void)state;
	fleet_judge(f);
	assert_int_equal(f->n_far, 1);
	assert_string_equal(f->campaigns[f->far[0].campaign].machine, "m17");
	assert_true(f->far[0].slower);
	assert_string_equal(f->groups[0], "p, big disk");
	assert_int_equal(f->keys[0].siblings, 40);
	fleet_text(f, collect, &text);
	assert_non_null(strstr(text.data, "31 % slower than its 39 siblings"));
	for (char *line = strtok(text.data, "\n"); line; line = strtok(NULL, "\n"))
		assert_true(strlen(line) <= 80);
	fleet_html(f, collect, &page);
	assert_non_null(strstr(page.data, "<title>m17: -31 %</title>"));
	fleet_free(f);
}

static void few_have_no_outlier(void **state)
{
	struct fleet *f = fleet_new();

	(void)state;
	for (unsigned i = 1; i <= 5; i++)
		take(f, i, "2026", i == 1 ? 10e6 : 100e6, false);
	fleet_judge(f);
	assert_int_equal(f->n_far, 0);
	fleet_free(f);
}

static void the_last_of_a_machine_counts(void **state)
{
	struct fleet *f = fleet_new();

	(void)state;
	take(f, 1, "2026-b", 100e6, false);
	take(f, 1, "2026-a", 50e6, false);
	take(f, 1, "2026-b", 100e6, false); // found again by another path
	fleet_judge(f);
	assert_int_equal(f->keys[0].siblings, 1);
	assert_true(fabs(f->keys[0].median - 100.2e6) < 100);
	assert_int_equal(f->twice, 1);
	fleet_free(f);
}

static void failed_ones_are_told_but_do_not_count(void **state)
{
	_cleanup_json_ struct json_object *o = campaign(99, "2026", 1e6, "failed");
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct fleet *f = rack();

	(void)state;
	fleet_take(f, "x", o, false);
	fleet_judge(f);
	assert_int_equal(f->keys[0].siblings, 40);
	fleet_text(f, collect, &text);
	assert_non_null(strstr(text.data, "1 failed"));
	assert_non_null(strstr(text.data, "it broke"));
	fleet_free(f);
}

static void changes_since_a_baseline(void **state)
{
	_cleanup_strbuf_ struct strbuf text = { 0 }, page = { 0 };
	struct fleet *f = rack();

	(void)state;
	for (unsigned i = 1; i <= 40; i++) // machine 3 has lost a fifth since
		take(f, i, "2025",
		     (i == 3 ? 1.25 : 1.0) *
			     (i == 17 ? 69e6
				      : 100e6 * (1 + 0.01 * ((int)(i % 5) - 2) / 2)),
		     true);
	fleet_judge(f);
	assert_int_equal(f->keys[0].siblings, 40);
	assert_int_equal(f->compared, 40);
	assert_int_equal(f->n_changed, 1);
	fleet_text(f, collect, &text);
	assert_non_null(strstr(text.data, "40 numbers compared, 1 changed"));
	assert_non_null(strstr(text.data, "m03: 20 % slower in t.read of a"));
	fleet_html(f, collect, &page);
	assert_non_null(strstr(page.data, "Since the baseline"));
	fleet_free(f);
}

static void many_keys_are_found_again(void **state)
{
	struct fleet *f = fleet_new();
	struct json_object *o = campaign(1, "2026", 1e6, "passed");
	struct json_object *runs = json_get(o, "runs");

	(void)state;
	for (int i = 0; i < 2000; i++) {
		_cleanup_free_ char *text = mem_printf(
			"{\"arm\":\"a%d\",\"test\":\"t\",\"outcome\":\"passed\","
			"\"metrics\":[{\"name\":\"m\",\"unit\":\"s\",\"better\":"
			"\"lower\","
			"\"value\":1}]}",
			i);

		json_append(runs, json_parse_text(text, strlen(text), NULL));
	}
	fleet_take(f, "1", o, false);
	fleet_take(f, "2", o, false);
	assert_int_equal(f->n_keys, 2001);
	for (size_t i = 0; i < f->n_keys; i++)
		assert_int_equal(f->keys[i].n, 2);
	json_object_put(o);
	fleet_free(f);
}

static void what_cannot_be_read_is_told(void **state)
{
	struct fault_list faults = { 0 };
	struct fleet *f = fleet_new();

	(void)state;
	fleet_add(f, "tests/data/report/two-arms.json", false, &faults);
	assert_int_equal(faults.n, 0);
	assert_int_equal(fleet_campaigns(f), 1);
	fleet_add(f, "tests/data/report/two-arms.txt", false, &faults);
	fleet_add(f, "tests/data/no-such-folder", false, &faults);
	assert_int_equal(faults.n, 2);
	assert_non_null(strstr(faults.items[0].text, "two-arms.txt"));
	fault_done(&faults);
	fleet_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_slow_one_is_named),
		cmocka_unit_test(few_have_no_outlier),
		cmocka_unit_test(the_last_of_a_machine_counts),
		cmocka_unit_test(failed_ones_are_told_but_do_not_count),
		cmocka_unit_test(changes_since_a_baseline),
		cmocka_unit_test(many_keys_are_found_again),
		cmocka_unit_test(what_cannot_be_read_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
