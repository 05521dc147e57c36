// SPDX-License-Identifier: GPL-3.0-or-later
// The page: any document gives a whole one, and what documents say is only text in it.
// tests/report/ looks at it with validators and a browser.
#include "unit.h"

#include <string.h>

#include "common/io.h"
#include "common/json.h"
#include "report/arms.h"
#include "report/html.h"
#include "report/markup.h"

struct piece {
	struct strbuf all;
	size_t longest;
};

static void collect(void *arg, const char *data, size_t len)
{
	struct piece *p = arg;

	strbuf_add(&p->all, data, len);
	p->longest = len > p->longest ? len : p->longest;
}

static void any_document_gives_a_page(void **state)
{
	static const char *const documents[] = {
		"{}",
		"[]",
		"null",
		"\"x\"",
		"{\"runs\":{},\"plan\":[],\"devices\":3,\"machine\":[],\"comparisons\":{}"
		"}",
		"{\"runs\":[null,1,\"a\",{}],\"stacks\":[null],\"warnings\":[null,{}],"
		"\"comparisons\":[null,1,{},{\"points\":[null,{}]}]}",
		"{\"runs\":[{\"outcome\":\"passed\",\"engine\":\"bonnie\",\"metrics\":"
		"[{\"name\":\"putc\",\"value\":-1},{\"value\":3},null]}]}",
		"{\"plan\":{\"arms\":[{\"layers\":[null]},{\"layers\":[1,{}]}]}}",
		"{\"runs\":[{\"outcome\":\"passed\",\"test\":\"t\",\"arm\":\"a\","
		"\"detail\":"
		"{\"fio\":{\"latency_us\":{\"x\":1,\">=\":2,\"2\":\"many\"}}}}]}",
		"{\"verdict\":\"Success\",\"machine_id\":\"\\u00e9\\u0007<script>\"}",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(documents); i++) {
		_cleanup_json_ struct json_object *o =
			json_parse_text(documents[i], strlen(documents[i]), NULL);
		struct piece p = { 0 };

		report_html(o, collect, &p);
		assert_int_equal(strncmp(p.all.data, "<!DOCTYPE html>", 15), 0);
		assert_string_equal(p.all.data + p.all.len - 8, "</html>\n");
		assert_null(strstr(p.all.data, "<script"));
		assert_null(strstr(p.all.data, "nan"));
		strbuf_done(&p.all);
	}
}

// A page of many runs is written in pieces that do not grow with it.
static void written_in_pieces(void **state)
{
	struct json_object *o = json_new(), *runs = json_new_array();
	struct piece p = { 0 };

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct json_object *run = json_new();

		json_set_str(run, "arm", "plain");
		json_set_str(run, "why", "because of something that takes a line");
		json_append(runs, run);
	}
	json_set(o, "runs", runs);
	report_html(o, collect, &p);
	assert_true(p.all.len > 1000000);
	assert_true(p.longest < 16384);
	strbuf_done(&p.all);
	json_object_put(o);
}

static void text_is_only_text(void **state)
{
	_cleanup_strbuf_ struct strbuf to = { 0 };

	(void)state;
	markup_text(&to, "<a href=\"x\" b='y'>&\x01\x7f\n");
	assert_string_equal(to.data,
			    "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;??\n");
}

static struct arm_change change(const char *a, const char *b, struct strbuf *words)
{
	_cleanup_json_ struct json_object *oa = json_parse_text(a, strlen(a), NULL);
	_cleanup_json_ struct json_object *ob = json_parse_text(b, strlen(b), NULL);

	return arm_compare(oa, ob, words);
}

static void what_differs_between_arms(void **state)
{
	static const struct {
		const char *a, *b;
		unsigned layers, facts;
		bool only_added;
		const char *words;
	} rows[] = {
		{ "{\"layers\":[\"disk\",\"ext4\"]}", "{\"layers\":[\"disk\",\"ext4\"]}",
		  0, 0, false, "" },
		{ "{\"layers\":[\"disk\",\"ext4\"]}",
		  "{\"layers\":[\"disk\",\"luks2\",\"lvm\",\"ext4\"]}", 2, 0, true,
		  "luks2 added, lvm added" },
		{ "{\"layers\":[\"disk\",\"luks2\",\"ext4\"]}",
		  "{\"layers\":[\"disk\",\"ext4\",\"ecryptfs\"]}", 2, 0, false,
		  "luks2 removed, ecryptfs added" },
		{ "{\"layers\":[{\"kind\":\"luks2\",\"params\":[1]}]}",
		  "{\"layers\":[{\"kind\":\"luks2\",\"params\":[2]}]}", 1, 0, false,
		  "luks2 -> luks2" },
		{ "{\"layers\":[\"disk\"],\"facts\":{\"bus\":\"usb\",\"fs\":\"x\"}}",
		  "{\"layers\":[\"disk\"],\"facts\":{\"bus\":\"sata\",\"fs\":\"y\"}}", 0,
		  1, false, "bus usb -> sata" },
		{ "{}", "{\"layers\":[\"disk\"]}", 0, 0, false, "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_strbuf_ struct strbuf words = { 0 };
		struct arm_change c = change(rows[i].a, rows[i].b, &words);

		assert_int_equal(c.layers, rows[i].layers);
		assert_int_equal(c.facts, rows[i].facts);
		assert_int_equal(c.only_added, rows[i].only_added);
		assert_string_equal(strbuf_str(&words), rows[i].words);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_document_gives_a_page),
		cmocka_unit_test(written_in_pieces),
		cmocka_unit_test(text_is_only_text),
		cmocka_unit_test(what_differs_between_arms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
