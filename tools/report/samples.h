// SPDX-License-Identifier: GPL-3.0-or-later
// The values of one metric of one test on one arm, over all blocks.
#pragma once

#include "result/metric.h"

struct samples {
	double *values; // sorted
	size_t n;
	bool at_least, at_most; // some of them are only bounds
	const char *unit;       // static text; NULL while n is 0
	enum metric_better better;
};

// Collects from the passed runs of a result.json.
void samples_collect(struct samples *s, const struct json_object *result,
		     const char *test, const char *arm, const char *metric);
double samples_median(const struct samples *s);
void samples_done(struct samples *s);
