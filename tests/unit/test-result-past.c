// SPDX-License-Identifier: GPL-3.0-or-later
// What an earlier campaign left behind on the stick.
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/io.h"
#include "common/mem.h"
#include "result/campaign.h"
#include "result/past.h"
#include "result/record.h"
#include "result/store-private.h"

static char tmp_root[64];

static int make_root(void **state)
{
	(void)state;
	snprintf(tmp_root, sizeof(tmp_root), "/tmp/assay-past-XXXXXX");
	return mkdtemp(tmp_root) ? 0 : -1;
}

static int remove_root(void **state)
{
	_cleanup_free_ char *command = mem_printf("rm -r %s", tmp_root);

	(void)state;
	return system(command);
}

static char *new_stick(void)
{
	static int n;
	char *dir = mem_printf("%s/%d", tmp_root, n++);

	assert_int_equal(mkdir(dir, 0755), 0);
	return dir;
}

static void add(struct strbuf *to, const char *json)
{
	_cleanup_json_ struct json_object *o = json_parse_text(json, strlen(json), NULL);

	assert_non_null(o);
	record_line(to, o, "0a1b2c3d", 0, 0);
}

static const char start[] = "{\"kind\":\"start\",\"fingerprint\":4294967295,"
			    "\"wall\":\"2026-03-31T12:00:00Z\"}";
static const char run1[] =
	"{\"kind\":\"run\",\"block\":1,\"arm\":\"plain\",\"test\":\"fio\"}";
static const char run2[] =
	"{\"kind\":\"run\",\"block\":2,\"arm\":\"plain\",\"test\":\"fio\"}";
static const char end[] = "{\"kind\":\"end\",\"verdict\":\"passed\"}";

static void put(const char *stick, const char *folder, const struct strbuf *text)
{
	_cleanup_free_ char *path = mem_printf("assay/m/%s/records.jsonl", folder);

	assert_int_equal(place_file(stick, path, strbuf_str(text), text->len), 0);
}

static void find(const char *stick, uint32_t fingerprint, struct past_campaign *past)
{
	struct err err = { 0 };

	assert_int_equal(past_find(stick, "m", fingerprint, past, &err), 0);
}

