// SPDX-License-Identifier: GPL-3.0-or-later
// From the runs of a campaign to pairs of values, block by block.
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "result/comparison-private.h"
#include "result/outcome.h"

// Facts of an engine's detail that make two runs different work when they differ.
static const char *const same_work[] = { "size",  "file_size", "num_files", "ram",
					 "files", "cap",       "version" };

bool comparison_counts(const struct json_object *run)
{
	return outcome_parse(json_get_str(run, "outcome")) == OUTCOME_PASSED &&
	       json_get_bool(run, "counts", true);
}

static int by_place(const void *va, const void *vb)
{
	const struct cell *a = va, *b = vb;
	int r = strcmp(a->arm, b->arm);

	r = r ? r : strcmp(a->test, b->test);
	return r ? r : a->block < b->block ? -1 : a->block > b->block;
}

// Of two runs of one test on one arm in one block the later counts: a crash between two
// records can leave both.
static void drop_doubles(struct cells *cells)
{
	size_t n = 0;

	for (size_t i = 0; i < cells->n; i++) {
		struct cell *c = &cells->items[i];

		if (n && by_place(&cells->items[n - 1], c) == 0)
			metric_list_done(&cells->items[--n].metrics);
		cells->items[n++] = *c;
	}
	cells->n = n;
}

static const char *first_gate(const struct json_object *run)
{
	const struct json_object *gates = json_get(run, "gates");
	const char *words = NULL;

	if (json_length(gates))
		words = json_get_str(json_object_array_get_idx(gates, 0), "words");
	return json_length(gates) ? words ?: "a gate" : NULL;
}

void cells_collect(struct cells *cells, const struct json_object *result)
{
	const struct json_object *runs = json_get(result, "runs");
	size_t n = json_length(runs);

	*cells = (struct cells){ .items = mem_new(n + 1, sizeof(*cells->items)) };
	for (size_t i = 0; i < n; i++) {
		const struct json_object *run = json_object_array_get_idx(runs, i);
		struct cell c = {
			.block = (unsigned)json_get_int(run, "block", 1),
			.arm = json_get_str(run, "arm"),
			.test = json_get_str(run, "test"),
			.detail = json_get(run, "detail"),
			.gate = first_gate(run),
		};

		if (!c.arm || !c.test || !comparison_counts(run))
			continue;
		metric_parse(&c.metrics, json_get(run, "metrics"));
		cells->items[cells->n++] = c;
	}
	if (cells->n)
		qsort(cells->items, cells->n, sizeof(*cells->items), by_place);
	drop_doubles(cells);
}

void cells_done(struct cells *cells)
{
	for (size_t i = 0; i < cells->n; i++)
		metric_list_done(&cells->items[i].metrics);
	free(cells->items);
	*cells = (struct cells){ 0 };
}

// The cells of one test on one arm, in the order of their blocks.
struct span {
	const struct cell *first;
	size_t n;
};

static struct span find_span(const struct cells *cells, const char *arm, const char *test)
{
	struct span s = { 0 };

	for (size_t i = 0; i < cells->n; i++) {
		const struct cell *c = &cells->items[i];

		if (strcmp(c->arm, arm) != 0 || strcmp(c->test, test) != 0)
			continue;
		s.first = s.n++ ? s.first : c;
	}
	return s;
}

static struct comparison *find_or_add(struct comparison_list *list, size_t first,
				      const char *test, const struct metric *m)
{
	struct comparison *c;

	for (size_t i = first; i < list->n; i++)
		if (strcmp(list->items[i].test, test) == 0 &&
		    strcmp(list->items[i].metric, m->name) == 0)
			return &list->items[i];
	list->items = mem_grow(list->items, list->n + 1, sizeof(*list->items));
	c = &list->items[list->n++];
	*c = (struct comparison){
		.test = mem_strdup(test),
		.metric = mem_strdup(m->name),
		.unit = m->unit,
		.better = m->better,
	};
	return c;
}

static void not_comparable(struct comparison *c, const char *fmt, ...) _printf_(2, 3);
static void not_comparable(struct comparison *c, const char *fmt, ...)
{
	va_list ap;

	if (c->reason)
		return; // the first reason is enough
	va_start(ap, fmt);
	c->reason = mem_vprintf(fmt, ap);
	va_end(ap);
	c->verdict = COMPARISON_NOT_COMPARABLE;
}

// Both runs did the same amount of work, as far as their engine says.
static void check_work(struct comparison *c, const struct cell *a, const struct cell *b)
{
	for (size_t i = 0; i < ARRAY_SIZE(same_work); i++) {
		struct json_object *va = json_get(a->detail, same_work[i]);
		struct json_object *vb = json_get(b->detail, same_work[i]);

		if (va && vb && !json_object_equal(va, vb))
			not_comparable(c, "the arms did different work: %s %s and %s",
				       same_work[i], json_object_get_string(va),
				       json_object_get_string(vb));
	}
}

