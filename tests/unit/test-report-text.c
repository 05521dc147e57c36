// SPDX-License-Identifier: GPL-3.0-or-later
// Reports of documents made by hand, compared with kept texts.
#include "unit.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "common/number.h"
#include "report/report.h"
#include "result/metric.h"

#define DATA "tests/data/report/"

static struct json_object *load(const char *name)
{
	_cleanup_free_ char *path = mem_printf(DATA "%s", name);
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct err err = { 0 };
	struct json_object *o;

	assert_int_equal(io_read_file(path, &text, 1 << 20), 0);
	o = json_parse_text(text.data, text.len, &err);
	assert_string_equal(err.text, "");
	return o;
}

static void assert_is_file(const struct strbuf *got, const char *name)
{
	_cleanup_free_ char *path = mem_printf(DATA "%s", name);
	_cleanup_strbuf_ struct strbuf wanted = { 0 };

	assert_int_equal(io_read_file(path, &wanted, 1 << 20), 0);
	assert_string_equal(strbuf_str(got), strbuf_str(&wanted));
}

static void assert_plain(const struct strbuf *text)
{
	size_t column = 0;

	for (size_t i = 0; i < text->len; i++) {
		char c = text->data[i];

		assert_true(c == '\n' || (c >= ' ' && c <= '~'));
		column = c == '\n' ? 0 : column + 1;
		assert_true(column <= 80);
	}
}

static void reports_are_as_kept(void **state)
{
	static const char *const names[] = { "two-arms", "failed", "many-arms", "cost" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		_cleanup_free_ char *json = mem_printf("%s.json", names[i]);
		_cleanup_free_ char *txt = mem_printf("%s.txt", names[i]);
		_cleanup_json_ struct json_object *o = load(json);
		_cleanup_strbuf_ struct strbuf text = { 0 };

		report_text(o, &text);
		if (getenv("ASSAY_KEEP")) { // writes the kept texts anew, for a look
			_cleanup_free_ char *path = mem_printf(DATA "%s", txt);

			io_replace_file(path, text.data, text.len);
		}
		assert_plain(&text);
		assert_is_file(&text, txt);
	}
}

static void any_document_gives_a_report(void **state)
{
	static const char *const documents[] = {
		"{}",
		"[]",
		"null",
		"\"x\"",
		"{\"runs\":{},\"plan\":[],\"devices\":3,\"machine\":[],\"boot\":[]}",
		"{\"runs\":[null,1,\"a\",{}],\"stacks\":[null],\"warnings\":[null,{}]}",
		"{\"runs\":[{\"outcome\":\"passed\",\"arm\":1,\"test\":\"t\",\"metrics\":"
		"[{\"name\":\"m\"},{\"value\":3},null]}]}",
		"{\"verdict\":\"Success\",\"machine_id\":\"\\u00e9\\u0007\"}",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(documents); i++) {
		_cleanup_json_ struct json_object *o =
			json_parse_text(documents[i], strlen(documents[i]), NULL);
		_cleanup_strbuf_ struct strbuf text = { 0 };

		report_text(o, &text);
		assert_plain(&text);
		assert_int_equal(strncmp(text.data, "NOT RUN  ", 9), 0);
		report_bonnie_csv(o, &text);
	}
}

// One field of the published line as a metric, the way the engine records it.
static void add_field(struct metric_list *list, const char *name, double unit,
		      const char *value, const char *cpu)
{
	_cleanup_free_ char *cpu_name = mem_printf("%s_cpu", name);
	double v;

	if (strcmp(value, "+++++") == 0) {
		metric_add(list, name, unit > 1 ? "B/s" : "1/s", BETTER_HIGHER,
			   BOUND_AT_LEAST, 32768);
		return;
	}
	if (*value) {
		assert_int_equal(number_double(value, &v), 0);
		metric_add(list, name, unit > 1 ? "B/s" : "1/s", BETTER_HIGHER,
			   BOUND_EXACT, v * unit);
	}
	if (*cpu) {
		assert_int_equal(number_double(cpu, &v), 0);
		metric_add(list, cpu_name, "%", BETTER_NEITHER, BOUND_EXACT, v);
	}
}

static struct json_object *result_of_line(char *line, const char *arm)
{
	static const char *const names[] = { "putc",       "put_block", "rewrite",
					     "getc",       "get_block", "seeks",
					     "seq_create", "seq_stat",  "seq_del",
					     "ran_create", "ran_stat",  "ran_del" };
	struct json_object *result = json_new(), *runs = json_new_array();
	struct json_object *run = json_new(), *detail = json_new();
	struct metric_list list = { 0 };
	const char *f[27];
	size_t n = 0;
	uint64_t size;

	for (char *p = line; p && n < 27; n++)
		f[n] = strsep(&p, ",");
	assert_int_equal(n, 27);
	for (size_t i = 0; i < 12; i++) {
		size_t at = i < 6 ? 2 + 2 * i : 3 + 2 * i;

		add_field(&list, names[i], i < 5 ? 1024 : 1, f[at], f[at + 1]);
	}
	assert_int_equal(number_size(f[1], &size), 0);
	json_set_uint(detail, "file_size", size);
	json_set_str(detail, "num_files", f[14]);
	json_set_str(run, "engine", "bonnie");
	json_set_str(run, "outcome", "passed");
	json_set_str(run, "arm", arm);
	json_set(run, "detail", detail);
	json_set(run, "metrics", metric_json(&list));
	json_append(runs, run);
	json_set(result, "runs", runs);
	json_set_str(result, "machine_id", f[0]);
	metric_list_done(&list);
	return result;
}

static void published_lines_come_back(void **state)
{
	_cleanup_strbuf_ struct strbuf all = { 0 }, made = { 0 };
	char *save = NULL;
	size_t n = 0;

	(void)state;
	assert_int_equal(io_read_file(DATA "published-bonnie-1.03.csv", &all, 1 << 16),
			 0);
	for (char *line = strtok_r(strdupa(all.data), "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save), n++) {
		_cleanup_json_ struct json_object *o = result_of_line(line, NULL);

		report_bonnie_csv(o, &made);
	}
	assert_int_equal(n, 12);
	assert_string_equal(made.data, all.data);
}

static void absent_is_empty(void **state)
{
	static const char json[] =
		"{\"machine_id\":\"box\",\"runs\":["
		"{\"engine\":\"fio\",\"outcome\":\"passed\"},"
		"{\"engine\":\"bonnie\",\"outcome\":\"failed\"},"
		"{\"engine\":\"bonnie\",\"outcome\":\"passed\",\"arm\":\"a,b\","
		"\"detail\":{\"file_size\":\"1G:64k\"},\"metrics\":["
		"{\"name\":\"put_block\",\"unit\":\"B/s\",\"value\":2047},"
		"{\"name\":\"seeks\",\"unit\":\"1/s\",\"value\":99.96},"
		"{\"name\":\"seeks_cpu\",\"unit\":\"%\",\"value\":120.9}]}]}";
	_cleanup_json_ struct json_object *o = json_parse_text(json, strlen(json), NULL);
	_cleanup_strbuf_ struct strbuf made = { 0 };

	(void)state;
	report_bonnie_csv(o, &made);
	assert_string_equal(made.data,
			    "box-a_b,1G:64k,,,1,,,,,,,,100.0,120,,,,,,,,,,,,,\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reports_are_as_kept),
		cmocka_unit_test(any_document_gives_a_report),
		cmocka_unit_test(published_lines_come_back),
		cmocka_unit_test(absent_is_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
