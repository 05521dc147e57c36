// SPDX-License-Identifier: GPL-3.0-or-later
// The report on many campaigns as a page: who is not well, then each number as a strip of
// all machines.
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "report/fleet-private.h"
#include "report/plot.h"

#define LISTED_MAX 500 // machines, and changes, that are named one by one
#define BINS       152 // of a strip: two pixels each, so that 10,000 dots are no more
#define STRIP      26.0

static void print_value(struct html *h, const struct fleet_key *k, double value)
{
	struct metric m = { .unit = k->unit, .value = value };

	html_metric(h, &m, NULL);
}

static void print_key_name(struct html *h, const struct fleet_key *k)
{
	_cleanup_strbuf_ struct strbuf name = { 0 };

	fleet_key_name(k, &name);
	html_puts(h, "<code>");
	html_text(h, strbuf_str(&name));
	html_puts(h, "</code>");
}

static void print_machine(struct html *h, const struct fleet *f,
			  const struct fleet_campaign *c)
{
	_cleanup_strbuf_ struct strbuf why = { 0 };

	html_puts(h, "<tr><td>");
	html_text(h, c->machine);
	html_printf(h, "</td><td><b>%s</b></td><td>", outcome_name(c->verdict));
	if (c->why)
		strbuf_puts(&why, c->why);
	else if (c->worst != FLEET_NONE)
		fleet_far_sentence(f, &f->far[c->worst], &why);
	html_text(h, strbuf_str(&why));
	html_puts(h, "</td></tr>\n");
	html_flush(h);
}

static void print_machines(struct html *h, const struct fleet *f)
{
	size_t listed = 0, well = 0, more = 0;

	for (size_t i = 0; i < f->n; i++) {
		const struct fleet_campaign *c = &f->campaigns[i];

		if (c->baseline || c->replaced)
			continue;
		if (c->verdict == OUTCOME_PASSED && c->worst == FLEET_NONE) {
			well++;
			continue;
		}
		if (listed == LISTED_MAX) {
			more++;
			continue;
		}
		if (listed++ == 0) {
			html_title(h, "machines", "Machines to look at");
			html_puts(h, "<table><tbody>\n");
		}
		print_machine(h, f, c);
	}
	if (listed)
		html_puts(h, "</tbody></table>\n");
	html_printf(h, "<p>%zu machines passed and are like their siblings", well);
	html_printf(h, more ? "; %zu more to look at are not listed.</p>\n" : ".</p>\n",
		    more);
}

// Machines of one bin are one bar, as high as they are many; those unlike their siblings
// are dots with names.
static void draw_strip(struct html *h, const struct fleet *f, uint32_t key)
{
	const struct fleet_key *k = &f->keys[key];
	const struct plot_scale s = { log(k->low), log(k->high) };
	unsigned bins[BINS] = { 0 }, most = 1;

	for (size_t i = 0; i < k->n; i++) {
		double at = plot_x(&s, log((double)k->values[i].median)) - PLOT_EDGE;
		size_t bin = (size_t)(at / (PLOT_WIDTH - 2 * PLOT_EDGE) * (BINS - 1));

		if (!fleet_counts(&f->campaigns[k->values[i].campaign]))
			continue;
		bins[bin]++;
		most = bins[bin] > most ? bins[bin] : most;
	}
	plot_open(h, STRIP, "distribution over all machines");
	for (size_t i = 0; i < BINS; i++) {
		double high = bins[i] ? 2 + 16 * sqrt((double)bins[i] / most) : 0;

		if (bins[i])
			plot_rect(h, "b0", PLOT_EDGE + 2.0 * (double)i, STRIP - 2 - high,
				  2, high);
	}
	plot_line(h, "z", plot_x(&s, log(k->median)), 0, plot_x(&s, log(k->median)),
		  STRIP);
	for (size_t i = 0; i < f->n_far; i++) {
		const struct fleet_far *far = &f->far[i];

		if (far->key != key)
			continue;
		html_printf(h,
			    "<circle class=\"%s\" cx=\"%.1f\" cy=\"5\" r=\"3.5\"><title>",
			    far->slower ? "ds" : "df", plot_x(&s, log(far->value)));
		html_text(h, f->campaigns[far->campaign].machine);
		html_printf(h, ": %+.0f %%</title></circle>", far->change);
	}
	plot_close(h);
}

