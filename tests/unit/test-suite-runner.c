// SPDX-License-Identifier: GPL-3.0-or-later
// The runner: order, one record for each test whatever happens, tear-down, resuming.
#include "suite-campaign.h"

#include <dirent.h>

#include "common/clock.h"
#include "common/io.h"
#include "suite/cpu.h"

static void runs_blocks_in_order(void **state)
{
	size_t order[3], at = 0, lines = 0;
	struct strbuf file = { 0 };
	char *path;

	(void)state;
	begin("blocks = 2", "[test null]\n[test two]\nengine = null\nvalue = 2.5\n");
	assert_int_equal(suite_run(&it.suite, NULL), 0);
	// for each arm: built, two tests, torn down
	assert_int_equal(n_records(), 2 * 3 * 4);
	for (unsigned block = 1; block <= 2; block++) {
		suite_order(42, block, 3, order);
		for (size_t i = 0; i < 3; i++, at += 4) {
			const char *arm = it.plan.arms[order[i]].name;

			assert_true(is(record(at), "phase", "build"));
			assert_true(is(record(at + 1), "test", "null"));
			assert_true(is(record(at + 2), "test", "two"));
			assert_true(is(record(at + 3), "phase", "teardown"));
			for (size_t j = 0; j < 4; j++) {
				struct json_object *o = record(at + j);

				assert_true(is(o, "arm", arm));
				assert_true(is(o, "outcome", "passed"));
				assert_int_equal(json_get_int(o, "block", 0), block);
				assert_int_equal(json_get_int(o, "order", 0), i + 1);
			}
			assert_int_equal(json_get_int(record(at + 2), "index", 0),
					 at / 2 + 2);
		}
	}
	assert_int_equal(it.campaign.verdict, OUTCOME_PASSED);
	assert_null(it.campaign.why);
	assert_int_equal(fake.ups, 6);
	assert_int_equal(fake.downs, 6);
	assert_int_equal(fake.drops, 12);
	assert_int_equal(it.between, 12);
	assert_true(json_get_double(it.campaign.boot, "first_io", 0) > 0);
	path = mem_printf("%s/records.jsonl", store_ram_path(it.store));
	assert_int_equal(io_read_file(path, &file, 1 << 20), 0);
	for (size_t i = 0; i < file.len; i++)
		lines += file.data[i] == '\n';
	assert_true(lines >= n_records());
	assert_non_null(strstr(file.data, "\"value\":2.5"));
	free(path);
	strbuf_done(&file);
	end();
}

static void a_failed_test_stops_nothing(void **state)
{
	(void)state;
	begin("blocks = 2", "[test bad]\nengine = null\nresult = failed\n[test null]\n");
	assert_int_equal(suite_run(&it.suite, NULL), 0);
	assert_int_equal(count(NULL, "failed", "told to fail"), 6);
	assert_int_equal(count(NULL, "passed", NULL), 6);
	assert_int_equal(it.campaign.verdict, OUTCOME_FAILED);
	// the first of the worst is kept; arm b is first in block 1
	assert_string_equal(it.campaign.why,
			    "block 1/2, arm b, test bad: null: told to fail");
	end();
}

static void a_stack_that_cannot_be_built(void **state)
{
	(void)state;
	begin("blocks = 1", "[test null]\n[test two]\nengine = null\n");
	fake.up_fails = "c";
	assert_int_equal(suite_run(&it.suite, NULL), 0);
	assert_int_equal(count("c", "aborted",
			       "the stack could not be built: layer luks2: no such "
			       "cipher"),
			 2);
	assert_int_equal(count("a", "passed", NULL), 2);
	assert_int_equal(count("b", "passed", NULL), 2);
	assert_int_equal(fake.downs, 3);
	assert_int_equal(it.campaign.verdict, OUTCOME_FAILED);
	assert_string_equal(it.campaign.why,
			    "block 1/1, arm c: layer luks2: no such cipher");
	end();
}

// Invalidation that is denied is no footnote: such runs read memory, not the disk.
static void caches_that_are_not_dropped_trip_a_gate(void **state)
{
	(void)state;
	begin("blocks = 1", "[test null]\n");
	fake.drop_fails = "caches not dropped: Permission denied";
	assert_int_equal(suite_run(&it.suite, NULL), 0);
	assert_int_equal(count(NULL, "passed", NULL), 3);
	for (size_t i = 0; i < n_records(); i++)
		if (is(record(i), "kind", "run"))
			assert_string_equal(
				json_line(json_get(record(i), "gates")),
				"[{\"name\":\"cache\",\"words\":\"caches not dropped: "
				"Permission denied\"}]");
	end();
}

