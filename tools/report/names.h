// SPDX-License-Identifier: GPL-3.0-or-later
// The names of a document's arms, tests and metrics, each once, in the plan's order.
#pragma once

#include <stddef.h>

#include "common/json.h"

#define NAMES_MAX 256 // a document may be anything

struct names {
	const char *items[NAMES_MAX]; // owned by the document
	size_t n;
};

// Arms ("arms", "arm") or tests ("tests", "test"): those of the plan, then those of runs
// that the plan does not have.
void names_collect(struct names *names, const struct json_object *result,
		   const char *plural, const char *singular);

// The metrics of the passed runs of a test.
void names_metrics(struct names *names, const struct json_object *result,
		   const char *test);