static void add_point(struct comparison *c, const struct cell *a, const struct cell *b)
{
	const struct metric *ma = metric_find(&a->metrics, c->metric);
	const struct metric *mb = metric_find(&b->metrics, c->metric);
	struct comparison_point *p;

	if (!ma || !mb)
		return;
	if (strcmp(ma->unit, mb->unit) != 0 || strcmp(ma->unit, c->unit) != 0)
		not_comparable(c, "the units differ: %s and %s", ma->unit, mb->unit);
	else if (ma->value <= 0 || mb->value <= 0)
		not_comparable(c, "a value is 0 or less, so there is no ratio");
	if (c->reason)
		return;
	check_work(c, a, b);
	c->points = mem_grow(c->points, c->n_points + 1, sizeof(*c->points));
	p = &c->points[c->n_points++];
	*p = (struct comparison_point){
		.block = a->block,
		.a = ma->value,
		.b = mb->value,
		.a_bound = ma->bound,
		.b_bound = mb->bound,
		.change = 100 * (mb->value / ma->value - 1),
		.gated = a->gate || b->gate,
		.both_bound = ma->bound != BOUND_EXACT && mb->bound != BOUND_EXACT,
	};
}

// Goes through both arms' blocks side by side.
static void add_points(struct comparison *c, struct span a, struct span b)
{
	for (size_t i = 0, k = 0; i < a.n && k < b.n;) {
		if (a.first[i].block < b.first[k].block)
			i++;
		else if (a.first[i].block > b.first[k].block)
			k++;
		else
			add_point(c, &a.first[i++], &b.first[k++]);
	}
}

// Where no block is left, the first gate says why.
static void check_gates(struct comparison *c, struct span a, struct span b)
{
	const struct span *both[] = { &a, &b };

	for (size_t i = 0; i < c->n_points; i++)
		if (!c->points[i].gated)
			return;
	for (size_t s = 0; s < 2 && c->n_points; s++)
		for (size_t i = 0; i < both[s]->n; i++)
			if (both[s]->first[i].gate)
				not_comparable(c, "%s: %s", both[s]->first[i].arm,
					       both[s]->first[i].gate);
}

// Why that test gave no number on that arm, in the campaign's own words.
static const char *why_missing(const struct json_object *result, const char *arm,
			       const char *test)
{
	const struct json_object *runs = json_get(result, "runs");

	for (size_t i = 0; i < json_length(runs); i++) {
		const struct json_object *run = json_object_array_get_idx(runs, i);
		const char *a = json_get_str(run, "arm"), *t = json_get_str(run, "test");

		if (a && t && strcmp(a, arm) == 0 && strcmp(t, test) == 0 &&
		    json_get_str(run, "why"))
			return json_get_str(run, "why");
	}
	return NULL;
}

static void pair_test(const struct cells *cells, const struct json_object *result,
		      const char *a, const char *b, const char *test,
		      struct comparison_list *list)
{
	const struct span sa = find_span(cells, a, test), sb = find_span(cells, b, test);
	const struct span *both[] = { &sa, &sb };
	size_t first = list->n;

	for (size_t s = 0; s < 2; s++)
		for (size_t i = 0; i < both[s]->n; i++)
			for (size_t k = 0; k < both[s]->first[i].metrics.n; k++) {
				const struct metric *m =
					&both[s]->first[i].metrics.items[k];

				if (m->better != BETTER_NEITHER)
					find_or_add(list, first, test, m);
			}
	for (size_t i = first; i < list->n; i++) {
		struct comparison *c = &list->items[i];
		const char *lacks = !sa.n ? a : !sb.n ? b : NULL;
		const char *why = lacks ? why_missing(result, lacks, test) : NULL;

		c->a = mem_strdup(a);
		c->b = mem_strdup(b);
		if (lacks)
			not_comparable(c, "%s has no result%s%s", lacks, why ? ": " : "",
				       why ? why : "");
		add_points(c, sa, sb);
		check_gates(c, sa, sb);
		if (c->n_points == 0)
			not_comparable(c, "there is no block in which both arms have it");
	}
}

void cells_pair(const struct cells *cells, const struct json_object *result,
		const char *a, const char *b, struct comparison_list *list)
{
	const struct json_object *runs = json_get(result, "runs");
	size_t first = list->n;

	// tests in the order in which they ran
	for (size_t i = 0; i < json_length(runs); i++) {
		const char *test =
			json_get_str(json_object_array_get_idx(runs, i), "test");
		bool done = !test;

		for (size_t k = first; k < list->n && !done; k++)
			done = strcmp(list->items[k].test, test) == 0;
		if (!done)
			pair_test(cells, result, a, b, test, list);
	}
}
