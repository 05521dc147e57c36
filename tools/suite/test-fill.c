// SPDX-License-Identifier: GPL-3.0-or-later
// Engine fill: the top of the stack overwritten with random data, once, and a sample of
// it read back. Before encryption it hides how much of a disk is in use; before a
// comparison on an SSD it makes every block a mapped one.
#include "common/mem.h"
#include "stack/devmap.h"
#include "suite/engines.h"
#include "suite/fill-work.h"
#include "suite/work.h"

static const struct param_spec params[] = {
	{ .key = "sample",
	  .type = PARAM_UINT,
	  .fallback = "1024",
	  .min = 2,
	  .max = 1 << 14,
	  .help = "pieces of 64 KiB that are read back, the first and the last among "
		  "them" },
	TEST_TIMEOUT_PARAM("1000h"),
	TEST_CAP_PARAM,
	{ 0 },
};

static const char *refused(const struct plan_test *test _unused_,
			   const struct plan_arm *arm)
{
	return test_refused_bare(arm);
}

static int work(void *arg, int out)
{
	return fill_run(arg, out);
}

static void add_rate(struct run *run, const struct json_object *o, const char *name,
		     const char *bytes, const char *seconds)
{
	double s = json_get_double(o, seconds, 0);

	if (s > 0)
		metric_add(&run->metrics, name, "B/s", BETTER_HIGHER, BOUND_EXACT,
			   (double)json_get_int(o, bytes, 0) / s);
}

static void heard(struct run *run, struct json_object *o, void *arg _unused_)
{
	run_add_detail(run, o);
	add_rate(run, o, "write", "bytes", "write_s");
}

static void run_fill(struct run *run)
{
	const struct plan_test *test = run->test;
	_cleanup_free_ char *mapping = mem_printf("assay-fill-%u", run->index);
	struct fill f = {
		.device = stack_device(run->stack),
		.mapping = mapping,
		.pieces = param_uint(test->params, test->n, params, "sample"),
		.seed = run->seed,
	};
	const struct work w = { .work = work, .heard = heard, .arg = &f };
	struct err err = { 0 };

	if (run_may_overwrite(run, f.device) < 0)
		return;
	if (devmap_init(&err) < 0) {
		run_end(run, OUTCOME_FAILED, "%s", err.text);
		return;
	}
	if (run_work(run, &w) == 0)
		run_end(run, OUTCOME_PASSED, NULL);
	if (devmap_remove(mapping, &err) < 0)
		run_end(run, OUTCOME_FAILED, "its mapping is left behind: %s", err.text);
}

const struct test_ops test_fill = {
	.engine = "fill",
	.help = "overwrites the top of the stack with random data, and reads a sample "
		"back",
	.place = TEST_ON_DEVICE,
	.params = params,
	.refused = refused,
	.run = run_fill,
};
