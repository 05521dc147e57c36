// SPDX-License-Identifier: GPL-3.0-or-later
// Each comparison as a row: every block a dot, the interval a bar, the noise a band.
//
// The scale is the logarithm of the speed of b as a multiple of a's: slower is left,
// faster right, whether the metric is a rate or a time; twice as slow is as far as twice
// as fast.
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "report/plot.h"

#define ROW_HEIGHT 24.0
#define MIDDLE     12.0
#define SPAN_LEAST 0.049 // ln; a scale never narrower than about 5 % each way

// How a verdict looks: a sign and a word beside the colour.
struct look {
	const char *word, *sign, *dot; // class of the dots
	bool sure;
};

static const struct look looks[] = {
	[COMPARISON_INCONCLUSIVE] = { "inconclusive", "?", "de", false },
	[COMPARISON_SLOWER] = { "slower", "&#9660;", "ds", true },
	[COMPARISON_FASTER] = { "faster", "&#9650;", "df", true },
	[COMPARISON_EQUIVALENT] = { "equivalent", "=", "de", true },
	[COMPARISON_NOT_COMPARABLE] = { "not comparable", "&#215;", "de", false },
};

static const struct look *look_of(const struct comparison *c)
{
	return &looks[c->verdict < ARRAY_SIZE(looks) ? c->verdict : 0];
}

// A change in percent of the metric as logarithm of the speed.
static double speed(const struct comparison *c, double change)
{
	double r = log1p(fmax(change, -99.99) / 100);

	return c->better == BETTER_LOWER ? -r : r;
}

// Does a comparison have anything to draw?
static bool is_drawn(const struct comparison *c)
{
	return isfinite(c->change);
}

static void widen(struct plot_scale *s, const struct comparison *c, double change)
{
	double x = isfinite(change) ? speed(c, change) : 0;

	s->low = fmin(s->low, x);
	s->high = fmax(s->high, x);
}

// One scale for all rows of a table, so that they can be compared by eye.
static struct plot_scale scale_of(const struct comparison *c, size_t n)
{
	struct plot_scale s = { -SPAN_LEAST, SPAN_LEAST };
	double pad;

	for (size_t i = 0; i < n; i++) {
		if (!is_drawn(&c[i]))
			continue;
		widen(&s, &c[i], c[i].low);
		widen(&s, &c[i], c[i].high);
		for (size_t k = 0; k < c[i].n_points; k++)
			widen(&s, &c[i], c[i].points[k].change);
	}
	pad = (s.high - s.low) * 0.04;
	s.low -= pad;
	s.high += pad;
	return s;
}

// Factors that are ticks where they fit.
static const double ticks[] = { 0.001, 0.01, 0.1,  0.2, 0.5,  0.8,  0.9,
				0.95,  0.98, 0.99, 1,   1.01, 1.02, 1.05,
				1.1,   1.25, 2,    5,   10,   100,  1000 };

static void draw_axis(struct html *h, const struct plot_scale *s)
{
	double last = -INFINITY;
	size_t one = 0;

	while (ticks[one] != 1)
		one++;
	plot_open(h, 16, "speed as a multiple of the first arm's");
	plot_label(h, plot_x(s, 0), 12, "1x");
	for (size_t i = 0; i < ARRAY_SIZE(ticks); i++) {
		double x = plot_x(s, log(ticks[i]));
		_cleanup_free_ char *text = mem_printf("%gx", ticks[i]);

		if (log(ticks[i]) < s->low || log(ticks[i]) > s->high || i == one ||
		    x - last < 34 || fabs(x - plot_x(s, 0)) < 30)
			continue;
		last = x;
		plot_label(h, x, 12, text);
	}
	plot_close(h);
}

// Sixteen pixels hold three dots side by side; those of neighbouring blocks are apart.
static double dot_y(unsigned block)
{
	return MIDDLE + (double)(block % 3) * 4 - 4;
}

