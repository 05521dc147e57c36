// SPDX-License-Identifier: GPL-3.0-or-later
// What smartctl tells, and what the engine smart makes of it.
#include "suite-fakes.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "common/clock.h"
#include "common/io.h"
#include "suite-data.h"
#include "suite/engines.h"
#include "suite/run.h"
#include "suite/smart-json.h"

static char dir[] = "/tmp/assay-smart-XXXXXX";
static struct target disk = { "/dev/fake" };
static struct target *const targets[] = { &disk };
static struct plan_arm arm = { .name = (char[]){ "plain" } };
static struct plan_param params[2];
static struct plan_test test = { .params = params };
static struct stack stack = { .targets = targets, .n_targets = 1 };

static struct json_object *load(const char *name, struct smart_reading *r)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct json_object *doc;

	load_data(name, &text);
	doc = json_parse_text(strbuf_str(&text), text.len, NULL);
	assert_non_null(doc);
	smart_json_read(doc, r);
	return doc;
}

static double value_of(const struct smart_reading *r, const char *name)
{
	const struct smart_value *v = smart_value(r, name);

	if (!v)
		fail_msg("no %s", name);
	return v->value;
}

static void ata_scsi_and_nvme_are_read(void **state)
{
	struct smart_reading r;
	struct json_object *doc;

	(void)state;
	doc = load("smart-ata.json", &r);
	assert_true(r.supported && r.health == SMART_GOOD);
	assert_string_equal(r.protocol, "ATA");
	assert_true(value_of(&r, "reallocated") == 8);
	assert_true(value_of(&r, "crc_errors") == 3);
	assert_true(value_of(&r, "command_timeouts") == 1); // packed: the text counts
	assert_true(value_of(&r, "temperature") == 36);
	assert_true(value_of(&r, "power_on") == 36055 * 3600.0);
	assert_true(value_of(&r, "error_log") == 2);
	assert_null(smart_value(&r, "media_errors"));
	json_object_put(doc);
	doc = load("smart-nvme.json", &r);
	assert_true(r.supported && r.health == SMART_GOOD);
	assert_true(value_of(&r, "media_errors") == 0);
	assert_true(value_of(&r, "written_in_life") == 5678 * 512000.0);
	assert_true(value_of(&r, "unsafe_shutdowns") == 3);
	json_object_put(doc);
	doc = load("smart-scsi.json", &r);
	assert_true(r.supported && r.health == SMART_GOOD);
	assert_true(value_of(&r, "grown_defects") == 5);
	assert_true(value_of(&r, "read_uncorrected") == 1);
	json_object_put(doc);
}

static void a_disk_without_health_data_is_unsupported(void **state)
{
	static const char *const names[] = { "smart-scsi-none.json",
					     "smart-virtio.json" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct smart_reading r;
		struct json_object *doc = load(names[i], &r);

		assert_false(r.supported);
		json_object_put(doc);
	}
}

static void only_counts_of_errors_spoil(void **state)
{
	_cleanup_strbuf_ struct strbuf said = { 0 };
	struct smart_reading before, now;
	struct json_object *doc = load("smart-ata.json", &before);

	(void)state;
	now = before;
	assert_int_equal(smart_grown(&before, &now, &said), 0);
	for (size_t i = 0; i < now.n; i++)
		now.values[i].value += 1;
	// reallocated, reported, pending, offline, crc: not temperature, hours, cycles
	assert_int_equal(smart_grown(&before, &now, &said), 5);
	assert_non_null(strstr(said.data, "pending grew from 0 to 1"));
	assert_int_equal(smart_grown(&now, &before, &said), 0);
	json_object_put(doc);
}

