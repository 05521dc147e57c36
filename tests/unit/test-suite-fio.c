// SPDX-License-Identifier: GPL-3.0-or-later
// fio: its documents with junk around and inside, its figures, its command line.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "suite-data.h"
#include "suite/fio-job.h"
#include "suite/fio-json.h"
#include "suite/fio-keys.h"

#define DOC(error, bytes)                                                            \
	"{\n  \"fio version\" : \"fio-3.33\",\n  \"jobs\" : [\n    {\n"              \
	"      \"jobname\" : \"assay\",\n      \"error\" : " error ",\n"             \
	"      \"read\" : {\n        \"io_bytes\" : " bytes ",\n"                    \
	"        \"bw_bytes\" : 77,\n        \"iops\" : 5.5,\n"                      \
	"        \"runtime\" : 2000,\n        \"total_ios\" : 8\n      }\n    }\n  " \
	"]\n}\n"

static struct json_object *find(const char *text)
{
	return fio_json_find(text, strlen(text), NULL);
}

static int64_t bytes_of(const char *text)
{
	_cleanup_json_ struct json_object *doc = find(text);

	return doc ? (int64_t)fio_json_bytes(doc) : -1;
}

static void junk_before_after_between(void **state)
{
	(void)state;
	assert_int_equal(bytes_of(DOC("0", "16")), 16);
	assert_int_equal(bytes_of("note: both iodepth >= 1 and synchronous I/O engine\n"
				  "fio: {not this}\n" DOC("0", "16")),
			 16);
	assert_int_equal(bytes_of(DOC("0", "16") "\nfio: terminating on signal 2\n}\n"),
			 16);
	// with --status-interval there are several: the last counts
	assert_int_equal(bytes_of(DOC("0", "16") "Jobs: 1 (f=1)\n" DOC("0", "32")), 32);
	assert_int_equal(bytes_of(DOC("0", "16") DOC("0", "32")), 32);
}

static void notes_inside(void **state)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	const char *doc = DOC("0", "48");
	const char *cut = strstr(doc, "      \"read\"");

	(void)state;
	strbuf_add(&text, doc, (size_t)(cut - doc));
	strbuf_puts(&text, "fio: this is said in the wrong place\n");
	strbuf_puts(&text, cut);
	assert_int_equal(bytes_of(text.data), 48);
}

static void a_cut_document_is_none(void **state)
{
	const char *doc = DOC("0", "16");
	_cleanup_free_ char *half = mem_strndup(doc, strlen(doc) / 2);
	_cleanup_free_ char *last = mem_strndup(doc, strlen(doc) - 3);
	_cleanup_free_ char *whole_then_half = mem_printf("%s%s", DOC("0", "32"), half);
	_cleanup_free_ char *half_then_whole = mem_printf("%s\n%s", half, DOC("0", "32"));
	struct err err = { 0 };

	(void)state;
	assert_null(fio_json_find(half, strlen(half), &err));
	assert_int_equal(err.code, -EBADMSG);
	assert_null(find(last));
	assert_null(find(""));
	assert_null(find("{\n}\n")); // no jobs
	assert_int_equal(bytes_of(whole_then_half), 32);
	assert_int_equal(bytes_of(half_then_whole), 32);
}

static void errors_and_no_data_are_seen(void **state)
{
	_cleanup_json_ struct json_object *bad = find(DOC("5", "16"));
	_cleanup_json_ struct json_object *none = find(DOC("0", "0"));
	_cleanup_json_ struct json_object *empty = find("{\n\"jobs\" : []\n}\n");
	struct metric_list m = { 0 };
	struct err err = { 0 };

	(void)state;
	assert_int_equal(fio_json_check(bad, &err), -EIO);
	assert_string_equal(err.text,
			    "fio: job assay ended with error 5 (Input/output error)");
	assert_int_equal(fio_json_check(none, &err), -ENODATA);
	assert_int_equal(fio_json_check(empty, &err), -EBADMSG);
	fio_json_metrics(none, &m);
	assert_int_equal(m.n, 0);
}

static void expect(const struct metric_list *list, const char *name, const char *unit,
		   double value)
{
	const struct metric *m = metric_find(list, name);

	if (!m)
		fail_msg("no metric %s", name);
	assert_string_equal(m->unit, unit);
	if (fabs(m->value - value) > 1e-9 * value)
		fail_msg("%s is %.12g instead of %.12g", name, m->value, value);
}

