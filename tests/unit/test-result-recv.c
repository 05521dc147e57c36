// SPDX-License-Identifier: GPL-3.0-or-later
// What a receiver makes of logs that are cut, doubled, contradictory or evil.
#include "armour-log.h"

static void good_copy_heals_a_damaged_one(void **state)
{
	_cleanup_free_ char *dir = new_dir();
	_cleanup_strbuf_ struct strbuf log = { 0 };
	struct writer w = { .run = RUN };
	struct fault_list faults = { 0 };

	(void)state;
	small_campaign(&w);
	strbuf_add(&log, w.log.data, w.log.len);
	memset(log.data + log.len / 2, '#', 3);
	strbuf_add(&log, w.log.data, w.log.len);
	assert_int_equal(receive(&log, dir, &faults), 3);
	assert_int_equal(faults.n, 0);
	assert_small_campaign(dir);
	strbuf_done(&w.log);
}

static void contradiction_is_a_fault(void **state)
{
	_cleanup_free_ char *dir = new_dir();
	struct writer w = { .run = RUN };
	struct fault_list faults = { 0 };

	(void)state;
	small_campaign(&w);
	armour_line(&w.log, RUN, 2, 0, "FAILED\n", 7);
	assert_int_equal(receive(&w.log, dir, &faults), 3);
	assert_int_equal(faults.n, 1);
	assert_true(says(&faults, line_of(&w.log, w.log.len - 1), "contradicts"));
	assert_small_campaign(dir);
	fault_done(&faults);
	strbuf_done(&w.log);
}

static void two_campaigns_in_one_log(void **state)
{
	_cleanup_free_ char *dir = new_dir();
	struct writer a = { .run = RUN }, b = { .run = "ffffffff" };
	struct fault_list faults = { 0 };

	(void)state;
	small_campaign(&a);
	add_file(&b, 2, "assay/other/file", "abc", 3);
	strbuf_add(&a.log, b.log.data, b.log.len);
	assert_int_equal(receive(&a.log, dir, &faults), 4);
	assert_int_equal(faults.n, 0);
	assert_small_campaign(dir);
	assert_file(dir, "assay/other/file", "abc", 3);
	strbuf_done(&a.log);
	strbuf_done(&b.log);
}

// Records stream in; the machine dies before they are closed.
static void unclosed_records_are_kept(void **state)
{
	static const char records[] = "{\"seq\":0}\n{\"seq\":1}\n";
	_cleanup_free_ char *dir = new_dir();
	struct writer w = { .run = RUN };
	struct fault_list faults = { 0 };
	unsigned line = 0;

	(void)state;
	add_text(&w, "open 1 assay/m/d/records.jsonl\n");
	add_data(&w, 1, &line, records, 10);
	add_data(&w, 1, &line, records + 10, 10);
	strbuf_puts(&w.log, "=assay= " RUN " 1 2 eyJzZ"); // power cut
	assert_int_equal(receive(&w.log, dir, &faults), 0);
	assert_file(dir, "assay/m/d/records.jsonl", records, 20);
	assert_true(says(&faults, 0, "not closed: the machine ended before"));
	fault_done(&faults);
	strbuf_done(&w.log);
}

static void log_may_start_in_the_middle(void **state)
{
	_cleanup_free_ char *dir = new_dir();
	struct writer w = { .run = RUN };
	struct fault_list faults = { 0 };
	_cleanup_strbuf_ struct strbuf tail = { 0 };
	const char *cut;

	(void)state;
	small_campaign(&w);
	cut = strstr(w.log.data, "UEFTU0VECg=="); // "PASSED\n"
	assert_non_null(cut);
	strbuf_puts(&tail, cut);
	assert_int_equal(receive(&tail, dir, &faults), 2);
	assert_true(says(&faults, 1, "missing: run 0a1b2c3d, file 0"));
	assert_file(dir, "assay/m/d-" RUN "/raw/empty", "", 0);
	assert_false(there(dir, "assay/m/d-" RUN "/report.txt"));
	fault_done(&faults);
	strbuf_done(&w.log);
}

