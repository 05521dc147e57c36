// SPDX-License-Identifier: GPL-3.0-or-later
// Small files: the number grows until it can be timed, and nothing is left.
#include "suite-fakes.h"

#include <sys/stat.h>

#include "common/clock.h"
#include "suite/engines.h"
#include "suite/median.h"
#include "suite/run.h"
#include "suite/small-files.h"

static char dir[] = "/dev/shm/assay-files-XXXXXX";
static struct plan_arm arm = { .name = (char[]){ "plain" } };
static struct plan_param params[6];
static struct plan_test test = { .params = params };
static struct stack stack;
static uint64_t limit_ns = 60 * CLOCK_SECOND;

static void param(const char *key, const char *value)
{
	params[test.n].key = (char *)(uintptr_t)key;
	params[test.n++].value = (char *)(uintptr_t)value;
}

static struct run go(void)
{
	struct run run = {
		.arm = &arm,
		.test = &test,
		.ops = &test_files,
		.stack = &stack,
		.seed = 5,
		.timeout_ns = limit_ns,
		.detail = json_new(),
	};

	fake_reset();
	fake.dir = dir;
	test.engine = test.name = (char *)(uintptr_t) "files";
	test_files.run(&run);
	test.n = 0;
	return run;
}

static void the_number_is_raised_until_it_lasts(void **state)
{
	struct run run;

	(void)state;
	param("files", "10");
	param("time", "50ms");
	param("size", "100");
	run = go();
	if (run.outcome != OUTCOME_PASSED)
		fail_msg("%s", run.why);
	assert_true(json_get_int(run.detail, "rounds", 0) > 1);
	assert_true(json_get_int(run.detail, "files", 0) > 10);
	for (size_t i = 0; i < 3; i++) {
		static const char *const names[] = { "create", "stat", "delete" };
		static const char *const times[] = { "create_s", "stat_s", "delete_s" };
		const struct metric *m = metric_find(&run.metrics, names[i]);

		assert_non_null(m);
		assert_int_equal(m->bound, BOUND_EXACT);
		assert_true(json_get_double(run.detail, times[i], 0) >= 0.05);
		assert_true(m->value > 0);
	}
	run_done(&run);
}

static void a_limit_is_said(void **state)
{
	struct run run;

	(void)state;
	param("files", "10");
	param("most", "15");
	param("time", "100s");
	limit_ns = CLOCK_SECOND / 5;
	run = go();
	limit_ns = 60 * CLOCK_SECOND;
	// looking lasts as long as it must even so: it is repeated
	assert_int_equal(run.outcome, OUTCOME_ABORTED);
	run_done(&run);
	param("files", "10");
	param("most", "15");
	param("time", "20ms");
	run = go();
	if (json_get_int(run.detail, "rounds", 0) == 1 && json_get(run.detail, "limited"))
		assert_non_null(json_get(run.detail, "notes"));
	assert_int_equal(run.outcome, OUTCOME_PASSED);
	assert_int_equal(json_get_int(run.detail, "files", 0), 10);
	run_done(&run);
}

static void the_next_number_has_bounds(void **state)
{
	(void)state;
	assert_int_equal(small_files_next(1000, 1, 5), 6666);
	assert_int_equal(small_files_next(1000, 4.9, 5), 2000);
	assert_int_equal(small_files_next(1000, 0.001, 5), 16000);
	assert_int_equal(small_files_next(1000, 0, 5), 16000);
}

static void too_few_at_most_is_a_fault(void **state)
{
	struct fault_list faults = { 0 };

	(void)state;
	param("files", "100");
	param("most", "50");
	test.name = (char *)(uintptr_t) "f";
	test_files.check(&test, "plan", &faults);
	assert_int_equal(faults.n, 1);
	test.n = 0;
	fault_done(&faults);
}

static void the_median_is_in_the_middle(void **state)
{
	double odd[] = { 3, 1, 2 }, even[] = { 4, 1, 3, 2 };

	(void)state;
	assert_true(median(odd, 3) == 2);
	assert_true(median(even, 4) == 2.5);
	assert_true(median(odd, 0) == 0);
}

static int set_up(void **state)
{
	(void)state;
	return mkdtemp(dir) ? 0 : -1;
}

static int clean_up(void **state)
{
	(void)state;
	return rmdir(dir); // fails when files were left
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_number_is_raised_until_it_lasts),
		cmocka_unit_test(a_limit_is_said),
		cmocka_unit_test(the_next_number_has_bounds),
		cmocka_unit_test(too_few_at_most_is_a_fault),
		cmocka_unit_test(the_median_is_in_the_middle),
	};

	return cmocka_run_group_tests(tests, set_up, clean_up);
}
