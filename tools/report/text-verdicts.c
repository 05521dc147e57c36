// SPDX-License-Identifier: GPL-3.0-or-later
// The top of the text report after the verdict: limits, findings, how it was run.
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "report/text-private.h"
#include "result/comparison.h"

static void print_accept(const struct json_object *result, struct strbuf *to)
{
	const struct json_object *accept = json_get(result, "accept");

	if (text_length(accept) == 0)
		return;
	text_title(to, "Limits");
	for (size_t i = 0; i < text_length(accept); i++) {
		const struct json_object *o = text_item(accept, i);
		_cleanup_free_ char *line =
			mem_printf("%s: %s", text_str(o, "text"), text_str(o, "why"));
		char prefix[16];

		snprintf(prefix, sizeof(prefix), "%-8.8s ", text_str(o, "outcome"));
		text_wrap(to, prefix, line);
	}
}

static void print_sentence(const struct comparison *c, struct strbuf *to)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };

	comparison_sentence(c, &text);
	text_wrap(to, "- ", strbuf_str(&text));
}

// With so few blocks each of them would say the same.
static bool too_few(const struct comparison *c)
{
	return c->verdict == COMPARISON_INCONCLUSIVE && c->blocks < COMPARISON_BLOCKS_MIN;
}

static void print_too_few(const struct comparison_list *list, struct strbuf *to)
{
	_cleanup_free_ char *line = NULL;
	unsigned most = 0;
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		n += too_few(&list->items[i]);
		if (too_few(&list->items[i]) && list->items[i].blocks > most)
			most = list->items[i].blocks;
	}
	if (n == 0)
		return;
	line = mem_printf("%zu comparisons of %u block%s: no finding is possible with "
			  "less than %d (blocks = %d)",
			  n, most, most == 1 ? "" : "s", COMPARISON_BLOCKS_MIN,
			  COMPARISON_BLOCKS_MIN);
	text_wrap(to, "- ", line);
}

// Those of one verdict, but not of the null arm.
static void print_those(const struct comparison_list *list, enum comparison_verdict v,
			struct strbuf *to)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct comparison *c = &list->items[i];

		if (c->null || c->verdict != v || too_few(c))
			continue;
		print_sentence(c, to);
	}
}

static void print_null(const struct comparison_list *list, struct strbuf *to)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct comparison *c = &list->items[i];
		bool differs = c->verdict == COMPARISON_SLOWER ||
			       c->verdict == COMPARISON_FASTER;

		if (!c->null || !differs)
			continue;
		text_wrap(to, "! ",
			  "the same stack under two names differs: take the findings of "
			  "this metric with care");
		print_sentence(c, to);
	}
}

// Differences first, then what is equal, then what is not known.
static void print_findings(const struct json_object *result, struct strbuf *to)
{
	static const enum comparison_verdict order[] = {
		COMPARISON_SLOWER,       COMPARISON_FASTER,         COMPARISON_EQUIVALENT,
		COMPARISON_INCONCLUSIVE, COMPARISON_NOT_COMPARABLE,
	};
	struct comparison_list list;

	comparison_parse(&list, json_get(result, "comparisons"));
	if (list.n) {
		text_title(to, "Findings");
		for (size_t i = 0; i < ARRAY_SIZE(order); i++)
			print_those(&list, order[i], to);
		print_too_few(&list, to);
		print_null(&list, to);
	}
	comparison_list_done(&list);
}

static void print_design(const struct json_object *result, struct strbuf *to)
{
	const struct json_object *design = json_get(result, "design");
	const struct json_object *repeated = json_get(design, "repeated");
	double estimate = json_get_double(design, "estimate", 0);

	if (estimate > 0 && estimate < 1e9) {
		strbuf_puts(to, "estimate  ");
		number_format_duration(to, (uint64_t)(estimate * 1e9));
		strbuf_puts(to, "\n");
	}
	if (*text_str(design, "stopped"))
		text_wrap(to, "stopped   ", text_str(design, "stopped"));
	for (size_t i = 0; i < text_length(repeated); i++) {
		const struct json_object *o = text_item(repeated, i);
		_cleanup_free_ char *line = mem_printf(
			"block %lld: %s", (long long)json_get_int(o, "block", 0),
			text_str(o, "why"));

		text_wrap(to, "repeated  ", line);
	}
}

void text_verdicts(const struct json_object *result, struct strbuf *to)
{
	print_design(result, to);
	print_accept(result, to);
	print_findings(result, to);
}
