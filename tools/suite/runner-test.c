// SPDX-License-Identifier: GPL-3.0-or-later
// One test on one arm in one block, with everything around it.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/clock.h"
#include "common/mem.h"
#include "common/number.h"
#include "suite/cache.h"
#include "suite/cgroup.h"
#include "suite/engines.h"
#include "suite/gone.h"
#include "suite/observe.h"
#include "suite/order.h"
#include "suite/run.h"
#include "suite/runner.h"

#define TICK_EVERY (10 * CLOCK_SECOND)

struct progress {
	const struct runner *runner;
	const struct run *run;
	const char *where;
	uint64_t start, next;
};

// ", 34 %, 1 h 20 min left", from what is done and how long it took.
static void how_far(const struct run *run, uint64_t elapsed, struct strbuf *to)
{
	double part = run->total ? (double)run->done / (double)run->total : 0;

	if (part <= 0)
		return;
	if (part > 1)
		part = 1;
	strbuf_printf(to, ", %.0f %%, ", floor(part * 100));
	number_format_duration(to, (uint64_t)((double)elapsed * (1 - part) / part));
	strbuf_puts(to, " left");
}

static void tick(void *arg)
{
	_cleanup_strbuf_ struct strbuf far = { 0 };
	struct progress *p = arg;
	uint64_t now = clock_mono_ns();

	if (p->run->cpu)
		cpu_look(p->run->cpu);
	if (now < p->next)
		return;
	how_far(p->run, now - p->run->started_ns, &far);
	runner_say(p->runner, "%s: %" PRIu64 " s%s", p->where,
		   (now - p->start) / CLOCK_SECOND, strbuf_str(&far));
	p->next = now + TICK_EVERY;
}

struct marking {
	struct runner *runner;
	const struct place *at;
};

static int mark(void *arg, const char *phase, uint64_t count)
{
	const struct marking *m = arg;

	return runner_record_cut(m->runner, m->at, phase, count);
}

static void say_to_person(void *arg, const char *text)
{
	const struct marking *m = arg;
	_cleanup_free_ char *where = runner_where(m->runner, m->at);

	runner_say(m->runner, "%s: %s", where, text);
}

static void enter_cgroup(struct runner *r, struct run *run, char **path)
{
	_cleanup_free_ char *name = mem_printf("run-%04u", run->index);
	struct err err = { 0 };

	if (cgroup_new(run_cgroup_root, name, path, &err) < 0 && !r->no_cgroup) {
		r->no_cgroup = true;
		campaign_warn(r->suite->campaign,
			      "tests run without a cgroup, so memory is not capped and "
			      "CPU time not counted: %s",
			      err.text);
	}
	run->cgroup = *path;
}

static void leave_cgroup(struct run *run, char *path)
{
	struct json_object *usage = json_new();
	struct err err = { 0 };

	run->cgroup = NULL;
	if (path)
		cgroup_usage(path, usage);
	json_set(run->detail, "cgroup", usage);
	if (cgroup_free(path, &err) < 0)
		run_note(run, "the run's cgroup is left behind: %s", err.text);
}

static uint64_t time_limit(const struct runner *r, const struct run *run)
{
	uint64_t limit = param_duration(run->test->params, run->test->n, run->ops->params,
					"timeout");
	uint64_t now = clock_mono_ns(), deadline = r->suite->deadline_ns;

	if (!deadline)
		return limit;
	if (deadline <= now)
		return 1; // over: ends at once
	return deadline - now < limit ? deadline - now : limit;
}

static void note_first_io(struct runner *r)
{
	struct json_object *boot = r->suite->campaign->boot;

	if (boot && !json_get(boot, "first_io"))
		json_set_double(boot, "first_io", (double)clock_mono_ns() / 1e9);
}

// An array that resyncs would be measured with its resync.
static void settle(struct run *run)
{
	struct json_object *state = json_new();
	struct err err = { 0 };

	if (stack_settle(run->stack, state, &err) < 0)
		run_note(run, "%s", err.text);
	if (json_object_object_length(state))
		json_set(run->detail, "state", state);
	else
		json_object_put(state);
}