static void every_run_has_its_account(void **state)
{
	struct json_object *before;

	(void)state;
	begin("blocks = 1", "[test null]\n");
	it.suite.baseline_ns = CLOCK_SECOND / 50;
	assert_int_equal(suite_run(&it.suite, NULL), 0);
	for (size_t i = 0; i < n_records(); i++) {
		struct json_object *detail = json_get(record(i), "detail");

		if (!is(record(i), "kind", "run"))
			continue;
		assert_true(json_get_double(json_get(detail, "cpu"), "elapsed_s", 0) > 0);
		assert_non_null(json_get(detail, "devices"));
		assert_non_null(strstr(json_line(record(i)), "{\"name\":\"cpu\","));
		assert_null(json_get(record(i), "gates"));
	}
	before = json_get(it.campaign.environment, "before");
	assert_true(json_get_double(json_get(before, "baseline"), "measured_s", 0) >=
		    0.02);
	assert_null(json_get(before, "quiet")); // this is nobody's machine to set up
	assert_non_null(json_get(it.campaign.environment, "after"));
	end();
}

static void leftovers_are_removed_and_told(void **state)
{
	(void)state;
	begin("blocks = 1", "[test null]\n");
	fake.leftovers = "assay-b-1\n/run/assay/mnt/b\n";
	fake.clear_helps = true;
	assert_int_equal(suite_run(&it.suite, NULL), 0);
	assert_int_equal(count(NULL, "passed", NULL), 3);
	assert_int_equal(fake.clears, 1);
	assert_int_equal(it.campaign.verdict, OUTCOME_FAILED);
	assert_string_equal(it.campaign.why, "block 1/1, arm b: layer ext4: busy");
	assert_non_null(strstr(json_line(record(2)),
			       "\"leftovers\":[\"assay-b-1\",\"/run/assay/mnt/b\"]"));
	assert_non_null(strstr(json_line(it.campaign.warnings),
			       "arm b: left behind by the tear-down: "
			       "assay-b-1,/run/assay/mnt/b"));
	end();
}

static void leftovers_that_stay_stop_it(void **state)
{
	struct err err = { 0 };

	(void)state;
	begin("blocks = 2", "[test null]\n");
	fake.leftovers = "assay-b-1\n/run/assay/mnt/b\n";
	assert_int_equal(suite_run(&it.suite, &err), -EIO);
	assert_non_null(strstr(err.text, "assay-b-1 cannot be removed"));
	assert_int_equal(fake.ups, 1);
	assert_int_equal(count(NULL, "passed", NULL), 1);
	assert_int_equal(count(NULL, "not-run", "the disk is held by"), 5);
	assert_int_equal(it.campaign.verdict, OUTCOME_FAILED);
	end();
}

static void a_vanished_disk_stops_it(void **state)
{
	struct err err = { 0 };

	(void)state;
	begin("blocks = 2", "[test null]\nresult = failed\n[test two]\nengine = null\n");
	fake.gone_after = 1;
	assert_int_equal(suite_run(&it.suite, &err), -EIO);
	assert_string_equal(err.text, "the suite was stopped: the disk /dev/sda (WD, "
				      "serial X) has vanished");
	assert_int_equal(fake.ups, 1); // no destructive start after that
	assert_int_equal(fake.downs, 1);
	assert_int_equal(count(NULL, "aborted", "has vanished; null: told to fail"), 1);
	assert_int_equal(count(NULL, "not-run", "has vanished"), 11);
	assert_int_equal(it.campaign.verdict, OUTCOME_ABORTED);
	end();
}

static void every_test_has_its_deadline(void **state)
{
	(void)state;
	begin("blocks = 1", "[test null]\nresult = hang\ntimeout = 50ms\n");
	assert_int_equal(suite_run(&it.suite, NULL), 0);
	assert_int_equal(count(NULL, "aborted", "deadline"), 3);
	end();
}

static void the_campaign_has_one_too(void **state)
{
	(void)state;
	begin("blocks = 1", "[test null]\nresult = hang\n");
	it.suite.deadline_ns = clock_mono_ns() + 2 * CLOCK_SECOND;
	assert_int_equal(suite_run(&it.suite, NULL), -EIO);
	assert_int_equal(count(NULL, "aborted", "deadline"), 1);
	assert_int_equal(count(NULL, "not-run", "the time for the whole campaign"), 2);
	end();
}