static void gap_goes_to_a_damaged_file(void **state)
{
	_cleanup_free_ char *dir = new_dir();
	struct writer w = { .run = RUN };
	struct fault_list faults = { 0 };
	char data[200];
	char *line;

	(void)state;
	memset(data, 'x', sizeof(data));
	add_file(&w, 2, "a/b", data, sizeof(data));
	line = strstr(w.log.data, RUN " 2 1 ");
	line[20] = '!';
	assert_int_equal(receive(&w.log, dir, &faults), 0);
	assert_int_equal(faults.n, 1);
	assert_true(says(&faults, 3, "damaged: run 0a1b2c3d, file 2 (a/b), line 1"));
	assert_false(there(dir, "a/b"));
	assert_file(dir, "a/b.damaged", data, sizeof(data) - ARMOUR_BYTES);
	fault_done(&faults);
	strbuf_done(&w.log);
}

static void later_version_counts(void **state)
{
	_cleanup_free_ char *dir = new_dir();
	struct writer w = { .run = RUN };
	struct fault_list faults = { 0 };

	(void)state;
	add_file(&w, 2, "a/report.txt", "first", 5);
	add_file(&w, 3, "a/report.txt", "second", 6);
	assert_int_equal(receive(&w.log, dir, &faults), 1);
	assert_int_equal(faults.n, 0);
	assert_file(dir, "a/report.txt", "second", 6);
	strbuf_done(&w.log);
}

static void other_content_is_not_overwritten(void **state)
{
	_cleanup_free_ char *dir = new_dir();
	_cleanup_free_ char *path = mem_printf("%s/a", dir);
	struct writer w = { .run = RUN };
	struct fault_list faults = { 0 };

	(void)state;
	assert_int_equal(io_replace_file(path, "mine", 4), 0);
	add_file(&w, 2, "a", "new content", 11);
	assert_int_equal(receive(&w.log, dir, &faults), 0);
	assert_true(says(&faults, 0, "left alone"));
	assert_file(dir, "a", "mine", 4);
	fault_done(&faults);
	strbuf_done(&w.log);
}

static void evil_paths_are_refused(void **state)
{
	static const char *const paths[] = {
		"/etc/passwd", "../x", "a/../../x", "a//b", "a/",    ".hidden",
		"a/.ssh/x",    "a b",  "a\\b",      "a\tb", "a/b:c", "\xc3\xa9",
		"a/.",         "..",   "a*",        "",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		_cleanup_free_ char *dir = new_dir();
		struct writer w = { .run = RUN };
		struct fault_list faults = { 0 };

		add_file(&w, 2, paths[i], "evil", 4);
		assert_int_equal(receive(&w.log, dir, &faults), 0);
		assert_true(faults.n > 0);
		assert_file(dir, "lost-" RUN "/2", "evil", 4);
		fault_done(&faults);
		strbuf_done(&w.log);
	}
}

static void log_without_armour_is_an_error(void **state)
{
	struct fault_list faults = { 0 };
	struct err err = { 0 };

	(void)state;
	assert_int_equal(armour_receive("hello\n", 6, "log", tmp_root, &faults, &err),
			 -ENODATA);
	assert_int_equal(armour_receive("", 0, "log", tmp_root, &faults, &err), -ENODATA);
	assert_int_equal(faults.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_copy_heals_a_damaged_one),
		cmocka_unit_test(contradiction_is_a_fault),
		cmocka_unit_test(two_campaigns_in_one_log),
		cmocka_unit_test(unclosed_records_are_kept),
		cmocka_unit_test(log_may_start_in_the_middle),
		cmocka_unit_test(gap_goes_to_a_damaged_file),
		cmocka_unit_test(later_version_counts),
		cmocka_unit_test(other_content_is_not_overwritten),
		cmocka_unit_test(evil_paths_are_refused),
		cmocka_unit_test(log_without_armour_is_an_error),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