static void reads_a_recorded_run(void **state)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	_cleanup_json_ struct json_object *doc = NULL, *detail = json_new();
	struct metric_list m = { 0 };
	struct json_object *fio;

	(void)state;
	load_data("fio-3.33-randrw.json", &text);
	doc = find(text.data);
	assert_int_equal(fio_json_check(doc, NULL), 0);
	assert_int_equal(fio_json_bytes(doc), 16 << 20);
	fio_json_metrics(doc, &m);
	expect(&m, "read", "B/s", 8409088 / 0.265);
	expect(&m, "write", "B/s", 8368128 / 0.265);
	expect(&m, "read_iops", "1/s", 2053 / 0.265);
	expect(&m, "read_latency", "s", 117410.438383e-9);
	expect(&m, "read_latency_p50", "s", 116224e-9);
	expect(&m, "read_latency_p999", "s", 2408448e-9);
	assert_non_null(metric_find(&m, "write_latency_p99"));
	assert_null(metric_find(&m, "trim"));
	assert_false(fio_json_cached(doc));
	fio_json_detail(doc, detail);
	assert_string_equal(json_get_str(detail, "version"), "fio-3.33");
	fio = json_get(detail, "fio");
	assert_true(json_get_double(json_get(fio, "iodepth_level"), "1", 0) == 100);
	metric_list_done(&m);
}

static void a_direction_without_io_is_absent(void **state)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	_cleanup_json_ struct json_object *doc = NULL;
	struct metric_list m = { 0 };

	(void)state;
	load_data("fio-3.33-null.json", &text);
	doc = find(text.data);
	fio_json_metrics(doc, &m);
	expect(&m, "read", "B/s", 67108864 / 0.007);
	assert_true(fio_json_cached(doc)); // 0.016 us each
	assert_null(metric_find(&m, "write"));
	assert_null(metric_find(&m, "write_iops"));
	assert_null(metric_find(&m, "write_latency"));
	metric_list_done(&m);
}

static void several_jobs_share_the_longest_time(void **state)
{
	_cleanup_json_ struct json_object *doc = find(
		"{\n\"jobs\": [{\"error\":0,\"write\":{\"io_bytes\":100,\"total_ios\":10,"
		"\"runtime\":1000}},{\"error\":0,\"write\":{\"io_bytes\":300,"
		"\"total_ios\":30,\"runtime\":2000}}]\n}\n");
	struct metric_list m = { 0 };

	(void)state;
	fio_json_metrics(doc, &m);
	expect(&m, "write", "B/s", 200);
	expect(&m, "write_iops", "1/s", 20);
	assert_int_equal(m.n, 2);
	metric_list_done(&m);
}

static void no_time_falls_back_to_its_rates(void **state)
{
	_cleanup_json_ struct json_object *doc =
		find("{\n\"jobs\":[{\"read\":{\"io_bytes\":4096,\"total_ios\":1,"
		     "\"runtime\":0,\"bw_bytes\":4096000,\"iops\":1000.0}}]\n}\n");
	struct metric_list m = { 0 };

	(void)state;
	fio_json_metrics(doc, &m);
	expect(&m, "read", "B/s", 4096000);
	expect(&m, "read_iops", "1/s", 1000);
	metric_list_done(&m);
}

static bool allowed(const char *key, const char *value)
{
	struct plan_param p = { .key = (char *)(uintptr_t)key,
				.value = (char *)(uintptr_t)value };
	_cleanup_strbuf_ struct strbuf why = { 0 };
	bool ok = fio_key_allowed(&p, &why);

	assert_true(ok == (why.len == 0));
	return ok;
}

