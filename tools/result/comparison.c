// SPDX-License-Identifier: GPL-3.0-or-later
// What pairs of values come to: effect, interval, p values, verdict.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "common/mem.h"
#include "result/comparison-private.h"
#include "result/stats.h"

#define LEVEL        0.05
#define OUTLIER_MADS 5
#define MAD_LEAST    1e-3 // of log ratios: a tenth of a percent is no outlier

static double percent(double log_ratio)
{
	return 100 * expm1(log_ratio);
}

static bool counts(const struct comparison_point *p)
{
	return !p->both_bound && !p->gated;
}

static double log_ratio(const struct comparison_point *p)
{
	return log(p->b / p->a);
}

// The log ratios of the blocks that count; the caller frees.
static double *ratios(const struct comparison *c, size_t *n)
{
	double *r = mem_new(c->n_points + 1, sizeof(*r));

	*n = 0;
	for (size_t i = 0; i < c->n_points; i++)
		if (counts(&c->points[i]))
			r[(*n)++] = log_ratio(&c->points[i]);
	return r;
}

static void refuse(struct comparison *c, const char *why)
{
	c->verdict = COMPARISON_NOT_COMPARABLE;
	c->reason = mem_strdup(why);
}

// Which way the truth may lie from the ratios: b at least or a at most makes them lower
// bounds.
static void find_bound(struct comparison *c)
{
	bool at_least = false, at_most = false;

	for (size_t i = 0; i < c->n_points; i++) {
		const struct comparison_point *p = &c->points[i];

		if (!counts(p))
			continue;
		c->blocks++;
		at_least |= p->b_bound == BOUND_AT_LEAST || p->a_bound == BOUND_AT_MOST;
		at_most |= p->b_bound == BOUND_AT_MOST || p->a_bound == BOUND_AT_LEAST;
	}
	if (c->blocks == 0)
		refuse(c, "both arms gave only bounds (too fast to be timed); give the "
			  "test more to do");
	else if (at_least && at_most)
		refuse(c, "some blocks bound the difference from above, others from "
			  "below");
	else if (at_least || at_most)
		c->bound = at_least ? BOUND_AT_LEAST : BOUND_AT_MOST;
}

static void flag_outliers(struct comparison *c, const double *r, size_t n)
{
	double median = stats_median(r, n), mad = fmax(stats_mad(r, n), MAD_LEAST);

	for (size_t i = 0; i < c->n_points; i++) {
		struct comparison_point *p = &c->points[i];

		p->outlier =
			counts(p) && fabs(log_ratio(p) - median) > OUTLIER_MADS * mad;
		c->outliers += p->outlier;
	}
}

static double drift(const struct comparison *c)
{
	_cleanup_free_ double *a = mem_new(c->n_points + 1, sizeof(*a));

	for (size_t i = 0; i < c->n_points; i++)
		a[i] = log(c->points[i].a);
	return c->n_points < 3
		       ? NAN
		       : percent(stats_slope(a, c->n_points) * ((double)c->n_points - 1));
}

static void no_numbers(struct comparison *c)
{
	c->ratio = c->change = c->low = c->high = NAN;
	c->p = c->p_adjusted = c->p_holm = NAN;
	c->detectable = c->drift = NAN;
}

// Everything that one metric says by itself.
static void estimate(struct comparison *c)
{
	_cleanup_free_ double *r = NULL;
	struct stats_summary s;
	double half;
	size_t n;

	no_numbers(c);
	if (c->verdict != COMPARISON_NOT_COMPARABLE)
		find_bound(c);
	if (c->verdict == COMPARISON_NOT_COMPARABLE)
		return;
	r = ratios(c, &n);
	s = stats_summarise(r, n);
	c->ratio = exp(s.mean);
	c->change = percent(s.mean);
	c->drift = drift(c);
	if (n < 2)
		return;
	half = stats_t_quantile(1 - LEVEL / 2, (double)n - 1) * s.sd / sqrt((double)n);
	c->low = percent(s.mean - half);
	c->high = percent(s.mean + half);
	c->p = stats_sign_flip(r, n);
	flag_outliers(c, r, n);
}

