// SPDX-License-Identifier: GPL-3.0-or-later
// What each layer costs: from the arm with the fewest layers to the one with the most,
// each a layer or more above the last, in time and in CPU for the same work.
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "report/arms.h"
#include "report/names.h"
#include "report/plot.h"
#include "report/samples.h"
#include "report/text-private.h"

#define GIB       1073741824.0
#define STEPS_MAX 12
#define BAR       14.0

struct step {
	const char *arm;
	struct strbuf added; // what it has more than the last
	double cost;         // s/GiB
};

struct chain {
	struct step steps[STEPS_MAX];
	size_t n;
};

// A cost in s/GiB: a rate turned over, or as it is.
struct cost {
	const char *metric, *unit, *title;
	bool rate;
};

static const struct cost costs[] = {
	{ "read", "B/s", "time to read 1 GiB", true },
	{ "write", "B/s", "time to write 1 GiB", true },
	{ "get_block", "B/s", "time to read 1 GiB in blocks", true },
	{ "put_block", "B/s", "time to write 1 GiB in blocks", true },
	{ "rewrite", "B/s", "time to rewrite 1 GiB", true },
	{ "top_buffered", "B/s", "time to read 1 GiB from the top device", true },
	{ "cpu_per_gib", "s/GiB", "CPU time for 1 GiB", false },
};

static size_t layer_count(const struct json_object *arm)
{
	return text_length(json_get(arm, "layers"));
}

// The arm that adds the fewest layers to `last` and changes nothing else.
static const struct json_object *next_arm(const struct json_object *arms,
					  const struct json_object *last)
{
	const struct json_object *best = NULL;

	for (size_t i = 0; i < text_length(arms); i++) {
		const struct json_object *arm = text_item(arms, i);

		if (arm_compare(last, arm, NULL).only_added &&
		    (!best || layer_count(arm) < layer_count(best)))
			best = arm;
	}
	return best;
}

static void make_chain(struct chain *c, const struct json_object *arms)
{
	const struct json_object *arm = NULL;

	for (size_t i = 0; i < text_length(arms); i++)
		if (!arm || layer_count(text_item(arms, i)) < layer_count(arm))
			arm = text_item(arms, i);
	if (arm && layer_count(arm) == 0)
		arm = NULL; // an arm that does not say what it is made of
	for (const struct json_object *last = NULL; arm && c->n < STEPS_MAX;
	     last = arm, arm = next_arm(arms, arm)) {
		struct step *s = &c->steps[c->n++];

		s->arm = text_str(arm, "name");
		if (last)
			arm_compare(last, arm, &s->added);
	}
}

// The costs of all steps; false when one of them was not measured, or only as a bound.
static bool set_costs(struct html *h, struct chain *c, const char *test,
		      const struct cost *cost)
{
	for (size_t i = 0; i < c->n; i++) {
		struct samples s;
		bool good;

		samples_collect(&s, h->result, test, c->steps[i].arm, cost->metric);
		good = s.n && !s.at_least && !s.at_most && samples_median(&s) > 0 &&
		       strcmp(s.unit, cost->unit) == 0;
		if (good)
			c->steps[i].cost = cost->rate ? GIB / samples_median(&s)
						      : samples_median(&s);
		samples_done(&s);
		if (!good)
			return false;
	}
	return true;
}

static void draw_bar(struct html *h, const struct plot_scale *s, double from, double to)
{
	double a = plot_x(s, from < to ? from : to), b = plot_x(s, from < to ? to : from);
	const char *cls = from == 0 ? "b0" : from < to ? "b1" : "b2";

	plot_open(h, BAR + 4, "");
	plot_rect(h, cls, a, 2, fmax(b - a, 1), BAR);
	plot_line(h, "z", plot_x(s, to), 0, plot_x(s, to), BAR + 4);
	plot_close(h);
}

// A step in seconds and of the last arm's cost; what rounds to nothing has no sign.
static void print_step(struct html *h, double before, double cost)
{
	double percent = 100 * (cost / before - 1);

	if (fabs(percent) < 0.5)
		html_puts(h, "no more (0&#160;%)");
	else
		html_printf(h, "%+.3g s (%+.0f&#160;%%)", cost - before, percent);
}

static void print_waterfall(struct html *h, struct chain *c, const char *test,
			    const struct cost *cost)
{
	struct plot_scale s = { 0, 0 };

	for (size_t i = 0; i < c->n; i++)
		s.high = fmax(s.high, c->steps[i].cost);
	html_puts(h, "<h3>");
	html_text(h, cost->title);
	html_puts(h, ", <code>");
	html_text(h, test);
	html_printf(h, "</code></h3>\n<table class=\"p waterfall\" data-test=\"");
	html_text(h, test);
	html_printf(h, "\" data-metric=\"%s\"><tbody>", cost->metric);
	for (size_t i = 0; i < c->n; i++) {
		const struct step *step = &c->steps[i];
		double before = i ? c->steps[i - 1].cost : 0;

		html_puts(h, "<tr><td>");
		html_text(h, step->arm);
		html_puts(h, i ? "<br><span class=\"q\">" : "");
		html_text(h, strbuf_str(&step->added));
		html_puts(h, i ? "</span></td><td>" : "</td><td>");
		draw_bar(h, &s, before, step->cost);
		html_printf(h, "</td><td class=\"n\"><span data-v=\"%.17g\">",
			    step->cost);
		html_printf(h, "%.3g s</span></td><td class=\"n\">", step->cost);
		if (i)
			print_step(h, before, step->cost);
		html_puts(h, "</td></tr>\n");
	}
	html_puts(h, "</tbody></table>\n");
	html_flush(h);
}

void html_waterfall(struct html *h)
{
	const struct json_object *arms = json_get(json_get(h->result, "plan"), "arms");
	_cleanup_free_ struct names *tests = mem_new(1, sizeof(*tests));
	struct chain c = { 0 };
	bool titled = false;

	make_chain(&c, arms);
	names_collect(tests, h->result, "tests", "test");
	for (size_t i = 0; c.n > 1 && i < tests->n; i++)
		for (size_t k = 0; k < ARRAY_SIZE(costs); k++) {
			if (!set_costs(h, &c, tests->items[i], &costs[k]))
				continue;
			if (!titled)
				html_title(h, "layers", "What each layer costs");
			if (!titled)
				html_puts(h,
					  "<p class=\"q\">Medians, for the same work: "
					  "each arm has the layers of the one above it "
					  "and those named below its own. A bar goes "
					  "from the last arm's cost to this one's; "
					  "whether a step is more than noise stands "
					  "under Comparisons.</p>\n");
			titled = true;
			print_waterfall(h, &c, tests->items[i], &costs[k]);
		}
	for (size_t i = 0; i < c.n; i++)
		strbuf_done(&c.steps[i].added);
}