static void a_plan_cannot_name_files(void **state)
{
	static const char *const good[][2] = {
		{ "rw", "randread" },
		{ "bs", "4k" },
		{ "iodepth", "32" },
		{ "direct", "0" },
		{ "ioengine", "libaio" },
		{ "numjobs", "4" },
		{ "verify", "crc32c" },
		{ "runtime", "10" },
		{ "time_based", NULL },
		{ "filesize", "1G" },
		{ "file_service_type", "random" },
		{ "readwrite", "read" },
		{ "rate_iops", "100" },
		{ "norandommap", NULL },
		{ "bssplit", "4k/50:8k/50" },
		{ "randrepeat", "0" },
		{ "status-interval", "1" },
	};
	static const char *const bad[][2] = {
		{ "filename", "/dev/sda" },
		{ "filenam", "/dev/sda" },
		{ "file", "/dev/sda" },
		{ "directory", "/" },
		{ "dir", "/" },
		{ "exec_prerun", "sh" },
		{ "output", "/x" },
		{ "write_iolog", "/x" },
		{ "read_iolog", "/x" },
		{ "ioengine", "rbd" },
		{ "ioengin", "rbd" },
		{ "ioengine", "external:/x.so" },
		{ "mem", "mmaphuge:/dev/sda" },
		{ "buffer_pattern", "'/etc/shadow'" },
		{ "client", "host" },
		{ "-x", "" },
		{ "rw=write --filename", "" },
		{ "", "" },
		{ "name", "other" },
		{ "write_bw_log", "x" },
		{ "Filename", "/x" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		if (!allowed(good[i][0], good[i][1]))
			fail_msg("%s is refused", good[i][0]);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		if (allowed(bad[i][0], bad[i][1]))
			fail_msg("%s=%s is allowed", bad[i][0], bad[i][1]);
}

static void what_writes(void **state)
{
	(void)state;
	assert_false(fio_writes("read"));
	assert_false(fio_writes("randread"));
	assert_false(fio_writes("read:8k"));
	assert_true(fio_writes("rw"));
	assert_true(fio_writes("readwrite"));
	assert_true(fio_writes("randrw"));
	assert_true(fio_writes("write"));
	assert_true(fio_writes("trim"));
	assert_true(fio_writes(""));
	assert_true(fio_writes("rea"));
}

// The words of the command line as one text.
static char *command(const struct fio_job *job, const struct plan_test *test)
{
	struct strbuf all = { 0 };
	char **argv = fio_job_argv(job, test, 8, "/run/o");

	for (size_t i = 0; argv[i]; i++)
		strbuf_printf(&all, "%s%s", i ? " " : "", argv[i]);
	fio_job_free_argv(argv);
	return strbuf_take(&all);
}

static void command_lines(void **state)
{
	static char s[][24] = { "rw", "randwrite", "bs", "8k",     "size",
				"1M", "timeout",   "5s", "direct", "0" };
	struct plan_param p[] = {
		{ .key = s[0], .value = s[1] }, { .key = s[2], .value = s[3] },
		{ .key = s[4], .value = s[5] }, { .key = s[6], .value = s[7] },
		{ .key = s[8], .value = s[9] },
	};
	struct plan_test test = { .params = p };
	struct fio_job dev = { .path = s[0], .readonly = true };
	struct fio_job file = { .path = s[0], .is_file = true };
	_cleanup_free_ char *plain = NULL, *given = NULL;

	(void)state;
	fio_job_defaults(&dev, &test);
	plain = command(&dev, &test);
	assert_string_equal(plain,
			    "fio --output-format=json+ --output=/run/o --eta=never "
			    "--readonly --name=assay --filename=rw --group_reporting "
			    "--randseed=4 --rw=read --bs=1M --ioengine=psync "
			    "--refill_buffers=1 --runtime=30 --time_based=1 --direct=1");
	test.n = ARRAY_SIZE(p);
	fio_job_defaults(&file, &test);
	assert_true(file.writes && file.exact && !file.direct && !file.timed);
	given = command(&file, &test);
	assert_string_equal(given,
			    "fio --output-format=json+ --output=/run/o --eta=never "
			    "--name=assay --filename=rw --group_reporting --randseed=4 "
			    "--ioengine=psync --refill_buffers=1 --end_fsync=1 "
			    "--rw=randwrite --bs=8k --direct=0 --size=1048576");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(junk_before_after_between),
		cmocka_unit_test(notes_inside),
		cmocka_unit_test(a_cut_document_is_none),
		cmocka_unit_test(errors_and_no_data_are_seen),
		cmocka_unit_test(reads_a_recorded_run),
		cmocka_unit_test(a_direction_without_io_is_absent),
		cmocka_unit_test(several_jobs_share_the_longest_time),
		cmocka_unit_test(no_time_falls_back_to_its_rates),
		cmocka_unit_test(a_plan_cannot_name_files),
		cmocka_unit_test(what_writes),
		cmocka_unit_test(command_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