struct family {
	struct comparison *all;
	size_t *members; // which of them are judged together
	size_t m;
	unsigned *blocks; // all of them, in order
	size_t n;
};

static int by_number(const void *va, const void *vb)
{
	const unsigned *a = va, *b = vb;

	return *a < *b ? -1 : *a > *b;
}

static void add_blocks(struct family *f, const struct comparison *c)
{
	for (size_t i = 0; i < c->n_points; i++) {
		unsigned block = c->points[i].block;

		if (f->n && bsearch(&block, f->blocks, f->n, sizeof(block), by_number))
			continue;
		f->blocks = mem_grow(f->blocks, f->n + 1, sizeof(*f->blocks));
		f->blocks[f->n++] = block;
		qsort(f->blocks, f->n, sizeof(*f->blocks), by_number);
	}
}

// The p values of all metrics of the two arms together.
static void adjust(const struct family *f)
{
	_cleanup_free_ double *r = mem_new(f->m * f->n + 1, sizeof(*r));
	_cleanup_free_ double *p = mem_new(f->m + 1, sizeof(*p));

	for (size_t i = 0; i < f->m * f->n; i++)
		r[i] = NAN;
	for (size_t k = 0; k < f->m; k++) {
		const struct comparison *c = &f->all[f->members[k]];

		for (size_t i = 0; i < c->n_points; i++) {
			const struct comparison_point *at = &c->points[i];
			const unsigned *block = bsearch(&at->block, f->blocks, f->n,
							sizeof(*f->blocks), by_number);

			if (block && counts(at))
				r[k * f->n + (size_t)(block - f->blocks)] = log_ratio(at);
		}
	}
	stats_step_down(r, f->n, f->m, p);
	for (size_t k = 0; k < f->m; k++) {
		f->all[f->members[k]].p_adjusted = p[k];
		p[k] = f->all[f->members[k]].p;
	}
	stats_holm(p, f->m);
	for (size_t k = 0; k < f->m; k++)
		f->all[f->members[k]].p_holm = p[k];
}

// Is the whole interval of 90 % within the margin? (Two one-sided tests at 5 %.)
static bool within_margin(double mean, double sd, size_t n, double margin)
{
	double half = stats_t_quantile(1 - LEVEL, (double)n - 1) * sd / sqrt((double)n);

	return fabs(mean) + half <= log1p(margin / 100);
}

static void decide(struct comparison *c, double mean, double sd, size_t m)
{
	bool clear = c->low > 0 || c->high < 0;
	bool up = mean > 0, better = c->better == BETTER_HIGHER ? up : !up;
	// what is only known to be at least so low may be high
	bool silent = c->bound == (up ? BOUND_AT_MOST : BOUND_AT_LEAST);

	if (c->blocks < COMPARISON_BLOCKS_MIN)
		c->reason = mem_printf("%u block%s; %d or more are needed", c->blocks,
				       c->blocks == 1 ? "" : "s", COMPARISON_BLOCKS_MIN);
	else if (clear && silent)
		c->reason = mem_strdup("the values are bounds on the side where the "
				       "difference would be");
	else if (clear && c->p_adjusted < LEVEL)
		c->verdict = better ? COMPARISON_FASTER : COMPARISON_SLOWER;
	else if (c->bound == BOUND_EXACT && within_margin(mean, sd, c->blocks, c->margin))
		c->verdict = COMPARISON_EQUIVALENT;
	else if (clear)
		c->reason = mem_printf("one of %zu metrics differs so much by chance "
				       "(p = %.2g)",
				       m, c->p_adjusted);
	else
		c->reason = mem_strdup("the noise is larger than the difference");
}

