// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the suite of a plan: the warm-up block, then blocks in which every arm runs once,
// until there are enough.
#include <string.h>

#include "common/clock.h"
#include "common/mem.h"
#include "common/number.h"
#include "result/comparison.h"
#include "suite/observe.h"
#include "suite/payload.h"
#include "suite/precondition.h"
#include "suite/runner.h"

// Gates that tell of the machine at that moment, not of the arm: what they spoiled is
// worth doing again.
static const char *const passing[] = {
	"throttled", "power",     "governor", "resync",  "media",
	"swap",      "writeback", "clock",    "cpu-hog", "other-disk",
};

const char *runner_disturbance(const struct json_object *record)
{
	const struct json_object *gates = json_get(record, "gates");
	size_t n = json_length(gates);

	for (size_t i = 0; i < n; i++) {
		const struct json_object *gate = json_object_array_get_idx(gates, i);
		const char *name = json_get_str(gate, "name");

		for (size_t k = 0; name && k < ARRAY_SIZE(passing); k++)
			if (strcmp(name, passing[k]) == 0)
				return json_get_str(gate, "words") ?: name;
	}
	return NULL;
}

static bool is_rate(const struct comparison *c)
{
	size_t len = strlen(c->unit);

	return len > 2 && strcmp(c->unit + len - 2, "/s") == 0;
}

bool runner_precise(const struct runner *r)
{
	_cleanup_json_ struct json_object *so_far = json_new();
	struct comparison_list list;
	bool precise = true;
	size_t judged = 0;

	json_set(so_far, "plan", json_object_get(r->suite->campaign->plan));
	json_set(so_far, "runs", json_object_get(r->suite->campaign->runs));
	comparison_make(&list, so_far);
	for (size_t i = 0; i < list.n; i++) {
		const struct comparison *c = &list.items[i];

		if (c->verdict == COMPARISON_NOT_COMPARABLE || !is_rate(c))
			continue;
		judged++;
		if (!((c->high - c->low) / 2 <= r->suite->plan->precision))
			precise = false;
	}
	comparison_list_done(&list);
	return precise && judged > 0;
}

static void run_once(struct runner *r, unsigned block)
{
	const struct plan *plan = r->suite->plan;
	_cleanup_free_ size_t *order = mem_new(plan->n_arms, sizeof(*order));

	free(TAKE_PTR(r->disturbed));
	suite_order(plan->seed, block, plan->n_arms, order);
	for (size_t i = 0; i < plan->n_arms; i++) {
		struct place at = {
			.block = block,
			.order = (unsigned)i + 1,
			.arm = &plan->arms[order[i]],
		};

		runner_arm(r, &at);
	}
}

// Again, all arms of it, as long as something disturbed the machine and the plan allows.
static void run_block(struct runner *r, unsigned block, unsigned *repeats)
{
	run_once(r, block);
	while (r->disturbed && !r->stop && *repeats > 0) {
		(*repeats)--;
		runner_say(r, "block %u is repeated: %s", block, r->disturbed);
		runner_record_repeat(r, block, r->disturbed);
		run_once(r, block);
	}
	if (r->disturbed)
		campaign_warn(r->suite->campaign,
			      "block %u was disturbed and not repeated: %s", block,
			      r->disturbed);
}

static void say_time(struct runner *r, const char *what, double seconds)
{
	_cleanup_strbuf_ struct strbuf time = { 0 };

	number_format_duration(&time, (uint64_t)(seconds * 1e9));
	runner_say(r, "%s about %s", what, strbuf_str(&time));
}

// Once one block is done its own time says more than any guess.
static void say_rest(struct runner *r, uint64_t start_ns, unsigned blocks_left)
{
	double block = (double)(clock_mono_ns() - start_ns) / 1e9;
	double rest = block * blocks_left;

	if (r->stop || blocks_left == 0 || r->suite->resume)
		return;
	say_time(r, "the rest of this campaign will take", rest);
	json_set_double(campaign_design(r->suite->campaign), "estimate_after_block",
			block + rest);
}

static void run_blocks(struct runner *r)
{
	const struct plan *plan = r->suite->plan;
	struct json_object *design = campaign_design(r->suite->campaign);
	unsigned repeats = plan->repeats, block = 0;
	uint64_t start;

	if (r->suite->estimate > 0) {
		json_set_double(design, "estimate", r->suite->estimate);
		say_time(r, "this campaign will take", r->suite->estimate);
	}
	// what was preconditioned stays so over a power cut
	if (plan->precondition && !r->suite->resume)
		precondition(r);
	start = clock_mono_ns();
	if (plan->warm_up) {
		run_once(r, 0); // whatever disturbs it: it does not count
		say_rest(r, start, plan->blocks);
	}
	while (block < plan->blocks) {
		run_block(r, ++block, &repeats);
		if (block == 1 && !plan->warm_up)
			say_rest(r, start, plan->blocks - 1);
		if (r->stop || !plan->precision || block < plan->blocks_min ||
		    block == plan->blocks || !runner_precise(r))
			continue;
		runner_say(r, "every rate is known to %g %% after %u blocks",
			   plan->precision, block);
		json_set_str(design, "stopped",
			     "every rate is known as precisely as "
			     "the plan asks");
		break;
	}
	json_set_uint(design, "blocks_run", block);
	payload_compare(r);
}

int suite_run(struct suite *suite, struct err *err)
{
	struct runner r = { .suite = suite };
	int res = 0;

	observe_campaign(&r);
	run_blocks(&r);
	observe_campaign_end(&r);
	if (r.stop)
		res = err_set(err, -EIO, "the suite was stopped: %s", r.stop);
	free(r.stop);
	free(r.disturbed);
	return res;
}