// What an engine says is not believed blindly, and a disk that has gone is the reason for
// everything that fails on it.
static void judge(struct runner *r, struct run *run)
{
	_cleanup_strbuf_ struct strbuf gone = { 0 };

	if (run->outcome == OUTCOME_NOT_RUN)
		run_end(run, OUTCOME_FAILED, "%s ended without a word",
			run->test->engine);
	if (run->outcome == OUTCOME_PASSED && run->metrics.n == 0)
		run_end(run, OUTCOME_FAILED, "%s measured nothing", run->test->engine);
	if (!gone_check(r->suite->targets, r->suite->n_targets, &gone))
		return;
	if (run->outcome != OUTCOME_PASSED) {
		_cleanup_free_ char *why = TAKE_PTR(run->why);

		run_end(run, OUTCOME_ABORTED, "%s%s%s", strbuf_str(&gone),
			why ? "; " : "", why ? why : "");
	}
	if (!r->stop)
		r->stop = strbuf_take(&gone);
}

static void measure(struct runner *r, struct run *run)
{
	_cleanup_free_ char *cgroup = NULL;
	struct err err = { 0 };
	struct observation o;
	int dropped;

	settle(run);
	enter_cgroup(r, run, &cgroup);
	dropped = cache_drop(run->stack, &err);
	run->timeout_ns = time_limit(r, run);
	note_first_io(r);
	observe_begin(r, run, &o);
	run->started_ns = clock_mono_ns();
	run->ops->run(run);
	run->ended_ns = clock_mono_ns();
	judge(r, run);
	observe_end(r, run, &o, dropped < 0 ? err.text : NULL);
	leave_cgroup(run, TAKE_PTR(cgroup));
}

static void say_end(const struct runner *r, const char *where, const struct run *run)
{
	_cleanup_strbuf_ struct strbuf time = { 0 };

	number_format_duration(&time, run->ended_ns - run->started_ns);
	runner_say(r, "%s: %s after %s%s%s", where, outcome_name(run->outcome),
		   strbuf_str(&time), run->why ? ": " : "", run->why ? run->why : "");
}

void runner_test(struct runner *r, const struct place *at, struct stack *stack,
		 enum outcome outcome, const char *refused)
{
	_cleanup_free_ char *where = runner_where(r, at);
	struct progress p = { .runner = r, .where = where, .start = clock_mono_ns() };
	struct marking marking = { .runner = r, .at = at };
	struct run run = {
		.plan = r->suite->plan,
		.arm = at->arm,
		.test = at->test,
		.ops = test_find(at->test->engine),
		.stack = stack,
		.block = at->block,
		.order = at->order,
		.index = r->index,
		.seed = order_block_seed(r->suite->plan->seed, at->block),
		.tick = tick,
		.tick_arg = &p,
		.mark = mark,
		.say = say_to_person,
		.mark_arg = &marking,
		.detail = json_new(),
		.started_ns = p.start,
		.ended_ns = p.start,
	};

	p.run = &run;
	if (run.ops && run.ops->cuts_power)
		run.cut = at->cut;
	p.next = p.start + TICK_EVERY;
	if (!refused && run.ops && (refused = test_refused(run.ops, at->test, at->arm)))
		outcome = OUTCOME_SKIPPED;
	if (refused) {
		run_end(&run, outcome, "%s", refused);
	} else if (!run.ops) {
		run_end(&run, OUTCOME_SKIPPED, "there is no engine %s", at->test->engine);
	} else if (run.ops->place == TEST_ON_DIR && !stack_dir(stack)) {
		run_end(&run, OUTCOME_ABORTED,
			"the filesystem of this arm is gone since a test before");
	} else {
		runner_say(r, "%s: started", where);
		measure(r, &run);
	}
	say_end(r, where, &run);
	runner_record_run(r, at, &run);
	run_done(&run);
}
