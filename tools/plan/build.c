// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a plan from its sections as written: the [plan] section, and what all sections
// share.
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "plan/build.h"
#include "plan/nearest.h"

void build_fault(const struct build *b, const struct raw_entry *e, const char *fmt, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = mem_vprintf(fmt, ap);
	va_end(ap);
	fault_add(b->faults, e->cmdline ? RAW_CMDLINE : b->raw->file, e->line, "%s%s%s",
		  e->cmdline ? e->cmdline : e->key, *e->key ? ": " : "", text);
}

void build_origin(const struct build *b, const char *section, const char *key,
		  const char *value, const struct raw_entry *e)
{
	const char *slash = strrchr(b->raw->file, '/');
	struct plan *p = b->plan;
	struct plan_origin *o;

	p->origins = mem_grow(p->origins, p->n_origins + 1, sizeof(*p->origins));
	o = &p->origins[p->n_origins++];
	o->section = mem_strdup(section);
	o->key = mem_strdup(key);
	o->value = mem_strdup(value ? value : "");
	if (!e)
		o->from = mem_strdup("default");
	else if (e->cmdline)
		o->from = mem_strdup(RAW_CMDLINE);
	else
		o->from = mem_printf("%s:%d", slash ? slash + 1 : b->raw->file, e->line);
}

static void unknown_keys(const struct build *b, const struct raw_section *section,
			 const char *title, const struct plan_key *keys)
{
	const char *known[32];
	size_t n = 0;

	for (const struct plan_key *k = keys; k->key && n + 1 < ARRAY_SIZE(known); k++)
		known[n++] = k->key;
	known[n] = NULL;
	for (size_t i = 0; i < section->n; i++) {
		_cleanup_strbuf_ struct strbuf hint = { 0 };
		const struct raw_entry *e = &section->entries[i];
		size_t j = 0;

		while (j < n && strcmp(known[j], e->key) != 0)
			j++;
		if (j < n)
			continue;
		nearest_hint(&hint, e->key, known);
		build_fault(b, e, "unknown key in [%s]%s", title, strbuf_str(&hint));
	}
}

static bool choice_good(const struct build *b, const struct raw_entry *e,
			const char *const *choices)
{
	_cleanup_strbuf_ struct strbuf list = { 0 };

	for (size_t i = 0; choices[i]; i++)
		if (strcmp(choices[i], e->value) == 0)
			return true;
	nearest_list(&list, choices, "or");
	build_fault(b, e, "\"%s\" is not %s", e->value, strbuf_str(&list));
	return false;
}

void build_keys(const struct build *b, const struct raw_section *section,
		const char *title, const struct plan_key *keys, void *to)
{
	for (const struct plan_key *k = keys; k->key; k++) {
		_cleanup_free_ char *key = mem_strdup(k->key);
		_cleanup_free_ char *value = mem_strdup(k->fallback);
		_cleanup_free_ char *understood = NULL;
		const struct raw_entry fallback = { .key = key, .value = value };
		const struct raw_entry *said =
			section ? raw_find_entry(section, k->key) : NULL;
		const struct raw_entry *e = said ? said : &fallback;

		if (!e->value)
			continue;
		if (!k->choices || choice_good(b, e, k->choices))
			k->set(b, to, e);
		understood = k->text ? k->text(to) : NULL;
		build_origin(b, title, k->key, understood ? understood : e->value, said);
	}
	if (section)
		unknown_keys(b, section, title, keys);
}

static unsigned word_index(const char *const *words, const char *word)
{
	unsigned i = 0;

	while (strcmp(words[i], word) != 0) // build_keys() has checked that it is there
		i++;
	return i;
}

static void set_name(const struct build *b, void *to, const struct raw_entry *e)
{
	struct plan *p = to;

	if (!raw_name_valid(e->value))
		build_fault(b, e, "\"%s\" is no name: %s", e->value, RAW_NAME_RULE);
	free(p->name);
	p->name = mem_strdup(e->value);
}

static void set_seed(const struct build *b, void *to, const struct raw_entry *e)
{
	struct plan *p = to;

	if (number_uint(e->value, &p->seed) < 0)
		build_fault(b, e,
			    "\"%s\" is not a whole number from 1 to %" PRIu64
			    ", or 0 to have one drawn",
			    e->value, UINT64_MAX);
}

static void set_deadline(const struct build *b, void *to, const struct raw_entry *e)
{
	struct plan *p = to;

	if (strcmp(e->value, "none") == 0)
		p->deadline_ns = 0;
	else if (number_duration(e->value, &p->deadline_ns) < 0 || p->deadline_ns == 0)
		build_fault(b, e,
			    "\"%s\" is not a duration such as 90s, 10m or 3h, or none",
			    e->value);
}

static void set_wait(const struct build *b, void *to, const struct raw_entry *e)
{
	struct plan *p = to;

	if (number_duration(e->value, &p->wait_ns) < 0)
		build_fault(b, e, "\"%s\" is not a duration such as 30s or 2m", e->value);
}