static void draw_points(struct html *h, const struct comparison *c,
			const struct plot_scale *s)
{
	html_printf(h, "<g class=\"pt %s\">", look_of(c)->dot);
	for (size_t k = 0; k < c->n_points; k++) {
		const struct comparison_point *p = &c->points[k];

		if (!isfinite(p->change) || p->both_bound)
			continue;
		html_printf(h,
			    "<circle cx=\"%.1f\" cy=\"%.0f\" r=\"%s\" data-k=\"%zu\">"
			    "<title>block %u: %+.3g %%%s</title></circle>",
			    plot_x(s, speed(c, p->change)), dot_y(p->block),
			    p->outlier ? "4" : "2.5", k, p->block, p->change,
			    p->outlier ? ", far from the others" : "");
	}
	html_puts(h, "</g>");
}

static void draw_row(struct html *h, const struct comparison *c,
		     const struct plot_scale *s)
{
	const struct look *look = look_of(c);
	_cleanup_free_ char *name = mem_printf("%s: %s", c->metric, look->word);
	double zero = plot_x(s, 0), theta = log1p(c->margin / 100);

	plot_open(h, ROW_HEIGHT, name);
	if (isfinite(c->noise_floor)) {
		double noise = log1p(c->noise_floor / 100);

		plot_rect(h, "nf", plot_x(s, -noise), 0,
			  plot_x(s, noise) - plot_x(s, -noise), ROW_HEIGHT);
	}
	if (isfinite(theta) && theta < s->high && -theta > s->low) {
		plot_line(h, "mg", plot_x(s, theta), 0, plot_x(s, theta), ROW_HEIGHT);
		plot_line(h, "mg", plot_x(s, -theta), 0, plot_x(s, -theta), ROW_HEIGHT);
	}
	plot_line(h, "z", zero, 0, zero, ROW_HEIGHT);
	if (isfinite(c->low) && isfinite(c->high)) {
		_cleanup_free_ char *cls =
			mem_printf("%s %s", look->dot, look->sure ? "ci" : "ci wk");

		plot_line(h, cls, plot_x(s, speed(c, c->low)), MIDDLE,
			  plot_x(s, speed(c, c->high)), MIDDLE);
	}
	draw_points(h, c, s);
	if (isfinite(c->change)) {
		double x = plot_x(s, speed(c, c->change));

		html_printf(
			h,
			"<path class=\"%s%s\" d=\"M%.1f 5L%.1f 12L%.1f 19L%.1f 12z\"/>",
			look->dot, look->sure ? "" : " weak", x, x + 5, x, x - 5);
	}
	plot_close(h);
}

static void print_number(struct html *h, size_t at, const char *key, double value)
{
	_cleanup_free_ char *where = mem_printf("comparisons/%zu/%s", at, key);

	html_percent(h, value, h->comparisons_at ? where : NULL);
}

static void print_row(struct html *h, size_t i, const struct plot_scale *s)
{
	const struct comparison *c = &h->comparisons.items[i];
	const struct look *look = look_of(c);
	static const char *const bounds[] = { "", "&#8805;&#160;", "&#8804;&#160;" };

	html_printf(h, "<tr data-at=\"comparisons/%zu\"><td><code>", i);
	html_text(h, c->metric);
	html_puts(h, "</code></td><td>");
	draw_row(h, c, s);
	html_printf(h, "</td><td><b class=\"%s\">%s&#160;%s</b></td><td>",
		    strchr(look->word, ' ') ? "none" : look->word, look->sign,
		    look->word);
	if (isfinite(c->change)) {
		html_puts(h, bounds[c->bound]);
		print_number(h, i, "change", c->change);
	}
	if (isfinite(c->low) && isfinite(c->high)) {
		html_puts(h, " <span class=\"q\">(");
		print_number(h, i, "low", c->low);
		html_puts(h, " to ");
		print_number(h, i, "high", c->high);
		html_puts(h, ")</span>");
	}
	html_printf(h, " <span class=\"q\">%u blocks", c->blocks);
	if (c->reason) {
		html_puts(h, "; ");
		html_text(h, c->reason);
	}
	html_puts(h, "</span></td></tr>\n");
	html_flush(h);
}

