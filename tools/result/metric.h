// SPDX-License-Identifier: GPL-3.0-or-later
// One number of a run.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/json.h"
#include "common/strbuf.h"

enum metric_better { BETTER_HIGHER, BETTER_LOWER, BETTER_NEITHER };

// Exact, or censored: the true value is at least / at most this. A value that a tool did
// not report is no metric at all; zero is an exact zero.
enum metric_bound { BOUND_EXACT, BOUND_AT_LEAST, BOUND_AT_MOST };

struct metric {
	char *name;       // "read", "put_block", "seq_create"
	const char *unit; // SI base: "B/s", "1/s", "s", "B", "%" (static text)
	enum metric_better better;
	enum metric_bound bound;
	double value;
};

struct metric_list {
	struct metric *items;
	size_t n;
};

void metric_add(struct metric_list *list, const char *name, const char *unit,
		enum metric_better better, enum metric_bound bound, double value);

// The metric of that name, or NULL.
const struct metric *metric_find(const struct metric_list *list, const char *name);

// [{"name":..,"unit":..,"better":"higher","bound":"exact","value":..}] and back.
struct json_object *metric_json(const struct metric_list *list);
void metric_parse(struct metric_list *list, const struct json_object *array);

// "21.8 MB/s", ">= 32768 /s"
void metric_format(const struct metric *m, struct strbuf *to);

// "exact", "at-least", "at-most"; "higher", "lower", "neither"; and back, where another
// word (or NULL) is BOUND_EXACT.
const char *metric_bound_name(enum metric_bound bound);
enum metric_bound metric_bound_parse(const char *word);
const char *metric_better_name(enum metric_better better);

void metric_list_done(struct metric_list *list);
