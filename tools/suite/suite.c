// SPDX-License-Identifier: GPL-3.0-or-later
// One arm in one block: built, tested, torn down.
#include <string.h>

#include "common/clock.h"
#include "common/mem.h"
#include "stack/node.h"
#include "stack/readahead.h"
#include "suite/gone.h"
#include "suite/order.h"
#include "suite/runner.h"

char *runner_where(const struct runner *r, const struct place *at)
{
	_cleanup_free_ char *test =
		at->test ? mem_printf(", test %s", at->test->name) : mem_strdup("");

	if (at->block == 0)
		return mem_printf("warm-up block, arm %s%s", at->arm->name, test);
	return mem_printf("block %u/%u, arm %s%s", at->block, r->suite->plan->blocks,
			  at->arm->name, test);
}

void runner_say(const struct runner *r, const char *fmt, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list ap;

	if (!r->suite->say)
		return;
	va_start(ap, fmt);
	text = mem_vprintf(fmt, ap);
	va_end(ap);
	r->suite->say(text, r->suite->arg);
}

// Looks whether anything may still be started; if not, r->stop says why.
static bool may_start(struct runner *r)
{
	_cleanup_strbuf_ struct strbuf why = { 0 };

	if (r->stop)
		return false;
	if (r->suite->deadline_ns && clock_mono_ns() >= r->suite->deadline_ns)
		r->stop = mem_strdup("the time for the whole campaign was over");
	else if (gone_check(r->suite->targets, r->suite->n_targets, &why))
		r->stop = strbuf_take(&why);
	return !r->stop;
}

static void run_tests(struct runner *r, struct place *at, struct stack *stack,
		      const char *not_built)
{
	for (size_t i = 0; i < r->suite->plan->n_tests; i++) {
		const struct json_object *past;

		at->test = &r->suite->plan->tests[i];
		r->index++;
		past = runner_past(r, at);
		if (past)
			runner_record_past(r, at, past);
		else if (not_built)
			runner_test(r, at, stack,
				    json_get_int(at->cut, "count", 0) > 0
					    ? OUTCOME_FAILED
					    : OUTCOME_ABORTED,
				    not_built);
		else if (!may_start(r))
			runner_test(r, at, stack, OUTCOME_NOT_RUN, r->stop);
		else
			runner_test(r, at, stack, OUTCOME_NOT_RUN, NULL);
		if (r->suite->between)
			r->suite->between(r->suite->arg);
	}
	at->test = NULL;
}

static bool all_past(const struct runner *r, const struct place *at)
{
	struct place p = *at;

	for (size_t i = 0; i < r->suite->plan->n_tests; i++) {
		p.test = &r->suite->plan->tests[i];
		if (!runner_past(r, &p))
			return false;
	}
	return true;
}

// What a layer says about itself that a person must not miss.
static void pass_warnings(struct runner *r, const char *where,
			  const struct json_object *layers)
{
	for (size_t i = 0; i < json_object_array_length(layers); i++) {
		const char *text =
			json_get_str(json_object_array_get_idx(layers, i), "warning");

		if (!text)
			continue;
		campaign_warn(r->suite->campaign, "%s: %s", where, text);
		runner_say(r, "%s: %s", where, text);
	}
}

// A disk's layers each get their own read-ahead from the kernel; what is compared are the
// layers, not that.
static void level_readahead(struct runner *r, const char *where)
{
	for (size_t i = 0; i < r->suite->n_targets; i++) {
		_cleanup_free_ char *name =
			node_kernel_name(target_path(r->suite->targets[i]));
		_cleanup_strbuf_ struct strbuf odd = { 0 };
		int kib = name ? readahead_equal("", name, &odd) : 0;

		if (odd.len)
			campaign_warn(r->suite->campaign,
				      "%s: the read-ahead of %s could not be made that "
				      "of %s (%d KiB)",
				      where, strbuf_str(&odd), name, kib);
	}
}

static int build(struct runner *r, const struct place *at, struct stack *stack,
		 struct err *err)
{
	struct arm_event e = { .phase = "build", .outcome = OUTCOME_PASSED };
	_cleanup_free_ char *where = runner_where(r, at);
	_cleanup_free_ char *text = plan_stack_text(at->arm->layers, at->arm->n);
	int res;

	runner_say(r, "%s: %s %s", where, stack->arm->open ? "opening" : "building",
		   text);
	e.started_ns = clock_mono_ns();
	res = stack_up(stack, err);
	e.ended_ns = clock_mono_ns();
	if (res < 0) {
		e.outcome = OUTCOME_FAILED;
		e.why = err->text;
		runner_say(r, "%s: not built: %s", where, err->text);
	} else {
		level_readahead(r, where);
		e.layers = stack_json(stack);
		pass_warnings(r, where, e.layers);
		r->layers = json_object_get(e.layers);
	}
	runner_record_arm(r, at, &e);
	return res;
}

