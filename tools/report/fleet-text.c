// SPDX-License-Identifier: GPL-3.0-or-later
// The report on many campaigns, in 80 columns.
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "report/fleet-private.h"
#include "report/text-private.h"

#define LISTED_MAX 50 // machines, and changes, that are named one by one
#define HEADING                                        \
	"                                    machines" \
	" 5 %        median     95 %\n"

struct page {
	const struct fleet *f;
	struct strbuf buf;
	report_write *write;
	void *arg;
};

static void flush(struct page *p)
{
	if (p->buf.len)
		p->write(p->arg, p->buf.data, p->buf.len);
	p->buf.len = 0;
}

void fleet_key_name(const struct fleet_key *k, struct strbuf *to)
{
	strbuf_printf(to, "%s.%s of %s", k->test, k->metric, k->arm);
}

static void add_value(struct strbuf *to, const struct fleet_key *k, double value)
{
	struct metric m = { .unit = k->unit, .value = value };

	metric_format(&m, to);
}

static void add_change(const struct fleet_key *k, const struct fleet_far *far,
		       struct strbuf *to)
{
	bool rate = k->better == BETTER_HIGHER;

	strbuf_printf(to, "%.0f %% %s", fabs(far->change),
		      rate ? (far->slower ? "slower" : "faster")
			   : (far->slower ? "more" : "less"));
}

void fleet_far_sentence(const struct fleet *f, const struct fleet_far *far,
			struct strbuf *to)
{
	const struct fleet_key *k = &f->keys[far->key];

	add_change(k, far, to);
	strbuf_printf(to, " than its %zu siblings in ", k->siblings - 1);
	fleet_key_name(k, to);
	strbuf_puts(to, " (");
	add_value(to, k, far->value);
	strbuf_puts(to, ", they ");
	add_value(to, k, far->other);
	strbuf_puts(to, ")");
}

static void print_counts(struct page *p)
{
	size_t counts[OUTCOME_ABORTED + 1] = { 0 }, machines = 0, unlike = 0;
	const struct fleet *f = p->f;

	for (size_t i = 0; i < f->n; i++) {
		const struct fleet_campaign *c = &f->campaigns[i];

		if (c->baseline || c->replaced)
			continue;
		machines++;
		counts[c->verdict]++;
		unlike += c->worst != FLEET_NONE;
	}
	strbuf_printf(&p->buf,
		      "%zu campaigns; of the last of each machine and plan, %zu:\n", f->n,
		      machines);
	for (size_t o = 0; o <= OUTCOME_ABORTED; o++)
		if (counts[o])
			strbuf_printf(&p->buf, "%8zu %s\n", counts[o],
				      outcome_name((enum outcome)o));
	strbuf_printf(&p->buf, "%8zu unlike their siblings\n", unlike);
	if (f->twice)
		strbuf_printf(&p->buf, "%8zu found twice, taken once\n", f->twice);
}

// Everybody when they are few; else those who did not pass or are unlike the others.
static void print_machines(struct page *p)
{
	const struct fleet *f = p->f;
	size_t left_out = 0, listed = 0;

	text_title(&p->buf, "Machines");
	for (size_t i = 0; i < f->n; i++) {
		const struct fleet_campaign *c = &f->campaigns[i];
		_cleanup_strbuf_ struct strbuf why = { 0 }, prefix = { 0 };

		if (c->baseline || c->replaced)
			continue;
		if (f->n > LISTED_MAX &&
		    (listed >= LISTED_MAX ||
		     (c->verdict == OUTCOME_PASSED && c->worst == FLEET_NONE))) {
			left_out++;
			continue;
		}
		listed++;
		text_cell(&prefix, c->machine, 24);
		strbuf_printf(&prefix, " %-8s ", outcome_name(c->verdict));
		if (c->why)
			strbuf_puts(&why, c->why);
		else if (c->worst != FLEET_NONE)
			fleet_far_sentence(f, &f->far[c->worst], &why);
		text_wrap(&p->buf, prefix.data, strbuf_str(&why));
		flush(p);
	}
	if (left_out)
		strbuf_printf(&p->buf, "and %zu more\n", left_out);
}

static void print_cell(struct page *p, const struct fleet_key *k, double value)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };

	add_value(&text, k, value);
	strbuf_puts(&p->buf, " ");
	text_cell(&p->buf, strbuf_str(&text), 10);
}

static void print_key(struct page *p, const struct fleet_key *k)
{
	_cleanup_strbuf_ struct strbuf name = { 0 };

	fleet_key_name(k, &name);
	text_cell(&p->buf, strbuf_str(&name), 38);
	strbuf_printf(&p->buf, "%6zu", k->siblings);
	print_cell(p, k, k->p5);
	print_cell(p, k, k->median);
	print_cell(p, k, k->p95);
	while (p->buf.len && p->buf.data[p->buf.len - 1] == ' ')
		p->buf.data[--p->buf.len] = '\0';
	strbuf_puts(&p->buf, "\n");
}

static void print_groups(struct page *p)
{
	const struct fleet *f = p->f;

	for (size_t g = 0; g < f->n_groups; g++) {
		bool titled = false;

		for (size_t i = 0; i < f->n_keys; i++) {
			if (f->keys[i].group != g || f->keys[i].siblings == 0)
				continue;
			if (!titled) {
				text_title(&p->buf, f->groups[g]);
				strbuf_puts(&p->buf, HEADING);
			}
			titled = true;
			print_key(p, &f->keys[i]);
			flush(p);
		}
	}
}

static void print_changes(struct page *p)
{
	const struct fleet *f = p->f;

	if (f->compared == 0)
		return;
	text_title(&p->buf, "Since the baseline");
	strbuf_printf(&p->buf, "%zu numbers compared, %zu changed by more than %.0f %%\n",
		      f->compared, f->n_changed, FLEET_FAR_PERCENT);
	for (size_t i = 0; i < f->n_changed && i < LISTED_MAX; i++) {
		const struct fleet_far *far = &f->changed[i];
		const struct fleet_key *k = &f->keys[far->key];
		_cleanup_strbuf_ struct strbuf text = { 0 };

		strbuf_printf(&text, "%s: ", f->campaigns[far->campaign].machine);
		add_change(k, far, &text);
		strbuf_puts(&text, " in ");
		fleet_key_name(k, &text);
		strbuf_puts(&text, " (");
		add_value(&text, k, far->other);
		strbuf_puts(&text, " then, ");
		add_value(&text, k, far->value);
		strbuf_puts(&text, " now)");
		text_wrap(&p->buf, "- ", strbuf_str(&text));
		flush(p);
	}
	if (f->n_changed > LISTED_MAX)
		strbuf_printf(&p->buf, "and %zu more\n", f->n_changed - LISTED_MAX);
}

void fleet_text(const struct fleet *f, report_write *write, void *arg)
{
	struct page p = { .f = f, .write = write, .arg = arg };

	print_counts(&p);
	print_machines(&p);
	print_groups(&p);
	print_changes(&p);
	flush(&p);
	strbuf_done(&p.buf);
}
