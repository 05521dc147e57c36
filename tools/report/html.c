// SPDX-License-Identifier: GPL-3.0-or-later
// report.html of one campaign: the verdict first, then what led to it.
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "report/html-private.h"
#include "report/text-private.h"
#include "result/outcome.h"

#define FINDINGS_MAX 12 // sentences below the verdict; all others are in the tables

static void print_facts(struct html *h)
{
	const struct json_object *started = json_get(h->result, "started");
	double duration = json_get_double(h->result, "duration", -1);

	html_puts(h, "<p class=\"q\">");
	html_text(h, text_str(started, "wall"));
	if (json_get_bool(started, "suspect", false))
		html_puts(h, " (the machine's clock is wrong)");
	if (duration > 0 && duration < 1e9) {
		html_puts(h, ", took ");
		number_format_duration(&h->buf, (uint64_t)(duration * 1e9));
	}
	html_puts(h, ", run ");
	html_text(h, text_str(h->result, "run_id"));
	html_puts(h, "</p>\n");
}

static void print_verdict(struct html *h)
{
	const char *outcome =
		outcome_name(outcome_parse(json_get_str(h->result, "verdict")));
	const struct json_object *runs = json_get(h->result, "runs");
	size_t passed = 0;

	for (size_t i = 0; i < text_length(runs); i++)
		passed += outcome_parse(json_get_str(text_item(runs, i), "outcome")) ==
			  OUTCOME_PASSED;
	html_puts(h, "<h1>");
	html_text(h, text_str(h->result, "plan_name"));
	html_puts(h, " on ");
	html_text(h, text_str(h->result, "machine_id"));
	html_printf(h, "</h1>\n<div class=\"v %s\"><b>%s</b>: %zu of %zu runs passed",
		    outcome, outcome, passed, text_length(runs));
	if (*text_str(h->result, "why")) {
		html_puts(h, ". ");
		html_text(h, text_str(h->result, "why"));
	}
	html_puts(h, "</div>\n");
	print_facts(h);
	html_flush(h);
}

static bool is_cpu(const struct comparison *c)
{
	return strncmp(c->metric, "cpu", 3) == 0;
}

static bool is_finding(const struct comparison *c)
{
	return !c->null && isfinite(c->ratio) && c->ratio > 0 &&
	       (c->verdict == COMPARISON_SLOWER || c->verdict == COMPARISON_FASTER);
}

static bool same_story(const struct comparison *a, const struct comparison *b)
{
	return strcmp(a->a, b->a) == 0 && strcmp(a->b, b->b) == 0 &&
	       strcmp(a->test, b->test) == 0 && is_cpu(a) == is_cpu(b);
}

// A test has many metrics that tell the same story; the one with the widest difference
// stands for it, and of what CPU costs the one per GiB.
static bool stands_for(const struct comparison_list *list, size_t i)
{
	const struct comparison *c = &list->items[i];

	for (size_t k = 0; k < list->n; k++) {
		const struct comparison *o = &list->items[k];
		double mine = fabs(log(c->ratio)), its = fabs(log(o->ratio));

		if (k == i || !is_finding(o) || !same_story(o, c))
			continue;
		if (is_cpu(c) ? strcmp(o->metric, "cpu_per_gib") == 0
			      : its > mine || (its == mine && k < i))
			return false;
	}
	return true;
}

static void print_findings(struct html *h)
{
	const struct comparison_list *list = &h->comparisons;
	size_t sure = 0, told = 0;

	for (size_t i = 0; i < list->n; i++) {
		_cleanup_strbuf_ struct strbuf text = { 0 };

		if (!is_finding(&list->items[i]))
			continue;
		sure++;
		if (told == FINDINGS_MAX || !stands_for(list, i))
			continue;
		html_puts(h, told++ ? "<li>" : "<ul>\n<li>");
		comparison_sentence(&list->items[i], &text);
		html_text(h, strbuf_str(&text));
		html_puts(h, "</li>\n");
	}
	if (told)
		html_puts(h, "</ul>\n");
	if (sure > told)
		html_printf(h,
			    "<p>The widest difference of each test; %zu others that are "
			    "sure are <a href=\"#comparisons\">below</a>.</p>\n",
			    sure - told);
	if (list->n && !sure)
		html_puts(h, "<p>No difference between the arms is sure.</p>\n");
}

static void print_accept(struct html *h)
{
	const struct json_object *accept = json_get(h->result, "accept");

	for (size_t i = 0; i < text_length(accept); i++) {
		const struct json_object *a = text_item(accept, i);

		html_puts(h, i ? "<br>" : "<p>");
		html_text(h, *text_str(a, "outcome") ? text_str(a, "outcome")
						     : text_str(a, "verdict"));
		html_puts(h, ": <code>");
		html_text(h, text_str(a, "text"));
		html_puts(h, "</code> ");
		html_text(h, text_str(a, "why"));
	}
	if (text_length(accept))
		html_puts(h, "</p>\n");
}

void report_html(const struct json_object *result, report_write *write, void *arg)
{
	struct html h = { .result = result, .write = write, .arg = arg };
	_cleanup_free_ char *title = mem_printf("%s on %s", text_str(result, "plan_name"),
						text_str(result, "machine_id"));

	h.comparisons_at = json_get(result, "comparisons") != NULL;
	if (h.comparisons_at)
		comparison_parse(&h.comparisons, json_get(result, "comparisons"));
	else
		comparison_make(&h.comparisons, result);
	html_begin(&h, title);
	print_verdict(&h);
	print_accept(&h);
	print_findings(&h);
	html_comparisons(&h);
	html_waterfall(&h);
	html_latency(&h);
	html_ciphers(&h);
	html_bonnie(&h);
	html_record(&h);
	html_end(&h);
	comparison_list_done(&h.comparisons);
}
