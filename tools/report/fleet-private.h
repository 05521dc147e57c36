// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the files of the fleet's report only.
#pragma once

#include <stdint.h>

#include "report/fleet.h"
#include "result/metric.h"
#include "result/outcome.h"

#define FLEET_SIBLINGS_MIN 5   // fewer tell nothing of the one
#define FLEET_FAR          5.0 // scaled median absolute deviations
#define FLEET_FAR_PERCENT  5.0
#define FLEET_NONE         UINT32_MAX

struct fleet_campaign {
	char *machine, *path, *when;
	char *why;      // NULL when passed
	uint32_t group; // plan and model of disk
	enum outcome verdict;
	bool baseline;
	bool replaced;  // a later one of the same machine and plan counts
	uint32_t worst; // index of its farthest value in `far`; FLEET_NONE
};

// A median of one campaign.
struct fleet_value {
	uint32_t campaign;
	float median;
	float sd;   // of the logarithms of its runs
	uint32_t n; // runs
};

// One number of many machines: a group's arm, test and metric.
struct fleet_key {
	uint32_t group;
	char *arm, *test, *metric;
	const char *unit;
	enum metric_better better;
	struct fleet_value *values;
	size_t n, room;

	// filled in by fleet_judge(), of those that count
	size_t siblings;
	double median, low, high, p5, p95;
};

// A value that is unlike its siblings', or that has changed since the baseline.
struct fleet_far {
	uint32_t campaign, key;
	double value, other; // the siblings' median, or the baseline's
	double change;       // percent
	bool slower;
};

struct fleet {
	struct fleet_campaign *campaigns;
	size_t n, campaigns_room;
	char **groups;
	size_t n_groups;
	struct fleet_key *keys;
	size_t n_keys;
	uint32_t *slots; // hash of keys: index + 1
	size_t n_slots;
	struct fleet_far *far, *changed;
	size_t n_far, n_changed;
	size_t compared; // numbers that the baseline has, too
	size_t twice;    // campaigns found again
};

// Adds one campaign's document.
void fleet_take(struct fleet *f, const char *path, const struct json_object *result,
		bool baseline);

// "seqread.read of crypt"
void fleet_key_name(const struct fleet_key *k, struct strbuf *to);

// "31 % slower than its 39 siblings in seqread.read of crypt (131 MB/s, they 190 MB/s)"
void fleet_far_sentence(const struct fleet *f, const struct fleet_far *far,
			struct strbuf *to);

// Does the campaign count among its siblings?
static inline bool fleet_counts(const struct fleet_campaign *c)
{
	return !c->baseline && !c->replaced && c->verdict == OUTCOME_PASSED;
}