static void set_then(const struct build *b, void *to, const struct raw_entry *e)
{
	(void)b;
	((struct plan *)to)->then =
		(enum plan_ending)word_index(plan_ending_words, e->value);
}

static void set_again(const struct build *b, void *to, const struct raw_entry *e)
{
	(void)b;
	((struct plan *)to)->again =
		(enum plan_again)word_index(plan_again_words, e->value);
}

static void set_results(const struct build *b, void *to, const struct raw_entry *e)
{
	(void)b;
	((struct plan *)to)->results =
		(enum plan_results)word_index(plan_results_words, e->value);
}

// In this order: blocks-min and what follows look at blocks.
static const struct plan_key plan_keys[] = {
	{ .key = "name", .fallback = "plan", .set = set_name, .help = "for reports" },
	{ .key = "blocks",
	  .fallback = "1",
	  .set = build_set_blocks,
	  .help = "how often every arm runs at most; 6 or more to find differences" },
	{ .key = "blocks-min",
	  .set = build_set_blocks_min,
	  .help = "how often at least, where precision is given; default 6" },
	{ .key = "precision",
	  .fallback = "none",
	  .set = build_set_precision,
	  .help = "stop when half of every interval of a rate is so narrow, e.g. 1%" },
	{ .key = "margin",
	  .fallback = "3%",
	  .set = build_set_margin,
	  .help = "what counts as no difference" },
	{ .key = "warm-up",
	  .fallback = "auto",
	  .set = build_set_warm_up,
	  .help = "yes, no: a first block that does not count; auto: from 6 blocks on" },
	{ .key = "null",
	  .fallback = "no",
	  .set = build_set_null,
	  .help = "run the first arm twice, under a second name: the noise floor" },
	{ .key = "repeats",
	  .fallback = "2",
	  .set = build_set_repeats,
	  .help = "how many blocks are repeated when the machine was disturbed" },
	{ .key = "precondition",
	  .fallback = "no",
	  .set = build_set_precondition,
	  .help = "SSDs: discard, then fill every target twice before the first block" },
	{ .key = "baseline",
	  .set = build_set_baseline,
	  .help = "result.json of an earlier campaign on the stick, for [accept]" },
	{ .key = "scale",
	  .fallback = "1",
	  .set = build_set_scale,
	  .help = "of every value written NUMBER*scale, e.g. 0.05 or 1/20" },
	{ .key = "seed",
	  .fallback = "0",
	  .set = set_seed,
	  .help = "of the order of arms and of random tests; 0: drawn and recorded" },
	{ .key = "deadline",
	  .fallback = "none",
	  .set = set_deadline,
	  .help = "for the whole campaign, e.g. 10m" },
	{ .key = "wait",
	  .fallback = "30s",
	  .set = set_wait,
	  .help = "for the disks named and for the stick" },
	{ .key = "then",
	  .fallback = "poweroff",
	  .choices = plan_ending_words,
	  .set = set_then,
	  .help = "how the machine ends" },
	{ .key = "again",
	  .fallback = "report",
	  .choices = plan_again_words,
	  .set = set_again,
	  .help = "when this plan already ran, or died, on this machine" },
	{ .key = "results",
	  .fallback = "stick+serial",
	  .choices = plan_results_words,
	  .set = set_results,
	  .help = "where they may go" },
	{ .key = NULL },
};

void plan_describe(struct strbuf *to)
{
	for (const struct plan_key *k = plan_keys; k->key; k++) {
		strbuf_printf(to, "    %-24s %s", k->key, k->help);
		for (const char *const *c = k->choices; c && *c; c++)
			strbuf_printf(to, "%s%s%s", c == k->choices ? " (" : "|", *c,
				      c[1] ? "" : ")");
		if (k->fallback)
			strbuf_printf(to, "; default %s", k->fallback);
		strbuf_puts(to, "\n");
	}
}

// Orders the faults from `first` on by line; those without one come last.
static void sort_faults(struct fault_list *faults, size_t first)
{
	for (size_t i = first + 1; i < faults->n; i++) {
		struct fault f = faults->items[i];
		unsigned line = (unsigned)f.line - 1; // 0 becomes the highest
		size_t j = i;

		for (; j > first && (unsigned)faults->items[j - 1].line - 1 > line; j--)
			faults->items[j] = faults->items[j - 1];
		faults->items[j] = f;
	}
}

void plan_parse(struct plan *p, const char *file, const char *text,
		const struct cmdline *overrides, struct fault_list *faults)
{
	struct raw_plan raw = { 0 };
	const struct build b = { .plan = p, .raw = &raw, .faults = faults };
	size_t before = faults->n;

	*p = (struct plan){ .file = mem_strdup(file) };
	raw_parse(&raw, file, text, faults);
	if (faults->n == before || raw.n > 0) { // an unreadable text says nothing more
		raw_override(&raw, overrides, faults);
		build_keys(&b, raw_find(&raw, "plan", NULL), "plan", plan_keys, p);
		build_target(&b);
		build_arms(&b);
		build_design(&b);
		build_tests(&b);
		build_accepts(&b);
	}
	sort_faults(faults, before);
	raw_done(&raw);
}
