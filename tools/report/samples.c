// SPDX-License-Identifier: GPL-3.0-or-later
// The values of one metric of one test on one arm.
#include <string.h>

#include "common/mem.h"
#include "report/samples.h"
#include "report/text-private.h"
#include "result/comparison.h"

static int compare(const void *va, const void *vb)
{
	const double *a = va, *b = vb;

	return *a < *b ? -1 : *a > *b;
}

static void add(struct samples *s, const struct metric *m)
{
	if (s->n && strcmp(s->unit, m->unit) != 0)
		return; // another unit is another thing
	s->values = mem_grow(s->values, s->n + 1, sizeof(*s->values));
	s->values[s->n++] = m->value;
	s->unit = m->unit;
	s->better = m->better;
	s->at_least |= m->bound == BOUND_AT_LEAST;
	s->at_most |= m->bound == BOUND_AT_MOST;
}

void samples_collect(struct samples *s, const struct json_object *result,
		     const char *test, const char *arm, const char *metric)
{
	const struct json_object *runs = json_get(result, "runs");

	*s = (struct samples){ 0 };
	for (size_t i = 0; i < text_length(runs); i++) {
		const struct json_object *run = text_item(runs, i);
		struct metric_list list = { 0 };
		const struct metric *m;

		if (!comparison_counts(run) || strcmp(text_str(run, "test"), test) != 0 ||
		    strcmp(text_str(run, "arm"), arm) != 0)
			continue;
		metric_parse(&list, json_get(run, "metrics"));
		m = metric_find(&list, metric);
		if (m)
			add(s, m);
		metric_list_done(&list);
	}
	if (s->n)
		qsort(s->values, s->n, sizeof(*s->values), compare);
}

double samples_median(const struct samples *s)
{
	size_t half = s->n / 2;

	if (s->n == 0)
		return 0;
	return s->n % 2 ? s->values[half] : (s->values[half - 1] + s->values[half]) / 2;
}

void samples_done(struct samples *s)
{
	free(s->values);
	*s = (struct samples){ 0 };
}
