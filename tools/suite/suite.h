// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the suite of a plan: blocks in which every arm runs once, in random order.
#pragma once

#include "plan/plan.h"
#include "result/campaign.h"
#include "result/store.h"
#include "stack/stack.h"
#include "suite/test.h"

// Adds what is wrong with the tests of a plan: unknown engines, parameters, two tests of
// one name, a test that no arm can carry.
void suite_check(const struct plan *plan, struct fault_list *faults);

// About how many seconds the campaign takes on a disk that moves `rate` bytes a second in
// order, all blocks and the warm-up block; and such a rate for a disk of that kind.
double suite_seconds(const struct plan *plan, double rate);
double suite_guess_rate(const struct device *disk);

struct suite {
	const struct plan *plan;
	struct target *const *targets;
	size_t n_targets;
	struct store *store;
	struct campaign *campaign;
	double estimate; // seconds, suite_seconds(); told and recorded, 0: not
	const struct key_source *keys; // for arms that open, or NULL
	// Progress for a person: one short line; called from within.
	void (*say)(const char *text, void *arg);
	// Called between runs (e.g. to notice a pulled stick); may be NULL.
	void (*between)(void *arg);
	void *arg;
	const struct past_campaign *resume; // skip the runs recorded there, or NULL
	uint64_t deadline_ns;               // monotonic; 0 none
	uint64_t baseline_ns; // how long to watch the idle machine first; 0: not
	bool ours;            // the machine may be set up for measuring (quiet.h)
};

// The order of the arms in each block, a pure function of seed and block. Odd blocks and
// the warm-up block 0 are drawn (Fisher-Yates over a splitmix64 stream); each even block
// is its predecessor backwards (ABBA with two arms), so that a steady drift cancels.
// `order` has room for n indices.
void suite_order(uint64_t seed, unsigned block, size_t n, size_t *order);

// Runs everything. A failing test, arm or tear-down is recorded and the rest goes on,
// unless the target itself is gone or leftovers hold it. Each run becomes one record
// (kind "run": block, order, index, arm, stack, test, engine, outcome, why, started,
// ended, metrics, detail, raw file names) and an entry of campaign->runs, each arm one
// (kind "stack"), in the order they happen. The verdict goes to the campaign. Returns 0,
// or -errno when nothing more could be done.
int suite_run(struct suite *suite, struct err *err);