void comparison_judge(struct comparison_list *list, size_t first)
{
	struct family f = { .all = list->items };

	f.members = mem_new(list->n - first + 1, sizeof(*f.members));
	for (size_t i = first; i < list->n; i++) {
		estimate(&list->items[i]);
		if (list->items[i].verdict == COMPARISON_NOT_COMPARABLE)
			continue;
		add_blocks(&f, &list->items[i]);
		f.members[f.m++] = i;
	}
	if (f.n > 1)
		adjust(&f);
	for (size_t k = 0; k < f.m; k++) {
		struct comparison *c = &f.all[f.members[k]];
		size_t n, need = SIZE_MAX;
		_cleanup_free_ double *r = ratios(c, &n);
		const struct stats_summary s = stats_summarise(r, n);

		if (n > 1) {
			double found = stats_detectable(s.sd, n, f.m);

			need = stats_blocks_needed(s.sd, log1p(c->margin / 100), f.m);
			c->detectable = isinf(found) ? NAN : percent(found);
		}
		c->need = need == SIZE_MAX ? 0 : (unsigned)need;
		decide(c, s.mean, s.sd, f.m);
	}
	free(f.members);
	free(f.blocks);
}

static void set_margin(struct comparison_list *list, size_t first,
		       const struct json_object *result)
{
	double margin =
		json_get_double(json_get(result, "plan"), "margin", COMPARISON_MARGIN);

	for (size_t i = first; i < list->n; i++) {
		list->items[i].margin = margin > 0 ? margin : COMPARISON_MARGIN;
		list->items[i].noise_floor = COMPARISON_NOISE_UNKNOWN;
	}
}

void comparison_pair(struct comparison_list *list, const struct json_object *result,
		     const char *a, const char *b)
{
	struct cells cells;
	size_t first = list->n;

	cells_collect(&cells, result);
	cells_pair(&cells, result, a, b, list);
	set_margin(list, first, result);
	comparison_judge(list, first);
	cells_done(&cells);
}

// The names of the arms: the plan's, or, without one, those of the runs.
struct arms {
	const char *names[64];
	bool null[64];
	size_t n;
};

static void add_arm(struct arms *arms, const char *name, bool null)
{
	for (size_t i = 0; i < arms->n; i++)
		if (strcmp(arms->names[i], name) == 0)
			return;
	if (arms->n == ARRAY_SIZE(arms->names))
		return;
	arms->null[arms->n] = null;
	arms->names[arms->n++] = name;
}

static void find_arms(struct arms *arms, const struct json_object *result)
{
	const struct json_object *plan = json_get(json_get(result, "plan"), "arms");
	const struct json_object *runs = json_get(result, "runs");
	size_t n = json_length(plan);

	arms->n = 0;
	for (size_t i = 0; i < n; i++) {
		const struct json_object *arm = json_object_array_get_idx(plan, i);
		const char *name = json_get_str(arm, "name");

		if (name)
			add_arm(arms, name, json_get_bool(arm, "null", false));
	}
	n = json_length(runs);
	for (size_t i = 0; i < n; i++) {
		const char *name =
			json_get_str(json_object_array_get_idx(runs, i), "arm");

		if (name)
			add_arm(arms, name, false);
	}
}

static void set_noise_floor(struct comparison_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct comparison *null = &list->items[i];

		for (size_t k = 0; null->null && k < list->n; k++) {
			struct comparison *c = &list->items[k];

			if (strcmp(c->test, null->test) == 0 &&
			    strcmp(c->metric, null->metric) == 0)
				c->noise_floor = (null->high - null->low) / 2;
		}
	}
}

void comparison_make(struct comparison_list *list, const struct json_object *result)
{
	struct cells cells;
	struct arms arms;

	*list = (struct comparison_list){ 0 };
	find_arms(&arms, result);
	cells_collect(&cells, result);
	for (size_t i = 1; i < arms.n; i++) {
		size_t first = list->n;

		cells_pair(&cells, result, arms.names[0], arms.names[i], list);
		set_margin(list, first, result);
		comparison_judge(list, first);
		for (size_t k = first; k < list->n; k++)
			list->items[k].null = arms.null[i];
	}
	cells_done(&cells);
	set_noise_floor(list);
}

void comparison_list_done(struct comparison_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		struct comparison *c = &list->items[i];

		free(c->a);
		free(c->b);
		free(c->test);
		free(c->metric);
		free(c->points);
		free(c->reason);
	}
	free(list->items);
	*list = (struct comparison_list){ 0 };
}
