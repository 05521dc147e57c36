// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons of arms, within a campaign and between campaigns.
#include <math.h>
#include <string.h>

#include "common/csv.h"
#include "common/mem.h"
#include "report/arms.h"
#include "report/compare.h"
#include "report/limits.h"
#include "report/text-private.h"
#include "result/comparison.h"
#include "result/stats.h"

#define NAME_WIDTH  20
#define VALUE_WIDTH 15

// The deltas of all pairs, each with its factor's name.
struct made {
	struct delta_list *lists;
	const char **factors;
	size_t n;
};

void compare_pairs_parse(struct compare *c, const char *file, const char *text,
			 size_t len, struct fault_list *faults)
{
	struct csv csv = { .text = text, .len = len, .line = 1 };
	struct err err = { 0 };
	struct csv_row row;
	int r;

	while ((r = csv_next(&csv, &row, &err)) != -ENOENT) {
		struct compare_pair *p;

		if (r < 0)
			fault_add(faults, file, csv.line - 1, "%s", err.text);
		else if (row.n < 2 || row.n > 3)
			fault_add(faults, file, row.line,
				  "wanted: base,variant[,factor], as in the first line");
		else if (strcmp(row.fields[0], "base") != 0) {
			c->pairs = mem_grow(c->pairs, c->n_pairs + 1, sizeof(*c->pairs));
			p = &c->pairs[c->n_pairs++];
			p->a = mem_strdup(row.fields[0]);
			p->b = mem_strdup(row.fields[1]);
			p->factor = row.n == 3 ? mem_strdup(row.fields[2]) : NULL;
		}
		csv_row_done(&row);
	}
}

static void make(struct made *m, struct delta_side a, struct delta_side b,
		 const char *factor)
{
	m->lists = mem_grow(m->lists, m->n + 1, sizeof(*m->lists));
	m->factors = mem_grow(m->factors, m->n + 1, sizeof(*m->factors));
	delta_make(&m->lists[m->n], a, b);
	m->factors[m->n++] = factor;
}

static bool find_arm(const struct compare *c, const char *arm, struct delta_side *ret)
{
	for (size_t i = 0; i < c->n; i++)
		if (arm_find(c->results[i], arm)) {
			*ret = (struct delta_side){ c->results[i], arm };
			return true;
		}
	return false;
}

static void make_pairs(const struct compare *c, struct made *m, struct fault_list *faults)
{
	for (size_t i = 0; i < c->n_pairs; i++) {
		const struct compare_pair *p = &c->pairs[i];
		struct delta_side a, b;
		bool has_a = find_arm(c, p->a, &a), has_b = find_arm(c, p->b, &b);

		if (has_a && has_b)
			make(m, a, b, p->factor);
		if (!has_a)
			fault_add(faults, NULL, 0, "no campaign has an arm %s", p->a);
		if (!has_b)
			fault_add(faults, NULL, 0, "no campaign has an arm %s", p->b);
	}
}

static void make_default(const struct compare *c, struct made *m)
{
	const struct json_object *arms =
		json_get(json_get(c->results[0], "plan"), "arms");
	size_t n = text_length(arms);

	for (size_t i = 1; c->n == 1 && i < n; i++)
		make(m,
		     (struct delta_side){ c->results[0],
					  text_str(text_item(arms, 0), "name") },
		     (struct delta_side){ c->results[0],
					  text_str(text_item(arms, i), "name") },
		     NULL);
	for (size_t k = 1; k < c->n; k++)
		for (size_t i = 0; i < n; i++) {
			const char *name = text_str(text_item(arms, i), "name");

			if (arm_find(c->results[k], name))
				make(m, (struct delta_side){ c->results[0], name },
				     (struct delta_side){ c->results[k], name }, NULL);
		}
}

static const char *campaign_name(const struct compare *c,
				 const struct json_object *result)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->results[i] == result)
			return c->names[i];
	return "";
}

static void print_value(struct strbuf *to, const struct delta *d, double value,
			enum metric_bound bound)
{
	struct metric m = { .unit = d->unit, .bound = bound, .value = value };
	_cleanup_strbuf_ struct strbuf text = { 0 };

	metric_format(&m, &text);
	strbuf_puts(to, " ");
	text_cell(to, strbuf_str(&text), VALUE_WIDTH - 1);
}

static void print_delta(struct strbuf *to, const struct delta *d)
{
	static const char *const signs[] = { "", ">=", "<=" };
	static const char *const turned[] = { "", "<=", ">=" };
	bool higher = d->better == BETTER_HIGHER;

	strbuf_puts(to, "  ");
	text_cell(to, d->metric, NAME_WIDTH - 1);
	print_value(to, d, d->a, d->a_bound);
	print_value(to, d, d->b, d->b_bound);
	if (d->has_ratio)
		strbuf_printf(to, " %s%+.1f %%, %s%.2f times the time", signs[d->bound],
			      100 * (d->ratio - 1),
			      higher ? turned[d->bound] : signs[d->bound],
			      d->time_factor);
	else
		strbuf_puts(to, " both too fast to be timed");
	if (d->na > 1 || d->nb > 1)
		strbuf_printf(to, ", n = %zu, %zu", d->na, d->nb);
	strbuf_puts(to, "\n");
}

static double *logarithms(const double *v, size_t n)
{
	double *logs = mem_new(n, sizeof(*logs));

	for (size_t i = 0; i < n; i++)
		logs[i] = log(v[i]);
	return logs;
}

