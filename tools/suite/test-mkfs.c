// SPDX-License-Identifier: GPL-3.0-or-later
// Engine mkfs: how long it takes to make the filesystem of the arm, as the plan says it
// is to be. What was on it is gone; tests after it find it fresh.
#include <string.h>

#include "common/clock.h"
#include "common/mem.h"
#include "suite/engines.h"
#include "suite/median.h"
#include "suite/run.h"

static const struct param_spec params[] = {
	{ .key = "repeat",
	  .type = PARAM_UINT,
	  .fallback = "3",
	  .min = 1,
	  .max = 1000,
	  .help = "how often; the median counts" },
	TEST_COMMON_PARAMS,
	{ 0 },
};

static const char *refused(const struct plan_test *test _unused_,
			   const struct plan_arm *arm)
{
	return arm->open ? "this arm is opened, and its filesystem must not be made anew"
			 : NULL;
}

// The time that mkfs itself took, as the layer tells, or the whole of making it.
static double made_in(const struct layer *top, uint64_t started_ns)
{
	_cleanup_json_ struct json_object *o = json_new();
	double whole = (double)(clock_mono_ns() - started_ns) / 1e9;

	if (top->ops->describe)
		top->ops->describe(top, o);
	return json_get_double(o, "mkfs_seconds", whole);
}

static void run_mkfs(struct run *run)
{
	const struct plan_test *test = run->test;
	size_t n = (size_t)param_uint(test->params, test->n, params, "repeat");
	_cleanup_free_ double *took = mem_new(n, sizeof(*took));
	uint64_t end = clock_mono_ns() + run->timeout_ns;
	struct json_object *all = json_new_array();
	struct err err = { 0 };

	json_set(run->detail, "seconds", all);
	run->total = n;
	for (size_t i = 0; i < n; i++) {
		uint64_t start = clock_mono_ns();

		if (start >= end) {
			run_end(run, OUTCOME_ABORTED,
				"the time for this run was over after %zu of %zu", i, n);
			return;
		}
		if (stack_remake_top(run->stack, &err) < 0) {
			run_end(run, OUTCOME_FAILED, "%s", err.text);
			return;
		}
		took[i] = made_in(&run->stack->layers[run->stack->n_up - 1], start);
		json_append(all, json_object_new_double(took[i]));
		run->done = i + 1;
		if (run->tick)
			run->tick(run->tick_arg);
	}
	metric_add(&run->metrics, "make", "s", BETTER_LOWER, BOUND_EXACT,
		   median(took, n));
	run_end(run, OUTCOME_PASSED, NULL);
}

const struct test_ops test_mkfs = {
	.engine = "mkfs",
	.help = "makes the filesystem of the arm again and again, and times it",
	.place = TEST_ON_DIR,
	.params = params,
	.refused = refused,
	.run = run_mkfs,
};
