// SPDX-License-Identifier: GPL-3.0-or-later
// How long single operations took: of each test of fio the share that took longer, by
// arm. The buckets are fio's own (latency_ns, latency_us, latency_ms: the percentage of
// operations up to so long); a line of the last bucket that has any is the longest.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "report/names.h"
#include "report/plot.h"
#include "report/text-private.h"

#define BUCKETS_MAX 40
#define HEIGHT      150.0
#define BOTTOM      (HEIGHT - 18)
#define ARMS_MAX    6    // lines that can be told apart
#define LEAST       0.01 // percent; fio says no less

struct bucket {
	double seconds; // up to
	double percent; // of the operations, summed over runs
};

struct curve {
	const char *arm;
	struct bucket b[BUCKETS_MAX];
	size_t n;
	unsigned runs;
};

static const struct {
	const char *key;
	double unit;
} parts[] = {
	{ "latency_ns", 1e-9 },
	{ "latency_us", 1e-6 },
	{ "latency_ms", 1e-3 },
};

// Lines differ by dashes, too.
static const char *const dashes[ARMS_MAX] = {
	"", "6 3", "2 3", "9 3 2 3", "1 2", "12 4"
};
static const char *const colours[ARMS_MAX] = { "#222",    "#b35806", "#542788",
					       "#1b7837", "#8c510a", "#01665e" };

static void add_bucket(struct curve *c, double seconds, double percent)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->b[i].seconds == seconds) {
			c->b[i].percent += percent;
			return;
		}
	if (c->n < BUCKETS_MAX)
		c->b[c->n++] = (struct bucket){ seconds, percent };
}

static void add_run(struct curve *c, const struct json_object *run)
{
	const struct json_object *fio = json_get(json_get(run, "detail"), "fio");
	bool any = false;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		struct json_object *o = json_get(fio, parts[i].key);

		if (!json_object_is_type(o, json_type_object))
			continue;
		json_object_object_foreach (o, key, value) {
			// ">=2000" is the last, without an end; it is drawn as twice
			bool last = strncmp(key, ">=", 2) == 0;
			double v, percent = json_object_get_double(value);

			if (number_double(last ? key + 2 : key, &v) < 0 || v <= 0 ||
			    !(percent >= 0))
				continue;
			add_bucket(c, v * parts[i].unit * (last ? 2 : 1), percent);
			any = true;
		}
	}
	c->runs += any;
}

static int by_time(const void *va, const void *vb)
{
	const struct bucket *a = va, *b = vb;

	return a->seconds < b->seconds ? -1 : a->seconds > b->seconds;
}

static bool make_curve(struct html *h, struct curve *c, const char *test, const char *arm)
{
	const struct json_object *runs = json_get(h->result, "runs");

	*c = (struct curve){ .arm = arm };
	for (size_t i = 0; i < text_length(runs); i++) {
		const struct json_object *run = text_item(runs, i);

		if (comparison_counts(run) && strcmp(text_str(run, "test"), test) == 0 &&
		    strcmp(text_str(run, "arm"), arm) == 0)
			add_run(c, run);
	}
	qsort(c->b, c->n, sizeof(*c->b), by_time);
	for (size_t i = 0; i < c->n; i++)
		c->b[i].percent /= c->runs ? c->runs : 1;
	return c->runs > 0;
}

// Up from 100 % at the bottom to 0.01 % at the top, each decade alike.
static double y_of(double percent)
{
	double up = (2 - log10(fmax(percent, LEAST))) / 4;

	return BOTTOM - up * (BOTTOM - 8);
}

static void draw_curve(struct html *h, const struct curve *c, const struct plot_scale *s,
		       size_t which)
{
	double above = 100;

	html_printf(h,
		    "<path class=\"l\" stroke=\"%s\" stroke-dasharray=\"%s\" d=\"M%.1f "
		    "%.1f",
		    colours[which], *dashes[which] ? dashes[which] : "none",
		    plot_x(s, s->low), y_of(100));
	for (size_t i = 0; i < c->n; i++) {
		double x = plot_x(s, log10(c->b[i].seconds));

		if (c->b[i].percent <= 0)
			continue;
		above = fmax(above - c->b[i].percent, 0);
		html_printf(h, "H%.1fV%.1f", x, y_of(above));
		if (above < LEAST)
			break;
	}
	html_puts(h, "\"/>");
}

static void draw_axes(struct html *h, const struct plot_scale *s)
{
	static const char *const names[] = { "1 ns",  "10 ns",  "100 ns", "1 us",
					     "10 us", "0.1 ms", "1 ms",   "10 ms",
					     "0.1 s", "1 s",    "10 s" };
	static const struct {
		double percent;
		const char *text;
	} shares[] = { { 10, "10 %" }, { 1, "1 %" }, { 0.1, "0.1 %" } };

	for (int e = -9; e <= 1; e++) {
		if (e < s->low || e > s->high)
			continue;
		plot_line(h, "g", plot_x(s, e), 4, plot_x(s, e), BOTTOM);
		plot_label(h, plot_x(s, e), HEIGHT - 4, names[e + 9]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(shares); i++) {
		plot_line(h, "g", PLOT_EDGE, y_of(shares[i].percent),
			  PLOT_WIDTH - PLOT_EDGE, y_of(shares[i].percent));
		plot_label(h, 24, y_of(shares[i].percent) - 2, shares[i].text);
	}
}

static void print_legend(struct html *h, const struct curve *c, size_t n)
{
	html_puts(h, "<p>");
	for (size_t i = 0; i < n; i++) {
		html_printf(h,
			    "<svg width=\"34\" height=\"10\" style=\"display:inline\">"
			    "<line class=\"l\" stroke=\"%s\" stroke-dasharray=\"%s\" "
			    "x1=\"0\" y1=\"5\" x2=\"32\" y2=\"5\"/></svg> ",
			    colours[i], *dashes[i] ? dashes[i] : "none");
		html_text(h, c[i].arm);
		html_puts(h, " &#160; ");
	}
	html_puts(h, "</p>\n");
}

static bool print_test(struct html *h, const char *test, const struct names *arms,
		       bool titled)
{
	struct curve curves[ARMS_MAX];
	struct plot_scale s = { INFINITY, -INFINITY };
	size_t n = 0;

	for (size_t i = 0; i < arms->n && n < ARMS_MAX; i++)
		n += make_curve(h, &curves[n], test, arms->items[i]);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < curves[i].n; k++)
			if (curves[i].b[k].percent > 0) {
				double x = log10(curves[i].b[k].seconds);

				s.low = fmin(s.low, x - 0.3);
				s.high = fmax(s.high, x);
			}
	if (n == 0 || !(s.high > s.low))
		return titled;
	if (!titled)
		html_title(h, "latency", "Latency of single operations");
	html_puts(h, "<h3><code>");
	html_text(h, test);
	html_puts(h, "</code>: share of the operations that took longer</h3>\n");
	plot_open(h, HEIGHT, "share of operations that took longer, by time");
	draw_axes(h, &s);
	for (size_t i = 0; i < n; i++)
		draw_curve(h, &curves[i], &s, i);
	plot_close(h);
	print_legend(h, curves, n);
	html_flush(h);
	return true;
}

void html_latency(struct html *h)
{
	_cleanup_free_ struct names *arms = mem_new(1, sizeof(*arms));
	_cleanup_free_ struct names *tests = mem_new(1, sizeof(*tests));
	bool titled = false;

	names_collect(arms, h->result, "arms", "arm");
	names_collect(tests, h->result, "tests", "test");
	for (size_t i = 0; i < tests->n; i++)
		titled = print_test(h, tests->items[i], arms, titled);
}
