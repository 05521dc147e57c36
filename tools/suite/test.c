// SPDX-License-Identifier: GPL-3.0-or-later
// The table of engines, and what is wrong with the tests of a plan.
#include <string.h>

#include "common/mem.h"
#include "plan/nearest.h"
#include "suite/engines.h"
#include "suite/suite.h"

const struct test_ops *const test_engines[] = {
	&test_badblocks,
	&test_bonnie,
	&test_cryptobench,
	&test_files,
	&test_fill,
	&test_fio,
	&test_hdparm,
	&test_mkfs,
	&test_null,
	&test_powercut,
	&test_smart,
	&test_unlock,
	NULL,
};

const struct test_ops *test_find(const char *engine)
{
	for (size_t i = 0; test_engines[i]; i++)
		if (strcmp(test_engines[i]->engine, engine) == 0)
			return test_engines[i];
	return NULL;
}

const char *test_param(const struct plan_test *test, const struct param_spec *spec,
		       const char *key)
{
	return param_text(test->params, test->n, spec, key);
}

bool test_param_known(const struct param_spec *spec, const char *key)
{
	for (; spec && spec->key; spec++)
		if (strcmp(spec->key, key) == 0)
			return true;
	return false;
}

static enum layer_place top_place(const struct plan_arm *arm)
{
	const struct layer_ops *top =
		arm->n > 1 ? layer_find(arm->layers[arm->n - 1].kind) : NULL;

	return top ? top->place : LAYER_MAKES_BLOCK;
}

const char *test_refused_bare(const struct plan_arm *arm)
{
	if (arm->open)
		return "this arm is opened, and what it holds must not be overwritten";
	return top_place(arm) == LAYER_MAKES_BLOCK
		       ? NULL
		       : "this arm ends in something that uses its device; the test "
			 "needs one that ends in a block device";
}

const char *test_refused(const struct test_ops *ops, const struct plan_test *test,
			 const struct plan_arm *arm)
{
	enum layer_place top = top_place(arm);
	const char *why = ops->refused ? ops->refused(test, arm) : NULL;

	if (why)
		return why;
	if (top == LAYER_MAKES_SWAP && ops == &test_fio)
		return "this arm ends in swap, which is in use";
	if (ops->place != TEST_ON_DIR)
		return NULL;
	if (top != LAYER_MAKES_FS)
		return "this arm has no filesystem";
	if (arm->open && !arm->scratch)
		return "this arm is opened to be read only; with `scratch = yes` the "
		       "test "
		       "may use a file on its filesystem";
	return NULL;
}

static void check_engine(const struct plan *plan, const struct plan_test *test,
			 struct fault_list *faults)
{
	_cleanup_strbuf_ struct strbuf hint = { 0 };
	const char *names[32] = { NULL };

	for (size_t i = 0; test_engines[i] && i + 1 < ARRAY_SIZE(names); i++)
		names[i] = test_engines[i]->engine;
	nearest_hint(&hint, test->engine, names);
	fault_add(faults, plan->file, test->line, "test %s: no engine \"%s\"%s",
		  test->name, test->engine, strbuf_str(&hint));
}

// Parameters that are the tool's own are its engine's to check.
static void check_params(const struct plan *plan, const struct plan_test *test,
			 const struct test_ops *ops, struct fault_list *faults)
{
	_cleanup_free_ char *who = mem_printf("test %s", test->name);
	_cleanup_free_ struct plan_param *ours =
		mem_new(test->n, sizeof(struct plan_param));
	size_t n = 0;

	for (size_t i = 0; i < test->n; i++)
		if (!ops->any_params ||
		    test_param_known(ops->params, test->params[i].key))
			ours[n++] = test->params[i];
	param_check(ours, n, ops->params, false, who, plan->file, faults);
	if (ops->check)
		ops->check(test, plan->file, faults);
}

static void check_carried(const struct plan *plan, const struct plan_test *test,
			  const struct test_ops *ops, struct fault_list *faults)
{
	const char *why = NULL;

	for (size_t i = 0; i < plan->n_arms; i++) {
		why = test_refused(ops, test, &plan->arms[i]);
		if (!why)
			return;
	}
	if (why)
		fault_add(faults, plan->file, test->line,
			  "test %s: no arm can carry %s: %s", test->name, ops->engine,
			  why);
}

// The machine is gone after it, and what comes then must know of it.
static void check_cut(const struct plan *plan, const struct plan_test *test,
		      struct fault_list *faults)
{
	if (test != &plan->tests[plan->n_tests - 1])
		fault_add(faults, plan->file, test->line,
			  "test %s: %s ends the machine, so it must be the last test of "
			  "the plan",
			  test->name, test->engine);
	if (plan->results == RESULTS_SERIAL)
		fault_add(faults, plan->file, test->line,
			  "test %s: with results = serial the next boot would not know "
			  "of the power cut; it needs a stick",
			  test->name);
}

void suite_check(const struct plan *plan, struct fault_list *faults)
{
	for (size_t i = 0; i < plan->n_tests; i++) {
		const struct plan_test *test = &plan->tests[i];
		const struct test_ops *ops = test_find(test->engine);

		for (size_t j = 0; j < i; j++)
			if (strcmp(plan->tests[j].name, test->name) == 0)
				fault_add(
					faults, plan->file, test->line,
					"test %s: there is one of that name in line %d; "
					"give this one another and `engine = %s`",
					test->name, plan->tests[j].line, test->engine);
		if (!ops) {
			check_engine(plan, test, faults);
			continue;
		}
		check_params(plan, test, ops, faults);
		check_carried(plan, test, ops, faults);
		if (ops->cuts_power)
			check_cut(plan, test, faults);
	}
}