static void each_end_is_recognised(void **state)
{
	static const struct {
		const char *lines[4];
		size_t cut, zeros; // bytes torn off, zeros put behind
		enum past past;
		const char *last;
		size_t runs;
		unsigned damaged;
	} rows[] = {
		{ { start, run1, run2, end }, 0, 0, PAST_FINISHED, NULL, 2, 0 },
		{ { start, run1, run2 },
		  0,
		  0,
		  PAST_DIED,
		  "block 2, arm plain, test fio",
		  2,
		  0 },
		{ { start, run1, run2 },
		  9,
		  0,
		  PAST_DIED,
		  "block 1, arm plain, test fio",
		  1,
		  1 },
		{ { start, run1, end }, 1, 0, PAST_FINISHED, NULL, 1, 0 },
		{ { start, run1, end },
		  2,
		  0,
		  PAST_DIED,
		  "block 1, arm plain, test fio",
		  1,
		  1 },
		{ { start, run1 },
		  0,
		  500,
		  PAST_DIED,
		  "block 1, arm plain, test fio",
		  1,
		  1 },
		{ { start, run1, run2 },
		  20,
		  500,
		  PAST_DIED,
		  "block 1, arm plain, test fio",
		  1,
		  1 },
		{ { start }, 0, 0, PAST_DIED, NULL, 0, 0 },
		{ { start }, 5, 0, PAST_NONE, NULL, 0, 0 },
		{ { run1, end }, 0, 0, PAST_NONE, NULL, 0, 0 },
		{ { NULL }, 0, 0, PAST_NONE, NULL, 0, 0 },
		{ { NULL }, 0, 4096, PAST_NONE, NULL, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *stick = new_stick();
		_cleanup_strbuf_ struct strbuf text = { 0 };
		struct past_campaign past;

		for (size_t k = 0; k < 4 && rows[i].lines[k]; k++)
			add(&text, rows[i].lines[k]);
		text.len -= rows[i].cut;
		for (size_t k = 0; k < rows[i].zeros; k++)
			strbuf_add(&text, "", 1);
		put(stick, "20260331-120000-0a1b2c3d", &text);
		find(stick, 4294967295u, &past);
		assert_int_equal(past.past, rows[i].past);
		if (past.past != PAST_NONE) {
			assert_int_equal(json_object_array_length(past.runs),
					 rows[i].runs);
			assert_int_equal(past.damaged, rows[i].damaged);
			assert_string_equal(past.when, "2026-03-31T12:00:00Z");
			assert_string_equal(past.last ? past.last : "",
					    rows[i].last ? rows[i].last : "");
		}
		past_done(&past);
		find(stick, 1, &past); // another plan
		assert_int_equal(past.past, PAST_NONE);
		past_done(&past);
	}
}

static void no_folder_is_no_past(void **state)
{
	_cleanup_free_ char *stick = new_stick();
	struct past_campaign past;

	(void)state;
	find(stick, 1, &past);
	assert_int_equal(past.past, PAST_NONE);
	past_done(&past);
}

static void newest_of_many_counts(void **state)
{
	_cleanup_free_ char *stick = new_stick();
	_cleanup_free_ char *first = NULL;
	struct past_campaign past;

	(void)state;
	for (int i = 0; i < 1500; i++) {
		_cleanup_strbuf_ struct strbuf text = { 0 };
		_cleanup_free_ char *name = mem_printf("20260331-12%04d-0a1b2c3d", i);
		_cleanup_free_ char *path = mem_printf("%s/assay/m/%s", stick, name);
		_cleanup_free_ char *file = mem_printf("%s/records.jsonl", path);
		_cleanup_close_ int fd = -1;

		add(&text, start);
		if (i == 1499)
			add(&text, end);
		assert_int_equal(io_make_dirs(path), 0);
		assert_int_equal(place_append(path, "records.jsonl", text.data, text.len),
				 0);
	}
	find(stick, 4294967295u, &past);
	assert_int_equal(past.past, PAST_FINISHED);
	assert_non_null(strstr(past.dir, "/assay/m/20260331-121499-0a1b2c3d"));
	past_done(&past);
	// A clock that fell back: what was started last says so itself.
	first = mem_printf("%s/assay/m/20260331-120000-0a1b2c3d", stick);
	assert_int_equal(past_mark_newest(first), 0);
	assert_int_equal(past_mark_newest(first), 0);
	find(stick, 4294967295u, &past);
	assert_int_equal(past.past, PAST_DIED);
	past_done(&past);
}

static void resumed_campaigns_add_up(void **state)
{
	_cleanup_free_ char *stick = new_stick();
	_cleanup_strbuf_ struct strbuf one = { 0 }, two = { 0 };
	struct past_campaign past;

	(void)state;
	add(&one, start);
	add(&one, run1);
	put(stick, "20260331-120000-00000001", &one);
	add(&two, "{\"kind\":\"start\",\"fingerprint\":4294967295,\"wall\":\"x\","
		  "\"resumes\":\"assay/m/20260331-120000-00000001\"}");
	add(&two, run2);
	put(stick, "20260331-130000-00000002", &two);
	find(stick, 4294967295u, &past);
	assert_int_equal(past.past, PAST_DIED);
	assert_int_equal(json_object_array_length(past.runs), 2);
	assert_string_equal(past.last, "block 2, arm plain, test fio");
	past_done(&past);
}

static void a_cut_on_purpose_is_pending_until_its_run(void **state)
{
	static const char armed[] = "{\"kind\":\"cut\",\"block\":1,\"arm\":\"plain\","
				    "\"test\":\"p\",\"phase\":\"armed\",\"count\":0}";
	static const char noted[] =
		"{\"kind\":\"cut\",\"block\":1,\"arm\":\"plain\",\"test\":\"p\","
		"\"phase\":\"acknowledged\",\"count\":12}";
	static const char next[] = "{\"kind\":\"start\",\"fingerprint\":4294967295,"
				   "\"wall\":\"x\","
				   "\"resumes\":\"assay/m/20260331-120000-00000001\"}";
	static const struct {
		const char *lines[5];
		bool second;   // a boot that went on, and died
		int64_t count; // -1: nothing is pending
	} rows[] = {
		{ { start, run1 }, false, -1 },
		{ { start, run1, armed }, false, 0 },
		{ { start, run1, armed, noted }, false, 12 },
		{ { start, armed, noted, run2 }, false, -1 }, // it was not cut
		{ { start, run1, armed, noted }, true, -1 },  // once, and not again
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *stick = new_stick();
		_cleanup_strbuf_ struct strbuf text = { 0 }, after = { 0 };
		struct past_campaign past;

		for (size_t k = 0; k < 5 && rows[i].lines[k]; k++)
			add(&text, rows[i].lines[k]);
		put(stick, "20260331-120000-00000001", &text);
		add(&after, next);
		if (rows[i].second)
			put(stick, "20260331-130000-00000002", &after);
		find(stick, 4294967295u, &past);
		assert_int_equal(past.past, PAST_DIED);
		assert_int_equal(past.cut ? json_get_int(past.cut, "count", -2) : -1,
				 rows[i].count);
		past_done(&past);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_end_is_recognised),
		cmocka_unit_test(no_folder_is_no_past),
		cmocka_unit_test(newest_of_many_counts),
		cmocka_unit_test(resumed_campaigns_add_up),
		cmocka_unit_test(a_cut_on_purpose_is_pending_until_its_run),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