// Runs that were not made in pairs: Welch's interval of the ratio, and the rank test.
static void print_unpaired(struct strbuf *to, const struct delta *d)
{
	_cleanup_free_ double *a = logarithms(d->a_values, d->na);
	_cleanup_free_ double *b = logarithms(d->b_values, d->nb);
	struct stats_welch w = stats_welch(a, d->na, b, d->nb);

	strbuf_printf(
		to,
		"    not paired: %+.1f %% (95 %% CI %+.1f to %+.1f %%), Mann-Whitney "
		"p = %.3f\n",
		100 * expm1(w.difference), 100 * expm1(w.low), 100 * expm1(w.high),
		stats_mann_whitney(a, d->na, b, d->nb));
}

static bool is_paired(const struct delta_list *l)
{
	return l->a.result == l->b.result &&
	       !json_get_bool(json_get(l->a.result, "plan"), "imported", false);
}

static void print_deltas(struct strbuf *to, const struct delta_list *l)
{
	for (size_t k = 0; k < l->n; k++) {
		const struct delta *d = &l->items[k];

		print_delta(to, d);
		if (!is_paired(l) && d->na > 1 && d->nb > 1 && d->has_ratio &&
		    d->bound == BOUND_EXACT && d->a_values[0] > 0 && d->b_values[0] > 0)
			print_unpaired(to, d);
	}
}

// What the blocks say.
static void print_paired(struct strbuf *to, const struct delta_list *l)
{
	struct comparison_list list = { 0 };

	if (!is_paired(l))
		return;
	comparison_pair(&list, l->a.result, l->a.arm, l->b.arm);
	for (size_t i = 0; i < list.n; i++) {
		_cleanup_strbuf_ struct strbuf text = { 0 };

		comparison_sentence(&list.items[i], &text);
		text_wrap(to, "  = ", strbuf_str(&text));
	}
	comparison_list_done(&list);
}

static void print_list(const struct compare *c, const struct made *m, size_t i,
		       struct strbuf *to)
{
	const struct delta_list *l = &m->lists[i];
	_cleanup_strbuf_ struct strbuf title = { 0 };

	strbuf_printf(&title, "%s against %s", l->b.arm, l->a.arm);
	if (l->a.result != l->b.result)
		strbuf_printf(&title, ", %s against %s", campaign_name(c, l->b.result),
			      campaign_name(c, l->a.result));
	if (m->factors[i])
		strbuf_printf(&title, " (%s)", m->factors[i]);
	text_title(to, strbuf_str(&title));
	if (*l->differs)
		text_wrap(to, "  differs in: ", l->differs);
	if (l->n == 0)
		strbuf_puts(to, "  no metric that both have\n");
	print_deltas(to, l);
	print_paired(to, l);
}

static void print_texts(struct strbuf *to, const char *title,
			const struct json_object *texts)
{
	if (text_length(texts) == 0)
		return;
	strbuf_printf(to, "\n%s\n", title);
	for (size_t i = 0; i < text_length(texts); i++)
		text_wrap(to, "  - ", json_object_get_string(text_item(texts, i)));
}

// The pairs of one campaign stand together in the list.
static void print_limits(const struct compare *c, const struct made *m, size_t first,
			 size_t n, struct strbuf *to)
{
	const struct json_object *result = m->lists[first].a.result;
	_cleanup_json_ struct json_object *does = json_new_array();
	_cleanup_json_ struct json_object *does_not = json_new_array();
	_cleanup_free_ char *title =
		mem_printf("What the numbers of %s support", campaign_name(c, result));
	_cleanup_free_ char *title_not = mem_printf(
		"What the numbers of %s do not support", campaign_name(c, result));

	limits_find(result, m->lists + first, n, does, does_not);
	print_texts(to, title, does);
	print_texts(to, title_not, does_not);
}

static void print_all(const struct compare *c, const struct made *m, struct strbuf *to)
{
	for (size_t i = 0, first = 0; i < m->n; i++) {
		const struct json_object *here = m->lists[i].a.result;

		print_list(c, m, i, to);
		if (i + 1 < m->n && m->lists[i + 1].a.result == here)
			continue;
		print_limits(c, m, first, i + 1 - first, to);
		first = i + 1;
	}
}

void report_compare(const struct compare *c, bool csv, struct strbuf *to,
		    struct fault_list *faults)
{
	struct made m = { 0 };

	if (c->n_pairs)
		make_pairs(c, &m, faults);
	else
		make_default(c, &m);
	if (m.n == 0)
		fault_add(faults, NULL, 0,
			  "there are no two arms to compare; give a campaign of two "
			  "arms, or two campaigns with arms of the same name");
	if (csv) {
		delta_csv_head(to);
		for (size_t i = 0; i < m.n; i++)
			delta_csv(&m.lists[i], m.factors[i], to);
	} else {
		print_all(c, &m, to);
	}
	for (size_t i = 0; i < m.n; i++)
		delta_done(&m.lists[i]);
	free(m.lists);
	free(m.factors);
}

void compare_done(struct compare *c)
{
	for (size_t i = 0; i < c->n_pairs; i++) {
		free(c->pairs[i].a);
		free(c->pairs[i].b);
		free(c->pairs[i].factor);
	}
	free(c->pairs);
	c->pairs = NULL;
	c->n_pairs = 0;
}
