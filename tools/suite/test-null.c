// SPDX-License-Identifier: GPL-3.0-or-later
// Engine null: measures nothing and ends as it is told; for tests of the whole pipeline.
#include <time.h>

#include "common/clock.h"
#include "common/number.h"
#include "suite/engines.h"
#include "suite/run.h"

static const char *const results[] = { "passed", "failed", "hang", "crash", NULL };

static const struct param_spec params[] = {
	{ .key = "result",
	  .type = PARAM_WORD,
	  .fallback = "passed",
	  .choices = results,
	  .help = "how it ends; crash ends this whole program" },
	{ .key = "value",
	  .type = PARAM_TEXT,
	  .fallback = "1",
	  .help = "number that it reports as the metric `value`, in 1/s" },
	{ .key = "time",
	  .type = PARAM_DURATION,
	  .fallback = "0s",
	  .help = "how long it takes" },
	TEST_COMMON_PARAMS,
	{ 0 },
};

static void check(const struct plan_test *test, const char *file,
		  struct fault_list *faults)
{
	const char *text = test_param(test, params, "value");
	double value;

	if (number_double(text, &value) < 0)
		fault_add(faults, file, test->line,
			  "test %s: value = \"%s\" is not a number", test->name, text);
}

static bool wait_ns(struct run *run, uint64_t ns)
{
	const struct timespec step = { .tv_nsec = 10 * 1000 * 1000 };
	uint64_t start = clock_mono_ns(), tick = start;

	while (clock_mono_ns() - start < ns) {
		if (clock_mono_ns() - start >= run->timeout_ns)
			return false;
		nanosleep(&step, NULL);
		if (run->tick && clock_mono_ns() - tick >= CLOCK_SECOND) {
			run->tick(run->tick_arg);
			tick = clock_mono_ns();
		}
	}
	return true;
}

static void run_null(struct run *run)
{
	const struct plan_test *test = run->test;
	const char *result = test_param(test, params, "result");
	uint64_t ns = param_duration(test->params, test->n, params, "time");
	double value = 0;

	if (*result == 'c')
		abort();
	if (*result == 'h')
		ns = UINT64_MAX;
	if (!wait_ns(run, ns)) {
		run_end(run, OUTCOME_ABORTED, "null: still waiting at its deadline");
		return;
	}
	if (*result == 'f') {
		run_end(run, OUTCOME_FAILED, "null: told to fail");
		return;
	}
	number_double(test_param(test, params, "value"), &value);
	metric_add(&run->metrics, "value", "1/s", BETTER_HIGHER, BOUND_EXACT, value);
	run_end(run, OUTCOME_PASSED, NULL);
}

static double seconds(const struct plan_test *test, double rate _unused_)
{
	return (double)param_duration(test->params, test->n, params, "time") / 1e9;
}

const struct test_ops test_null = {
	.engine = "null",
	.help = "measures nothing; ends as it is told",
	.place = TEST_ON_EITHER,
	.params = params,
	.check = check,
	.run = run_null,
	.seconds = seconds,
};
