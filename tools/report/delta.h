// SPDX-License-Identifier: GPL-3.0-or-later
// Ratios of two arms, of one campaign or of two, with what makes them doubtful. The
// only thing that can be said of single runs; where runs are paired in blocks,
// result/comparison.h says more.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/json.h"
#include "common/strbuf.h"
#include "result/metric.h"

// An arm of a campaign.
struct delta_side {
	const struct json_object *result; // result.json
	const char *arm;
};

struct delta {
	const char *test, *engine; // of the document
	char *metric;
	const char *unit;
	enum metric_better better;
	double a, b; // medians
	enum metric_bound a_bound, b_bound;
	size_t na, nb;
	double *a_values, *b_values; // sorted

	bool has_ratio;          // not when both are bounds
	double ratio;            // b / a
	double time_factor;      // the time for the same work, b's as a multiple of a's
	enum metric_bound bound; // of the ratio

	bool one_run;          // one run on a side at least
	bool several;          // more than one thing differs between the arms
	bool file_size;        // and the size of the file differs, too
	char *a_size, *b_size; // NULL unless it does
};

struct delta_list {
	struct delta_side a, b;
	char *differs; // "dm-crypt added, lvm added"; "" when nothing is known to differ
	unsigned n_differ;
	bool only_added; // b is a with layers more
	struct delta *items;
	size_t n;
};

// Every metric with a better direction that passed runs of both arms have, in the order
// of a's runs. The caller frees with delta_done().
void delta_make(struct delta_list *list, struct delta_side a, struct delta_side b);
void delta_done(struct delta_list *list);

// The first line of the table, and a line for each delta: base, variant, factor, engine,
// metric, unit, base_value, variant_value, ratio, change_pct, time_factor, bound, flags;
// bonnie++ and hdparm in the units in which they print. `factor` may be NULL.
void delta_csv_head(struct strbuf *to);
void delta_csv(const struct delta_list *list, const char *factor, struct strbuf *to);
