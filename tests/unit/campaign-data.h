// SPDX-License-Identifier: GPL-3.0-or-later
// A result.json made up of numbers, for tests of what is computed from one.
#pragma once

#include "common/json.h"
#include "result/metric.h"
#include "result/outcome.h"

// A document with these arms; the second one with `null` is the first under another name.
static inline struct json_object *make_result(const char *const *arms, size_t n, int null)
{
	struct json_object *o = json_new(), *plan = json_new(), *list = json_new_array();

	for (size_t i = 0; i < n; i++) {
		struct json_object *arm = json_new();

		json_set_str(arm, "name", arms[i]);
		json_set_bool(arm, "null", (int)i == null);
		json_append(list, arm);
	}
	json_set(plan, "arms", list);
	json_set(o, "plan", plan);
	json_set(o, "runs", json_new_array());
	return o;
}

// Adds a run without metrics and returns it.
static inline struct json_object *add_run(struct json_object *result, unsigned block,
					  const char *arm, const char *test,
					  enum outcome outcome)
{
	struct json_object *run = json_new();

	json_set_uint(run, "block", block);
	json_set_str(run, "arm", arm);
	json_set_str(run, "test", test);
	json_set_str(run, "outcome", outcome_name(outcome));
	json_set(run, "metrics", json_new_array());
	json_append(json_get(result, "runs"), run);
	return run;
}

static inline void add_value(struct json_object *run, const char *name, const char *unit,
			     enum metric_better better, enum metric_bound bound, double v)
{
	struct metric_list one = { 0 };
	struct json_object *array;

	metric_add(&one, name, unit, better, bound, v);
	array = metric_json(&one);
	json_append(json_get(run, "metrics"),
		    json_object_get(json_object_array_get_idx(array, 0)));
	json_object_put(array);
	metric_list_done(&one);
}