// What is left on the targets would falsify or break the next arm. One attempt is made
// to remove it; what then still is there stops the campaign.
static void clear_leftovers(struct runner *r, const char *where, const char *names)
{
	const struct suite *s = r->suite;
	_cleanup_strbuf_ struct strbuf still = { 0 };
	_cleanup_free_ char *list = mem_strdup(names);
	struct err err = { 0 };

	for (char *p = list; *p; p++) // for one sentence
		if (*p == '\n')
			*p = p[1] ? ',' : '\0';
	campaign_warn(s->campaign, "%s: left behind by the tear-down: %s", where, list);
	stack_clear(s->targets, s->n_targets, &err);
	if (stack_leftovers(s->targets, s->n_targets, &still) == 0) {
		campaign_warn(s->campaign, "%s: a second attempt removed it", where);
		runner_say(r, "%s: left behind and then removed: %s", where, list);
		return;
	}
	if (!r->stop)
		r->stop = mem_printf("the disk is held by what the tear-down of %s left "
				     "behind: %s%s%s",
				     where, list, *err.text ? "; " : "", err.text);
	runner_say(r, "%s: %s", where, r->stop);
}

static void tear_down(struct runner *r, const struct place *at, struct stack *stack)
{
	const struct suite *s = r->suite;
	struct arm_event e = { .phase = "teardown", .outcome = OUTCOME_PASSED };
	_cleanup_free_ char *where = runner_where(r, at);
	_cleanup_strbuf_ struct strbuf left = { 0 };
	struct err err = { 0 };
	size_t n;
	int res;

	json_object_put(TAKE_PTR(r->layers));
	e.started_ns = clock_mono_ns();
	res = stack_down(stack, &err);
	e.ended_ns = clock_mono_ns();
	n = stack_leftovers(s->targets, s->n_targets, &left);
	if (res < 0 || n) {
		e.outcome = OUTCOME_FAILED;
		e.why = res < 0 ? err.text : "something is left on the disk";
		e.leftovers = n ? strbuf_str(&left) : NULL;
	}
	if (res < 0 && !n)
		campaign_warn(s->campaign, "%s: tear-down: %s", where, err.text);
	runner_record_arm(r, at, &e);
	if (n)
		clear_leftovers(r, where, strbuf_str(&left));
}

static void skip_arm(struct runner *r, struct place *at, struct stack *stack)
{
	struct arm_event e = { .phase = "build", .why = r->stop };

	e.started_ns = e.ended_ns = clock_mono_ns();
	runner_record_arm(r, at, &e);
	run_tests(r, at, stack, NULL); // records each as not run, with the reason
}

// A number from which the arm's keys follow, where a test of the plan opens again what
// the arm made; else 0, for keys that nobody keeps.
static uint64_t key_seed(const struct runner *r, unsigned block)
{
	const struct plan *plan = r->suite->plan;

	for (size_t i = 0; i < plan->n_tests; i++) {
		const struct test_ops *ops = test_find(plan->tests[i].engine);

		if (ops && ops->known_keys)
			return order_block_seed(plan->seed, block) | 1;
	}
	return 0;
}

// After a power cut a stack that cannot be opened is what was to be found out.
static char *why_not_built(const struct place *at, const struct err *err)
{
	long long n = json_get_int(at->cut, "count", 0);

	if (!at->cut)
		return mem_printf("the stack could not be built: %s", err->text);
	if (n == 0)
		return mem_printf(
			"after the power cut the stack cannot be opened; nothing "
			"was acknowledged before it: %s",
			err->text);
	return mem_printf(
		"all %lld acknowledged writes are lost: after the power cut the "
		"stack cannot even be opened: %s",
		n, err->text);
}

void runner_arm(struct runner *r, struct place *at)
{
	const struct suite *s = r->suite;
	struct stack stack = {
		.arm = at->arm,
		.targets = s->targets,
		.n_targets = s->n_targets,
		.keys = s->keys,
		.key_seed = at->arm->open ? 0 : key_seed(r, at->block),
	};
	struct plan_arm again = *at->arm; // the same, opened and not made anew
	_cleanup_free_ char *not_built = NULL;
	struct err err = { 0 };

	at->cut = runner_cut(r, at);
	if (at->cut) {
		again.open = again.scratch = true;
		stack.arm = &again;
	}
	if (all_past(r, at)) {
		run_tests(r, at, &stack, NULL);
	} else if (!may_start(r)) {
		skip_arm(r, at, &stack);
	} else {
		if (build(r, at, &stack, &err) < 0)
			not_built = why_not_built(at, &err);
		run_tests(r, at, &stack, not_built);
		tear_down(r, at, &stack);
	}
	stack_done(&stack);
}