static void arms_that_cannot_carry_a_test(void **state)
{
	(void)state;
	begin("blocks = 1", "[test bonnie]\nsize = 900T\n");
	fake.dir = "/tmp";
	assert_int_equal(suite_run(&it.suite, NULL), 0);
	assert_int_equal(count("a", "skipped", "this arm has no filesystem"), 1);
	assert_int_equal(count("c", "skipped", "this arm has no filesystem"), 1);
	assert_int_equal(count("b", "failed", "too little room"), 1);
	end();
}

static void resumes_what_did_not_pass(void **state)
{
	static const char old[] =
		"[{\"kind\":\"run\",\"block\":1,\"arm\":\"b\",\"test\":\"null\","
		"\"outcome\":\"passed\",\"seq\":7,\"metrics\":[]},"
		"{\"kind\":\"run\",\"block\":1,\"arm\":\"b\",\"test\":\"two\","
		"\"outcome\":\"passed\"},"
		"{\"kind\":\"run\",\"block\":1,\"arm\":\"a\",\"test\":\"null\","
		"\"outcome\":\"failed\"},"
		"{\"kind\":\"run\",\"block\":2,\"arm\":\"c\",\"test\":\"two\","
		"\"outcome\":\"passed\"}]";
	struct past_campaign past = { .past = PAST_DIED, .dir = mem_strdup("old") };
	unsigned resumed = 0;

	(void)state;
	past.runs = json_parse_text(old, sizeof(old) - 1, NULL);
	assert_non_null(past.runs);
	begin("blocks = 1", "[test null]\n[test two]\nengine = null\n");
	it.suite.resume = &past;
	assert_int_equal(suite_run(&it.suite, NULL), 0);
	assert_int_equal(count(NULL, "passed", NULL), 6); // one record each, as ever
	assert_int_equal(fake.ups, 2);                    // arm b is not built again
	for (size_t i = 0; i < n_records(); i++)
		resumed += is(record(i), "resumed_from", "old");
	assert_int_equal(resumed, 2);
	assert_int_equal(it.campaign.verdict, OUTCOME_PASSED);
	end();
	json_object_put(past.runs);
	free(past.dir);
}

static void checks_tests(void **state)
{
	struct fault_list f = { 0 };
	_cleanup_strbuf_ struct strbuf all = { 0 };

	(void)state;
	begin("blocks = 1", "[test null]\n[test bonny]\n[test x]\nengine = bonnie\n"
			    "ram = 4G\nsize = 4G\n[test y]\nengine = fio\n"
			    "filename = /dev/sda\n[test z]\nengine = hdparm\nwhat = 1\n");
	suite_check(&it.plan, &f);
	for (size_t i = 0; i < f.n; i++)
		strbuf_printf(&all, "%s\n", f.items[i].text);
	if (f.n != 4)
		fail_msg("%zu faults: %s", f.n, strbuf_str(&all));
	assert_non_null(
		strstr(all.data, "no engine \"bonny\"; did you mean \"bonnie\"?"));
	assert_non_null(strstr(all.data, "less than twice ram"));
	assert_non_null(strstr(all.data, "filename is not for a plan"));
	assert_non_null(strstr(all.data, "test z: unknown parameter \"what\""));
	fault_done(&f);
	it.plan.n_arms = 1; // arm a, the bare disk
	it.plan.n_tests = 3;
	suite_check(&it.plan, &f);
	assert_non_null(strstr(f.items[f.n - 1].text, "test x: no arm can carry bonnie"));
	fault_done(&f);
	it.plan.n_arms = 3;
	it.plan.n_tests = 5;
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_blocks_in_order),
		cmocka_unit_test(a_failed_test_stops_nothing),
		cmocka_unit_test(a_stack_that_cannot_be_built),
		cmocka_unit_test(caches_that_are_not_dropped_trip_a_gate),
		cmocka_unit_test(every_run_has_its_account),
		cmocka_unit_test(leftovers_are_removed_and_told),
		cmocka_unit_test(leftovers_that_stay_stop_it),
		cmocka_unit_test(a_vanished_disk_stops_it),
		cmocka_unit_test(every_test_has_its_deadline),
		cmocka_unit_test(the_campaign_has_one_too),
		cmocka_unit_test(arms_that_cannot_carry_a_test),
		cmocka_unit_test(resumes_what_did_not_pass),
		cmocka_unit_test(checks_tests),
	};

	return cmocka_run_group_tests(tests, set_up, clean_up);
}
