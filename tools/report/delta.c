// SPDX-License-Identifier: GPL-3.0-or-later
// Ratios of two arms, with what makes them doubtful.
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "report/arms.h"
#include "report/delta.h"
#include "report/samples.h"
#include "report/text-private.h"
#include "result/comparison.h"

static enum metric_bound bound_of(const struct samples *s)
{
	return s->at_least ? BOUND_AT_LEAST : s->at_most ? BOUND_AT_MOST : BOUND_EXACT;
}

static bool passed(const struct json_object *run, const char *arm)
{
	return comparison_counts(run) && strcmp(text_str(run, "arm"), arm) == 0;
}

// The size of the file that a test of an arm wrote, "" when not known.
static const char *file_size(struct delta_side side, const char *test)
{
	const struct json_object *runs = json_get(side.result, "runs");

	for (size_t i = 0; i < text_length(runs); i++) {
		const struct json_object *run = text_item(runs, i);

		if (passed(run, side.arm) && strcmp(text_str(run, "test"), test) == 0)
			return text_str(json_get(run, "detail"), "file_size");
	}
	return "";
}

// A bound above makes the ratio a bound in the same direction, one below in the other.
static void set_ratio(struct delta *d)
{
	bool a_exact = d->a_bound == BOUND_EXACT, b_exact = d->b_bound == BOUND_EXACT;

	d->has_ratio = d->a > 0 && d->b > 0 && (a_exact || b_exact);
	if (!d->has_ratio)
		return;
	d->ratio = d->b / d->a;
	d->time_factor = d->better == BETTER_LOWER ? d->ratio : d->a / d->b;
	d->bound = d->b_bound;
	if (!a_exact)
		d->bound = d->a_bound == BOUND_AT_LEAST ? BOUND_AT_MOST : BOUND_AT_LEAST;
}

static bool has(const struct delta_list *list, const char *test, const char *metric)
{
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->items[i].test, test) == 0 &&
		    strcmp(list->items[i].metric, metric) == 0)
			return true;
	return false;
}

static void add(struct delta_list *list, const struct json_object *run,
		const struct metric *m)
{
	const char *test = text_str(run, "test"), *a_size, *b_size;
	struct samples a, b;
	struct delta d = { .test = test, .engine = text_str(run, "engine") };

	samples_collect(&a, list->a.result, test, list->a.arm, m->name);
	samples_collect(&b, list->b.result, test, list->b.arm, m->name);
	if (a.n == 0 || b.n == 0 || strcmp(a.unit, b.unit) != 0) {
		samples_done(&a);
		samples_done(&b);
		return;
	}
	d.metric = mem_strdup(m->name);
	d.unit = a.unit;
	d.better = a.better;
	d.a = samples_median(&a);
	d.b = samples_median(&b);
	d.a_bound = bound_of(&a);
	d.b_bound = bound_of(&b);
	d.na = a.n;
	d.nb = b.n;
	d.a_values = a.values; // taken over
	d.b_values = b.values;
	set_ratio(&d);
	d.one_run = a.n < 2 || b.n < 2;
	d.several = list->n_differ > 1;
	a_size = file_size(list->a, test);
	b_size = file_size(list->b, test);
	d.file_size = *a_size && *b_size && strcmp(a_size, b_size) != 0;
	if (d.file_size) {
		d.a_size = mem_strdup(a_size);
		d.b_size = mem_strdup(b_size);
	}
	list->items = mem_grow(list->items, list->n + 1, sizeof(*list->items));
	list->items[list->n++] = d;
}

static void add_run(struct delta_list *list, const struct json_object *run)
{
	struct metric_list metrics = { 0 };

	metric_parse(&metrics, json_get(run, "metrics"));
	for (size_t i = 0; i < metrics.n; i++)
		if (metrics.items[i].better != BETTER_NEITHER &&
		    !has(list, text_str(run, "test"), metrics.items[i].name))
			add(list, run, &metrics.items[i]);
	metric_list_done(&metrics);
}

void delta_make(struct delta_list *list, struct delta_side a, struct delta_side b)
{
	const struct json_object *runs = json_get(a.result, "runs");
	struct strbuf words = { 0 };
	struct arm_change change =
		arm_compare(arm_find(a.result, a.arm), arm_find(b.result, b.arm), &words);

	*list = (struct delta_list){ .a = a,
				     .b = b,
				     .n_differ = change.layers + change.facts,
				     .only_added = change.only_added };
	list->differs = strbuf_take(&words);
	for (size_t i = 0; i < text_length(runs); i++)
		if (passed(text_item(runs, i), a.arm))
			add_run(list, text_item(runs, i));
}

void delta_done(struct delta_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->items[i].metric);
		free(list->items[i].a_values);
		free(list->items[i].b_values);
		free(list->items[i].a_size);
		free(list->items[i].b_size);
	}
	free(list->items);
	free(list->differs);
	*list = (struct delta_list){ 0 };
}
