// SPDX-License-Identifier: GPL-3.0-or-later
// What others printed becomes runs, exactly, and what is wrong in it is told by line.
#include "import-data.h"

static void an_article_counts_once(void **state)
{
	struct import im = { 0 };
	struct metric_list m = { 0 };

	(void)state;
	import_path(&im, IMPORT_DATA "article.txt");
	assert_int_equal(im.faults.n, 0);
	assert_int_equal(im.n, 2); // bonnie++ names the machine, hdparm does not
	assert_string_equal(im.items[0].machine, "forest");
	assert_int_equal(json_object_array_length(im.items[0].runs), 1);
	imported_metrics(&im, 0, 0, &m);
	expect_metric(&m, "put_block", BOUND_EXACT, 21831 * 1024.0);
	expect_metric(&m, "seeks", BOUND_EXACT, 148.8);
	expect_metric(&m, "seq_stat", BOUND_AT_LEAST, 32768);
	expect_metric(&m, "ran_del_cpu", BOUND_EXACT, 96);
	metric_list_done(&m);
	imported_metrics(&im, 1, 0, &m);
	expect_metric(&m, "disk_cached", BOUND_EXACT, 707.48 * 1048576);
	expect_metric(&m, "disk_buffered", BOUND_EXACT, 26.80 * 1048576);
	metric_list_done(&m);
	import_done(&im);
}

static void the_options_name_machine_and_arms(void **state)
{
	static const char *const arms[] = { "plain", "crypt" };
	struct import im = { .machine = "mine", .arms = arms, .n_arms = 2 };
	const struct json_object *run;

	(void)state;
	import_path(&im, IMPORT_DATA "article.txt");
	assert_int_equal(im.n, 1);
	assert_string_equal(im.items[0].machine, "mine");
	run = json_object_array_get_idx(im.items[0].runs, 0);
	assert_string_equal(json_get_str(run, "arm"), "plain");
	assert_string_equal(json_get_str(run, "from"), IMPORT_DATA "article.txt:12");
	run = json_object_array_get_idx(im.items[0].runs, 1);
	assert_string_equal(json_get_str(run, "arm"), "crypt");
	import_done(&im);
}

// Numbers wider than their columns, and a cell whose padding is lost.
static void tables_are_read_by_blanks(void **state)
{
	struct import im = { 0 };
	struct metric_list m = { 0 };

	(void)state;
	import_path(&im, IMPORT_DATA "raid.txt");
	import_path(&im, IMPORT_DATA "newer-table.txt");
	assert_int_equal(im.faults.n, 0);
	assert_int_equal(im.n, 2);
	imported_metrics(&im, 0, 0, &m);
	expect_metric(&m, "put_block", BOUND_EXACT, 157554 * 1024.0);
	expect_metric(&m, "get_block", BOUND_EXACT, 226305 * 1024.0);
	expect_metric(&m, "ran_del", BOUND_EXACT, 1186);
	expect_metric(&m, "ran_del_cpu", BOUND_EXACT, 3);
	metric_list_done(&m);
	imported_metrics(&im, 1, 0, &m);
	expect_metric(&m, "put_block", BOUND_EXACT, 80000 * 1024.0);
	expect_metric(&m, "seq_stat", BOUND_AT_LEAST, 32768);
	expect_metric(&m, "ran_create", BOUND_EXACT, 1300);
	metric_list_done(&m);
	import_done(&im);
}

static void cryptsetup_benchmark(void **state)
{
	struct import im = { 0 };
	struct metric_list m = { 0 };
	const struct json_object *detail;

	(void)state;
	import_path(&im, IMPORT_DATA "cryptsetup.txt");
	assert_int_equal(im.faults.n, 0);
	assert_int_equal(json_object_array_length(im.items[0].runs), 1);
	imported_metrics(&im, 0, 0, &m);
	assert_int_equal(m.n, 5);
	expect_metric(&m, "pbkdf2_sha256", BOUND_EXACT, 1234567);
	expect_metric(&m, "aes_cbc_128_decrypt", BOUND_EXACT, 3000 * 1048576.0);
	expect_metric(&m, "aes_xts_512_encrypt", BOUND_EXACT, 1500.5 * 1048576);
	metric_list_done(&m);
	detail = json_get(json_object_array_get_idx(im.items[0].runs, 0), "detail");
	assert_int_equal(json_get_int(json_get(detail, "argon2id"), "memory_kib", 0),
			 1048576);
	import_done(&im);
}

static void fio_document(void **state)
{
	struct import im = { 0 };
	struct metric_list m = { 0 };

	(void)state;
	import_path(&im, "tests/data/suite/fio-3.33-randrw.json");
	assert_int_equal(im.faults.n, 0);
	imported_metrics(&im, 0, 0, &m);
	assert_non_null(metric_find(&m, "read"));
	assert_non_null(metric_find(&m, "write_latency_p99"));
	metric_list_done(&m);
	import_done(&im);
}

static void every_fault_has_its_line(void **state)
{
	struct import im = { 0 };

	(void)state;
	import_path(&im, IMPORT_DATA "bad.txt");
	assert_int_equal(im.faults.n, 3);
	expect_fault(&im, 2, "has 16 fields");
	expect_fault(&im, 3, "a value that is none");
	expect_fault(&im, 7, "has 11 cells where 12 belong");
	assert_string_equal(im.faults.items[0].file, IMPORT_DATA "bad.txt");
	import_done(&im);
	import_path(&im, IMPORT_DATA "bad.csv");
	assert_int_equal(im.faults.n, 4);
	expect_fault(&im, 3, "\"furlongs\" is not a unit");
	expect_fault(&im, 4, "the value \"fast\" of rewrite is no number");
	expect_fault(&im, 5, "has 3 fields, the first line has 6");
	expect_fault(&im, 6, "how much was done is not said");
	assert_int_equal(json_object_array_length(im.items[0].runs), 1); // what is whole
	import_done(&im);
	import_text(&im, "x.csv", "run_id,metric,value\n", 20);
	expect_fault(&im, 1, "no column \"engine\"");
	expect_fault(&im, 1, "no column \"unit\"");
	import_done(&im);
	import_text(&im, "x.json", "{\"fio version\":\"fio-3.33\",\"jobs\":[]}", 35);
	assert_int_equal(im.faults.n, 1);
	import_done(&im);
	import_text(&im, "letter.txt", "Dear all,\n", 10);
	expect_fault(&im, 0, "holds nothing that is known here");
	import_done(&im);
}

// bonnie++ 2.00a prints the number of files where its table promises files a second.
static void the_garbage_of_200a_is_refused(void **state)
{
	struct import im = { 0 };
	_cleanup_strbuf_ struct strbuf text = { 0 };
	char *at;

	(void)state;
	read_whole(IMPORT_DATA "newer-table.txt", &text);
	while ((at = strstr(text.data, "1.97")))
		memcpy(at, "2.00", 4);
	import_text(&im, "t.txt", text.data, text.len);
	expect_fault(&im, 1, "shows no rates of small files but their number");
	assert_int_equal(im.n, 0);
	import_done(&im);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_article_counts_once),
		cmocka_unit_test(the_options_name_machine_and_arms),
		cmocka_unit_test(tables_are_read_by_blanks),
		cmocka_unit_test(cryptsetup_benchmark),
		cmocka_unit_test(fio_document),
		cmocka_unit_test(every_fault_has_its_line),
		cmocka_unit_test(the_garbage_of_200a_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
