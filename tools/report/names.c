// SPDX-License-Identifier: GPL-3.0-or-later
// The names of a document's arms, tests and metrics.
#include <string.h>

#include "report/names.h"
#include "report/text-private.h"
#include "result/comparison.h"

static void add_name(struct names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (strcmp(names->items[i], name) == 0)
			return;
	if (*name && names->n < NAMES_MAX)
		names->items[names->n++] = name;
}

void names_collect(struct names *names, const struct json_object *result,
		   const char *plural, const char *singular)
{
	const struct json_object *plan = json_get(json_get(result, "plan"), plural);
	const struct json_object *runs = json_get(result, "runs");

	for (size_t i = 0; i < text_length(plan); i++)
		add_name(names, text_str(text_item(plan, i), "name"));
	for (size_t i = 0; i < text_length(runs); i++)
		add_name(names, text_str(text_item(runs, i), singular));
}

static bool passed_run_of(const struct json_object *run, const char *test)
{
	return strcmp(text_str(run, "test"), test) == 0 && comparison_counts(run);
}

void names_metrics(struct names *names, const struct json_object *result,
		   const char *test)
{
	const struct json_object *runs = json_get(result, "runs");

	for (size_t i = 0; i < text_length(runs); i++) {
		const struct json_object *run = text_item(runs, i);
		const struct json_object *metrics = json_get(run, "metrics");

		for (size_t k = 0; passed_run_of(run, test) && k < text_length(metrics);
		     k++)
			add_name(names, text_str(text_item(metrics, k), "name"));
	}
}
