// SPDX-License-Identifier: GPL-3.0-or-later
// One table per test: a metric is a row, an arm a column.
#include <string.h>

#include "common/mem.h"
#include "report/names.h"
#include "report/samples.h"
#include "report/text-private.h"

#define NAME_WIDTH 20
#define CELL_WIDTH 20 // three of them and the name fill 80 columns
#define ARMS_WIDE  3

struct table {
	const struct json_object *result;
	struct strbuf *to;
	const char *test;
	const char *arms[ARMS_WIDE]; // arms[0] is the one to compare with
	size_t n;
};

static void format_value(const struct samples *s, double value, struct strbuf *to)
{
	struct metric m = { .unit = s->unit, .value = value };

	metric_format(&m, to);
}

static void median_cell(const struct samples *s, const struct samples *base,
			struct strbuf *to)
{
	(void)base;
	if (s->n == 0) {
		strbuf_puts(to, "-");
		return;
	}
	if (s->at_least && s->at_most)
		strbuf_puts(to, "~ ");
	else if (s->at_least || s->at_most)
		strbuf_puts(to, s->at_least ? ">= " : "<= ");
	format_value(s, samples_median(s), to);
}

// "20.1..22.3 MB/s", the unit once where both have the same.
static void spread_cell(const struct samples *s, const struct samples *base,
			struct strbuf *to)
{
	_cleanup_strbuf_ struct strbuf low = { 0 }, high = { 0 };
	const char *unit_low, *unit_high;

	(void)base;
	if (s->n < 2)
		return;
	format_value(s, s->values[0], &low);
	format_value(s, s->values[s->n - 1], &high);
	unit_low = strchr(low.data, ' ');
	unit_high = strchr(high.data, ' ');
	if (unit_low && unit_high && strcmp(unit_low, unit_high) == 0)
		low.data[unit_low - low.data] = '\0';
	strbuf_printf(to, "%s..%s", low.data, high.data);
}

static void count_cell(const struct samples *s, const struct samples *base,
		       struct strbuf *to)
{
	(void)base;
	strbuf_printf(to, "n=%zu", s->n);
}

// Change in % and how long the same work takes, both against the first arm.
static void ratio_cell(const struct samples *s, const struct samples *base,
		       struct strbuf *to)
{
	double a = samples_median(base), b = samples_median(s), factor;
	const char *sign = "", *turned = "";

	if (s == base || s->n == 0 || base->n == 0 || strcmp(s->unit, base->unit) != 0)
		return;
	if (a <= 0 || b <= 0 || s->at_most || base->at_most) {
		strbuf_puts(to, "-");
		return;
	}
	if (s->at_least && base->at_least) {
		strbuf_puts(to, "both only bounds");
		return;
	}
	if (s->at_least)
		sign = ">=", turned = "<=";
	else if (base->at_least)
		sign = "<=", turned = ">=";
	strbuf_printf(to, "%s%+.1f %%", sign, 100 * (b / a - 1));
	if (s->better == BETTER_NEITHER)
		return;
	factor = s->better == BETTER_HIGHER ? a / b : b / a;
	strbuf_printf(to, " %s%.2fx", s->better == BETTER_HIGHER ? turned : sign, factor);
}

struct row {
	const char *label; // NULL: the metric's name
	bool several_arms, several_values;
	void (*cell)(const struct samples *s, const struct samples *base,
		     struct strbuf *to);
};

static const struct row rows[] = {
	{ NULL, false, false, median_cell },
	{ "  vs first", true, false, ratio_cell },
	{ "  min..max", false, true, spread_cell },
	{ "  values", false, true, count_cell },
};

static void print_metric(const struct table *t, const char *metric)
{
	struct samples s[ARMS_WIDE] = { 0 };
	size_t most = 0, compared = 0;

	for (size_t i = 0; i < t->n; i++) {
		samples_collect(&s[i], t->result, t->test, t->arms[i], metric);
		most = s[i].n > most ? s[i].n : most;
		compared += i > 0 && s[i].n > 0;
	}
	for (size_t r = 0; r < ARRAY_SIZE(rows) && most > 0; r++) {
		_cleanup_strbuf_ struct strbuf line = { 0 };

		if ((rows[r].several_arms && (compared == 0 || s[0].n == 0)) ||
		    (rows[r].several_values && most < 2))
			continue;
		text_cell(&line, rows[r].label ? rows[r].label : metric, NAME_WIDTH - 1);
		for (size_t i = 0; i < t->n; i++) {
			_cleanup_strbuf_ struct strbuf cell = { 0 };

			rows[r].cell(&s[i], &s[0], &cell);
			strbuf_puts(&line, " ");
			text_cell(&line, strbuf_str(&cell), CELL_WIDTH - 1);
		}
		while (line.len && line.data[line.len - 1] == ' ')
			line.data[--line.len] = '\0';
		strbuf_printf(t->to, "%s\n", line.data);
	}
	for (size_t i = 0; i < t->n; i++)
		samples_done(&s[i]);
}

static void print_head(const struct table *t)
{
	_cleanup_strbuf_ struct strbuf line = { 0 };

	text_cell(&line, "", NAME_WIDTH - 1);
	for (size_t i = 0; i < t->n; i++) {
		strbuf_puts(&line, " ");
		text_cell(&line, t->arms[i], CELL_WIDTH - 1);
	}
	while (line.len && line.data[line.len - 1] == ' ')
		line.data[--line.len] = '\0';
	strbuf_printf(t->to, "%s\n", line.data);
}

static void print_test(const struct json_object *result, struct strbuf *to,
		       const char *test, const struct names *arms)
{
	_cleanup_free_ struct names *metrics = mem_new(1, sizeof(*metrics));
	size_t next = 1;

	names_metrics(metrics, result, test);
	if (metrics->n == 0)
		return;
	text_title(to, test);
	do { // the first arm, and two more beside it at a time
		struct table t = { result, to, test, { arms->items[0] }, 1 };

		while (t.n < ARMS_WIDE && next < arms->n)
			t.arms[t.n++] = arms->items[next++];
		print_head(&t);
		for (size_t i = 0; i < metrics->n; i++)
			print_metric(&t, metrics->items[i]);
		if (next < arms->n)
			strbuf_puts(to, "\n");
	} while (next < arms->n);
}

void text_tables(const struct json_object *result, struct strbuf *to)
{
	_cleanup_free_ struct names *arms = mem_new(1, sizeof(*arms));
	_cleanup_free_ struct names *tests = mem_new(1, sizeof(*tests));
	size_t before = to->len;

	names_collect(arms, result, "arms", "arm");
	names_collect(tests, result, "tests", "test");
	for (size_t i = 0; i < tests->n && arms->n > 0; i++)
		print_test(result, to, tests->items[i], arms);
	if (to->len == before)
		return;
	strbuf_puts(to, "\nMedian of the passed runs. \">=\": too fast to be timed, so "
			"at least this much.\n");
	if (arms->n > 1)
		text_wrap(to, "",
			  "\"vs first\": change against the first arm, and its time for "
			  "the same work as a multiple of the first arm's. A difference "
			  "of medians is no finding by itself: those are listed above.");
}
