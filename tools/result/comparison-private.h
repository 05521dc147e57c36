// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of a campaign as a comparison sees them. Only for the files comparison*.c.
#pragma once

#include "result/comparison.h"

// One run that counts. The texts are the document's.
struct cell {
	unsigned block;
	const char *arm, *test;
	const struct json_object *detail;
	const char *gate; // the words of its first gate, or NULL
	struct metric_list metrics;
};

struct cells {
	struct cell *items; // by arm, test and block, once each
	size_t n;
};

void cells_collect(struct cells *cells, const struct json_object *result);
void cells_done(struct cells *cells);

// Adds a comparison, with its points only, for every metric that either arm has.
void cells_pair(const struct cells *cells, const struct json_object *result,
		const char *a, const char *b, struct comparison_list *list);

// Judges those from list[first] on, which are all of one pair of arms.
void comparison_judge(struct comparison_list *list, size_t first);
