// SPDX-License-Identifier: GPL-3.0-or-later
// Engine powercut: does what was acknowledged survive when the power goes? The first half
// writes with barriers and notes on the stick what was acknowledged, until the machine is
// gone; the next boot goes on with the second half and looks what is there.
#include <inttypes.h>
#include <string.h>

#include "common/clock.h"
#include "common/io.h"
#include "common/mem.h"
#include "suite/engines.h"
#include "suite/powercut-log.h"
#include "suite/work.h"

// The stick takes a record in some 30 ms. What lies between two notes counts as not
// acknowledged.
#define NOTE_EVERY (CLOCK_SECOND / 5)

static const char *const hows[] = { "person", "reset", NULL };

static const struct param_spec params[] = {
	{ .key = "how",
	  .type = PARAM_WORD,
	  .fallback = "person",
	  .choices = hows,
	  .help = "a person (or a switched socket) cuts the power while it writes; or "
		  "the machine resets itself, which leaves the disk its power: then the "
		  "disk's own cache is not put to the test" },
	{ .key = "after",
	  .type = PARAM_DURATION,
	  .fallback = "10s",
	  .help = "how = reset: how long it writes before" },
	TEST_COMMON_PARAMS,
	{ 0 },
};

// Their passphrases are shorter than what crypt_layer_passphrase() gives, or lie apart.
static bool known_again(const char *kind)
{
	static const char *const unknown[] = { "tcrypt", "loopaes", "ecryptfs",
					       "fscrypt" };

	for (size_t i = 0; i < ARRAY_SIZE(unknown); i++)
		if (strcmp(kind, unknown[i]) == 0)
			return false;
	return true;
}

static const char *refused(const struct plan_test *test _unused_,
			   const struct plan_arm *arm)
{
	if (arm->open)
		return "this arm is opened, and its data is not to be put at risk";
	for (size_t i = 1; i < arm->n; i++) {
		const struct plan_layer *l = &arm->layers[i];
		const struct layer_ops *ops = layer_find(l->kind);

		if (!known_again(l->kind))
			return "this arm has a layer whose key would not be known after "
			       "the cut";
		if (ops && !ops->open)
			return "this arm has a layer that cannot be opened again after "
			       "the cut";
		for (size_t k = 0; k < l->n; k++)
			if (l->params[k].value && strcmp(l->params[k].value, "rest") == 0)
				return "this arm has several volumes, and the right one "
				       "would not be found after the cut; make one";
	}
	return NULL;
}

static struct powercut_log log_of(const struct run *run)
{
	const char *dir = stack_dir(run->stack);

	return (struct powercut_log){
		.dir = dir,
		.device = dir ? NULL : stack_device(run->stack),
		.seed = run->seed,
	};
}

struct first_half {
	struct powercut_log log;
	bool by_reset;
	uint64_t reset_ns, noted_ns;
};

static int write_steps(void *arg, int out)
{
	const struct first_half *h = arg;

	return powercut_write(&h->log, out);
}

// Without sync, without unmounting, while the child writes: as hard as software can.
static void reset_machine(struct run *run)
{
	int r = io_write_file("/proc/sysrq-trigger", "b");

	run_note(run, "the machine did not reset: %s", strerror(-r));
}

static void acknowledged(struct run *run, struct json_object *o, void *arg)
{
	struct first_half *h = arg;
	uint64_t n = (uint64_t)json_get_int(o, "acknowledged", 0);
	uint64_t now = clock_mono_ns();

	if (now - h->noted_ns < NOTE_EVERY)
		return;
	h->noted_ns = now;
	if (run->mark(run->mark_arg, "acknowledged", n) == 0 && h->by_reset &&
	    now >= h->reset_ns)
		reset_machine(run);
}

static void first_half(struct run *run)
{
	const struct plan_test *test = run->test;
	struct first_half h = {
		.log = log_of(run),
		.by_reset = strcmp(test_param(test, params, "how"), "reset") == 0,
		.reset_ns = clock_mono_ns() +
			    param_duration(test->params, test->n, params, "after"),
	};
	const struct work w = { .work = write_steps, .heard = acknowledged, .arg = &h };

	if (h.log.device && run_may_overwrite(run, h.log.device) < 0)
		return;
	if (run->mark(run->mark_arg, "armed", 0) < 0) {
		run_end(run, OUTCOME_ABORTED,
			"not begun: the stick does not take the note that the next boot "
			"needs");
		return;
	}
	if (!h.by_reset && run->say)
		run->say(run->mark_arg,
			 "CUT THE POWER NOW, or any time later: pull the plug (and the "
			 "battery); then switch on again");
	if (run_work(run, &w) == -ETIMEDOUT)
		run_end(run, OUTCOME_ABORTED,
			"the power was not cut: it was to be pulled while this test was "
			"writing");
}

struct second_half {
	struct powercut_log log;
	uint64_t acknowledged;
};

static int verify_steps(void *arg, int out)
{
	const struct second_half *h = arg;

	return powercut_verify(&h->log, h->acknowledged, out);
}

static void add_count(struct run *run, const struct json_object *o, const char *name,
		      enum metric_better better)
{
	metric_add(&run->metrics, name, "", better, BOUND_EXACT,
		   (double)json_get_int(o, name, 0));
}

static void judge(struct run *run, struct json_object *o, void *arg _unused_)
{
	uint64_t lost = (uint64_t)json_get_int(o, "lost", 0);
	uint64_t of = (uint64_t)json_get_int(o, "acknowledged", 0);

	run_add_detail(run, o);
	add_count(run, o, "acknowledged", BETTER_NEITHER);
	add_count(run, o, "lost", BETTER_LOWER);
	add_count(run, o, "survived", BETTER_NEITHER);
	add_count(run, o, "torn", BETTER_NEITHER);
	if (lost)
		run_end(run, OUTCOME_FAILED,
			"%" PRIu64 " of %" PRIu64 " acknowledged writes are lost, the "
			"first is number %" PRIu64 " (%s): something between the "
			"filesystem and the medium says that data is safe when it is not",
			lost, of, (uint64_t)json_get_int(o, "first_lost", 0),
			json_get_str(o, "what"));
	else if (of == 0)
		run_end(run, OUTCOME_ABORTED,
			"the power went before anything was acknowledged: nothing is "
			"proven");
	else
		run_end(run, OUTCOME_PASSED, NULL);
}

static void second_half(struct run *run)
{
	struct second_half h = {
		.log = log_of(run),
		.acknowledged = (uint64_t)json_get_int(run->cut, "count", 0),
	};
	const struct work w = { .work = verify_steps, .heard = judge, .arg = &h };

	run_work(run, &w);
}

static void run_powercut(struct run *run)
{
	json_set_str(run->detail, "how", test_param(run->test, params, "how"));
	if (run->cut)
		second_half(run);
	else
		first_half(run);
}

const struct test_ops test_powercut = {
	.engine = "powercut",
	.help = "writes until the power is cut; the next boot looks what survived",
	.place = TEST_ON_EITHER,
	.params = params,
	.known_keys = true,
	.cuts_power = true,
	.refused = refused,
	.run = run_powercut,
};