static bool is_cpu(const struct comparison *c)
{
	return strncmp(c->metric, "cpu", 3) == 0;
}

// Rows on one scale: of the same arms and test; what CPU costs is another matter than
// what time it takes, and often many times more.
static bool same_scale(const struct comparison *a, const struct comparison *b)
{
	return strcmp(a->a, b->a) == 0 && strcmp(a->b, b->b) == 0 &&
	       strcmp(a->test, b->test) == 0 && is_cpu(a) == is_cpu(b);
}

static void print_heading(struct html *h, const struct comparison *c)
{
	html_puts(h, "<h3>");
	html_text(h, c->b);
	html_puts(h, " against ");
	html_text(h, c->null ? "itself under another name, " : c->a);
	html_puts(h, c->null ? "<code>" : ", <code>");
	html_text(h, c->test);
	html_puts(h, is_cpu(c) ? "</code>, CPU</h3>\n" : "</code></h3>\n");
}

// What cannot be compared, by reason, in a sentence instead of empty rows.
static void print_undrawn(struct html *h, size_t first, size_t n)
{
	const struct comparison *c = &h->comparisons.items[first];
	const char *reason = NULL;

	for (size_t i = 0; i < n; i++) {
		const char *why = c[i].reason ? c[i].reason : "no values";

		if (is_drawn(&c[i]))
			continue;
		if (!reason || strcmp(reason, why) != 0) {
			html_puts(h, "<p class=\"q\">&#215;&#160;not comparable: ");
			html_puts(h, "<code>");
			html_text(h, c[i].metric);
			html_puts(h, "</code>");
		} else {
			html_puts(h, ", <code>");
			html_text(h, c[i].metric);
			html_puts(h, "</code>");
		}
		if (i + 1 == n || is_drawn(&c[i + 1]) || !c[i + 1].reason ||
		    strcmp(c[i + 1].reason, why) != 0) {
			html_puts(h, " (");
			html_text(h, why);
			html_puts(h, ")</p>\n");
			reason = NULL;
		} else {
			reason = why;
		}
	}
	html_flush(h);
}

static void print_table(struct html *h, size_t first, size_t n)
{
	const struct comparison *c = &h->comparisons.items[first];
	struct plot_scale s = scale_of(c, n);
	size_t drawn = 0;

	for (size_t i = 0; i < n; i++)
		drawn += is_drawn(&c[i]);
	print_heading(h, c);
	if (drawn) {
		html_printf(h,
			    "<table class=\"p\" data-low=\"%.17g\" data-high=\"%.17g\">"
			    "<tbody><tr><td class=\"q\">metric</td><td>",
			    s.low, s.high);
		draw_axis(h, &s);
		html_puts(h,
			  "</td><td class=\"q\">verdict</td><td class=\"q\">change (95 % "
			  "interval)</td></tr>\n");
		for (size_t i = first; i < first + n; i++)
			if (is_drawn(&h->comparisons.items[i]))
				print_row(h, i, &s);
		html_puts(h, "</tbody></table>\n");
	}
	print_undrawn(h, first, n);
}

void html_comparisons(struct html *h)
{
	const struct comparison *c = h->comparisons.items;
	size_t n = h->comparisons.n;

	if (n == 0)
		return;
	html_title(h, "comparisons", "Comparisons");
	html_puts(h,
		  "<p class=\"q\">Left of the line is slower, right is faster, as a "
		  "multiple of the first arm's speed. A dot is one block (a large one is "
		  "far from the others), the bar the 95 % interval, the diamond its "
		  "middle; both are filled and whole where the verdict is sure. Grey: "
		  "noise that a comparison of an arm with itself showed. Dashed lines: "
		  "what counts as no difference.</p>\n");
	for (size_t i = 0, first = 0; i < n; i++)
		if (i + 1 == n || !same_scale(&c[first], &c[i + 1])) {
			print_table(h, first, i + 1 - first);
			first = i + 1;
		}
}