static void selftests_run_pass_and_fail(void **state)
{
	static const struct {
		const char *text;
		enum smart_selftest want;
		unsigned remaining;
	} rows[] = {
		{ "{\"ata_smart_data\":{\"self_test\":{\"status\":{\"value\":249}}}}",
		  SELFTEST_RUNNING, 90 },
		{ "{\"ata_smart_data\":{\"self_test\":{\"status\":{\"value\":0}}}}",
		  SELFTEST_PASSED, 0 },
		{ "{\"ata_smart_data\":{\"self_test\":{\"status\":{\"value\":121}}}}",
		  SELFTEST_FAILED, 90 },
		{ "{\"scsi_self_test_0\":{\"result\":{\"value\":15}}}", SELFTEST_RUNNING,
		  0 },
		{ "{\"scsi_self_test_0\":{\"result\":{\"value\":0}}}", SELFTEST_PASSED,
		  0 },
		{ "{\"scsi_self_test_0\":{\"result\":{\"value\":4}}}", SELFTEST_FAILED,
		  0 },
		{ "{\"nvme_self_test_log\":{\"current_self_test_operation\":{\"value\":1}"
		  ","
		  "\"current_self_test_completion_percent\":40}}",
		  SELFTEST_RUNNING, 60 },
		{ "{\"nvme_self_test_log\":{\"current_self_test_operation\":{\"value\":0}"
		  ","
		  "\"table\":[{\"self_test_result\":{\"value\":0}}]}}",
		  SELFTEST_PASSED, 0 },
		{ "{}", SELFTEST_NONE, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_json_ struct json_object *doc =
			json_parse_text(rows[i].text, strlen(rows[i].text), NULL);
		const char *text;
		unsigned remaining;

		assert_int_equal(smart_json_selftest(doc, &remaining, &text),
				 rows[i].want);
		assert_int_equal(remaining, rows[i].remaining);
	}
}

// A smartctl that prints a file and ends with a status, as the disk would make it.
static void program(const char *file, unsigned status)
{
	_cleanup_free_ char *path = mem_printf("%s/smartctl", dir);
	_cleanup_free_ char *folders = mem_printf("%s:/usr/bin:/bin", dir);
	_cleanup_free_ char *text =
		mem_printf("#!/bin/sh\ncat %s\nexit %u\n", file, status);

	assert_int_equal(io_replace_file(path, text, strlen(text)), 0);
	assert_int_equal(chmod(path, 0755), 0);
	setenv("PATH", folders, 1);
}

static struct run go(void)
{
	struct run run = {
		.arm = &arm,
		.test = &test,
		.ops = &test_smart,
		.stack = &stack,
		.timeout_ns = 20 * CLOCK_SECOND,
		.detail = json_new(),
	};

	test.engine = test.name = (char *)(uintptr_t) "smart";
	test_smart.run(&run);
	return run;
}

static void ended(struct run *run, enum outcome want, const char *why)
{
	if (run->outcome != want || (why && (!run->why || !strstr(run->why, why))))
		fail_msg("%s: %s", outcome_name(run->outcome),
			 run->why ? run->why : "no reason");
	run_done(run);
}

static void bits_of_the_exit_status_are_told_apart(void **state)
{
	static const struct {
		const char *file;
		unsigned status;
		enum outcome want;
		const char *why;
	} rows[] = {
		{ "smart-nvme.json", 0, OUTCOME_PASSED, NULL },
		{ "smart-ata.json", 64, OUTCOME_PASSED, NULL }, // an old error in the log
		{ "smart-ata.json", 32 | 64 | 128, OUTCOME_PASSED, NULL },
		{ "smart-ata.json", 4, OUTCOME_PASSED, NULL },
		{ "smart-ata.json", 8, OUTCOME_FAILED, "failing" },
		{ "smart-ata.json", 16, OUTCOME_FAILED, "threshold" },
		{ "smart-ata.json", 2, OUTCOME_FAILED, "no reason" },
		{ "smart-virtio.json", 1, OUTCOME_SKIPPED, "no disk of this arm" },
		{ "smart-scsi-none.json", 4, OUTCOME_SKIPPED, "no disk of this arm" },
		{ "hdparm-none", 0, OUTCOME_FAILED, NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *path = mem_printf("/dev/disk%zu", i);
		_cleanup_free_ char *file = mem_printf("%s%s", SUITE_DATA, rows[i].file);
		struct run run;

		disk.path = path; // no reading before this one
		program(file, rows[i].status);
		run = go();
		ended(&run, rows[i].want, rows[i].why);
	}
	disk.path = "/dev/fake";
}

static void growth_between_two_readings_fails(void **state)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	_cleanup_free_ char *file = mem_printf("%s/grown.json", dir);
	struct run run;
	char *at;

	(void)state;
	program(SUITE_DATA "smart-ata.json", 0);
	run = go();
	ended(&run, OUTCOME_PASSED, NULL);
	load_data("smart-ata.json", &text);
	at = strstr(text.data, "UDMA_CRC_Error_Count");
	assert_non_null(at);
	at = strstr(at, "\"string\": \"3\"");
	assert_non_null(at);
	at[11] = '9';
	assert_int_equal(io_replace_file(file, text.data, text.len), 0);
	program(file, 0);
	run = go();
	ended(&run, OUTCOME_FAILED, "crc_errors grew from 3 to 9");
	run = go(); // and no further
	ended(&run, OUTCOME_PASSED, NULL);
	unlink(file);
}

static int set_up(void **state)
{
	(void)state;
	fake_reset();
	return mkdtemp(dir) ? 0 : -1;
}

static int clean_up(void **state)
{
	_cleanup_free_ char *path = mem_printf("%s/smartctl", dir);

	(void)state;
	unlink(path);
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ata_scsi_and_nvme_are_read),
		cmocka_unit_test(a_disk_without_health_data_is_unsupported),
		cmocka_unit_test(only_counts_of_errors_spoil),
		cmocka_unit_test(selftests_run_pass_and_fail),
		cmocka_unit_test(bits_of_the_exit_status_are_told_apart),
		cmocka_unit_test(growth_between_two_readings_fails),
	};

	return cmocka_run_group_tests(tests, set_up, clean_up);
}
