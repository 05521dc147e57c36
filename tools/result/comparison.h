// SPDX-License-Identifier: GPL-3.0-or-later
// Two arms compared in one metric over all blocks of a campaign: how different, how
// surely, and what can be said at all. result.json holds them as `comparisons`.
//
// The method. Arm a is the plan's first, b each other one. In every block both ran once,
// so r = ln(b/a) is free of what changes from block to block. Blocks are the warm-up
// block's followers only; a block that was repeated counts once. The ratio is exp(mean
// r) with a Student interval; p is the exact sign-flip test; p_adjusted is that test for
// all metrics of the two arms together (stats_step_down()). See tests/unit/
// test-result-false-alarms.c for what was simulated before this was chosen.
#pragma once

#include <math.h>
#include <stdbool.h>

#include "common/json.h"
#include "common/strbuf.h"
#include "result/metric.h"

#define COMPARISON_BLOCKS_MIN    6   // fewer can never give p < 0.05
#define COMPARISON_MARGIN        3.0 // percent; the plan's `margin` says otherwise
#define COMPARISON_NOISE_UNKNOWN NAN // noise_floor without a null arm

enum comparison_verdict {
	COMPARISON_INCONCLUSIVE, // first, so that zeroed memory claims nothing
	COMPARISON_SLOWER,       // b is worse than a: a lower rate, a longer time
	COMPARISON_FASTER,
	COMPARISON_EQUIVALENT,
	COMPARISON_NOT_COMPARABLE, // with a reason
};

// One block in which both arms gave a value.
struct comparison_point {
	unsigned block;
	double a, b; // in the metric's unit
	enum metric_bound a_bound, b_bound;
	double change;   // percent, 100 (b/a - 1)
	bool outlier;    // flagged, never left out
	bool both_bound; // both are bounds: the block says nothing and is not counted
	bool gated;      // a gate of either run says why it must not be counted
};

struct comparison {
	char *a, *b; // arms
	char *test, *metric;
	const char *unit; // static text, as in struct metric
	enum metric_better better;
	bool null; // b is arm a under a second name: what differs is noise

	struct comparison_point *points; // by block
	size_t n_points;
	unsigned blocks; // how many of them count
	unsigned outliers;

	double ratio;             // b/a, geometric mean; all NAN where there is none
	double change, low, high; // 100 (ratio - 1) and its 95 % interval, percent
	double p;                 // sign-flip, this metric alone
	double p_adjusted;        // all metrics of these two arms together; decides
	double p_holm;            // Holm's adjustment of p, for readers used to it
	double margin;            // theta in percent: what counts as no difference
	double detectable;        // percent; an effect of this size is found in 80 %
	unsigned need;            // blocks to decide about `margin`; 0 unknown
	double noise_floor;       // half the null comparison's interval, percent; NAN
	double drift;             // of arm a over the campaign, percent; NAN
	// The true change is at least / at most `change`, because values were censored.
	enum metric_bound bound;

	enum comparison_verdict verdict;
	char *reason; // why not comparable or inconclusive; else NULL
};

struct comparison_list {
	struct comparison *items;
	size_t n;
};

// Does the run of a result.json count: passed, not of the warm-up block, not of a block
// that was repeated? Everything that averages or ranks runs asks this.
bool comparison_counts(const struct json_object *run);

// Compares the plan's first arm with each other one, in every metric that has a better
// direction, from a document with `plan` and `runs` (a result.json, of any version).
// The caller frees with comparison_list_done().
void comparison_make(struct comparison_list *list, const struct json_object *result);

// The same for any two arms, e.g. neighbours of a waterfall. Appends.
void comparison_pair(struct comparison_list *list, const struct json_object *result,
		     const char *a, const char *b);

// The `comparisons` of a result.json, and back; members are named as in the struct,
// NAN is null. A document without them gives an empty list.
struct json_object *comparison_json(const struct comparison_list *list);
void comparison_parse(struct comparison_list *list, const struct json_object *array);

// "slower", "faster", "equivalent", "inconclusive", "not comparable"
const char *comparison_verdict_name(enum comparison_verdict v);

// "encrypted is 12 % slower than plain in read (95 % CI 10 to 14 %, 8 blocks), 1.14
// times the time; noise floor 0.8 %"
void comparison_sentence(const struct comparison *c, struct strbuf *to);

void comparison_list_done(struct comparison_list *list);