static void print_key(struct html *h, const struct fleet *f, uint32_t key)
{
	const struct fleet_key *k = &f->keys[key];

	html_puts(h, "<tr><td>");
	print_key_name(h, k);
	html_puts(h, "</td><td>");
	draw_strip(h, f, key);
	html_puts(h, "</td><td class=\"n\">");
	print_value(h, k, k->median);
	html_puts(h, "</td><td class=\"n q\">");
	print_value(h, k, k->p5);
	html_puts(h, " to ");
	print_value(h, k, k->p95);
	html_printf(h, "</td><td class=\"n q\">%zu</td></tr>\n", k->siblings);
	html_flush(h);
}

static void print_group(struct html *h, const struct fleet *f, size_t g)
{
	bool titled = false;

	for (size_t i = 0; i < f->n_keys; i++) {
		if (f->keys[i].group != g || f->keys[i].siblings == 0)
			continue;
		if (!titled) {
			html_puts(h, "<h3>");
			html_text(h, f->groups[g]);
			html_puts(h,
				  "</h3>\n<table class=\"p\"><tbody><tr><td class=\"q\">"
				  "number</td><td class=\"q\">least to most</td>"
				  "<td class=\"n q\">median</td><td class=\"n q\">5 % to "
				  "95 %</td><td class=\"n q\">machines</td></tr>\n");
		}
		titled = true;
		print_key(h, f, (uint32_t)i);
	}
	if (titled)
		html_puts(h, "</tbody></table>\n");
}

static void print_changes(struct html *h, const struct fleet *f)
{
	if (f->compared == 0)
		return;
	html_title(h, "changes", "Since the baseline");
	html_printf(h, "<p>%zu numbers compared, %zu changed by more than %.0f %%.</p>\n",
		    f->compared, f->n_changed, FLEET_FAR_PERCENT);
	for (size_t i = 0; i < f->n_changed && i < LISTED_MAX; i++) {
		const struct fleet_far *far = &f->changed[i];
		const struct fleet_key *k = &f->keys[far->key];

		html_puts(h, i ? "<tr><td>" : "<table><tbody>\n<tr><td>");
		html_text(h, f->campaigns[far->campaign].machine);
		html_printf(h, "</td><td class=\"%s\">%s&#160;",
			    far->slower ? "slower" : "faster",
			    far->slower ? "&#9660;" : "&#9650;");
		html_percent(h, far->change, NULL);
		html_puts(h, "</td><td>");
		print_key_name(h, k);
		html_puts(h, "</td><td class=\"n\">");
		print_value(h, k, far->other);
		html_puts(h, " &#8594; ");
		print_value(h, k, far->value);
		html_puts(h, "</td></tr>\n");
		html_flush(h);
	}
	if (f->n_changed)
		html_puts(h, "</tbody></table>\n");
}

void fleet_html(const struct fleet *f, report_write *write, void *arg)
{
	struct html h = { .write = write, .arg = arg };
	bool any = false;

	html_begin(&h, "Fleet");
	html_printf(&h, "<h1>%zu campaigns</h1>\n", f->n);
	print_machines(&h, f);
	for (size_t i = 0; i < f->n_keys; i++)
		any |= f->keys[i].siblings > 0;
	if (any) {
		html_title(&h, "numbers", "Each number over all machines");
		html_puts(&h,
			  "<p class=\"q\">A bar is as high as machines are many there, "
			  "the line their median. A dot is a machine unlike its "
			  "siblings, those of the same plan and the same model of disk; "
			  "orange is slower.</p>\n");
	}
	for (size_t g = 0; g < f->n_groups; g++)
		print_group(&h, f, g);
	print_changes(&h, f);
	html_end(&h);
}
