// SPDX-License-Identifier: GPL-3.0-or-later
// report.txt: the verdict in the first line, then what led to it. Trusts nothing in the
// document: a member that is missing or of another type is left out.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "report/text-private.h"
#include "result/outcome.h"

static const char *const capitals[] = {
	[OUTCOME_NOT_RUN] = "NOT RUN", [OUTCOME_PASSED] = "PASSED",
	[OUTCOME_FAILED] = "FAILED",   [OUTCOME_SKIPPED] = "SKIPPED",
	[OUTCOME_ABORTED] = "ABORTED",
};

static void count(struct strbuf *to, size_t n, const char *what)
{
	strbuf_printf(to, "%zu %s%s", n, what, n == 1 ? "" : "s");
}

static void print_verdict(const struct json_object *result, struct strbuf *to)
{
	const struct json_object *plan = json_get(result, "plan");
	const struct json_object *runs = json_get(result, "runs");
	const char *name = text_str(result, "plan_name");
	enum outcome verdict = outcome_parse(json_get_str(result, "verdict"));
	size_t passed = 0, n = text_length(runs);
	int64_t blocks = json_get_int(plan, "blocks", 0);
	_cleanup_strbuf_ struct strbuf line = { 0 };
	char prefix[16];

	for (size_t i = 0; i < n; i++)
		passed += outcome_parse(json_get_str(text_item(runs, i), "outcome")) ==
			  OUTCOME_PASSED;
	if (!*name)
		name = *text_str(plan, "name") ? text_str(plan, "name") : "no plan";
	strbuf_printf(&line, "%s on %s, ", name,
		      *text_str(result, "machine_id") ? text_str(result, "machine_id")
						      : "an unknown machine");
	if (text_length(json_get(plan, "arms"))) {
		count(&line, text_length(json_get(plan, "arms")), "arm");
		strbuf_puts(&line, " x ");
		count(&line, text_length(json_get(plan, "tests")), "test");
		strbuf_puts(&line, " x ");
		count(&line, blocks > 0 ? (size_t)blocks : 0, "block");
		strbuf_puts(&line, ", ");
	}
	strbuf_printf(&line, "%zu of %zu runs passed", passed, n);
	snprintf(prefix, sizeof(prefix), "%s  ", capitals[verdict]);
	text_wrap(to, prefix, line.data);
	if (*text_str(result, "why"))
		text_wrap(to, "why: ", text_str(result, "why"));
}

static void print_times(const struct json_object *result, struct strbuf *to)
{
	const struct json_object *started = json_get(result, "started");
	double duration = json_get_double(result, "duration", -1);

	strbuf_puts(to, "\n");
	if (*text_str(result, "run_id"))
		text_wrap(to, "run       ", text_str(result, "run_id"));
	if (*text_str(result, "path"))
		text_wrap(to, "folder    ", text_str(result, "path"));
	if (*text_str(started, "wall"))
		strbuf_printf(to, "started   %.30s%s\n", text_str(started, "wall"),
			      json_get_bool(started, "suspect", false)
				      ? " (the machine's clock is wrong)"
				      : "");
	if (duration >= 0 && duration < 1e9) {
		strbuf_puts(to, "took      ");
		number_format_duration(to, (uint64_t)(duration * 1e9));
		strbuf_puts(to, "\n");
	}
	if (*text_str(result, "assay_version"))
		text_wrap(to, "assay     ", text_str(result, "assay_version"));
}

static void print_plan(const struct json_object *result, struct strbuf *to)
{
	const struct json_object *plan = json_get(result, "plan");
	const struct json_object *values = json_get(plan, "values");
	const char *section = "";

	if (text_length(values) == 0)
		return;
	text_title(to, "Plan");
	for (size_t i = 0; i < text_length(values); i++) {
		const struct json_object *v = text_item(values, i);
		_cleanup_free_ char *text =
			mem_printf("%s = %s", text_str(v, "key"), text_str(v, "value"));
		const char *from = text_str(v, "from");

		if (strcmp(text_str(v, "section"), section) != 0) {
			section = text_str(v, "section");
			strbuf_printf(to, "[%.76s]\n", section);
		}
		if (strlen(text) + strlen(from) + 5 <= TEXT_COLUMNS) {
			size_t gap = strlen(text) < 44 ? 44 - strlen(text) : 0;

			if (strlen(from) + 46 > TEXT_COLUMNS)
				gap = 0;
			strbuf_printf(to, "%s%*s ; %s\n", text, (int)gap, "", from);
			continue;
		}
		text_wrap(to, "", text);
		text_wrap(to, "    ; ", from);
	}
}

// Every text in a string or an array of strings, one item each.
static void print_texts(struct strbuf *to, const char *who,
			const struct json_object *texts)
{
	size_t n = text_length(texts);
	const char *one =
		json_object_is_type(texts, json_type_string)
			? json_object_get_string((struct json_object *)(uintptr_t)texts)
			: NULL;

	for (size_t i = 0; i < (one ? 1 : n); i++) {
		const struct json_object *item = text_item(texts, i);
		const char *text = one ? one
				       : json_object_get_string(
						 (struct json_object *)(uintptr_t)item);
		_cleanup_free_ char *line =
			mem_printf("%s%s%s", who, *who ? ": " : "", text ? text : "");

		if (text && *text)
			text_wrap(to, "- ", line);
	}
}

static void print_list(const struct json_object *result, const char *key,
		       const char *title, struct strbuf *to)
{
	if (text_length(json_get(result, key)) == 0)
		return;
	text_title(to, title);
	print_texts(to, "", json_get(result, key));
}

static void print_run(const struct json_object *run, struct strbuf *to)
{
	double took =
		json_get_double(run, "ended", 0) - json_get_double(run, "started", 0);
	enum outcome o = outcome_parse(json_get_str(run, "outcome"));

	strbuf_printf(to, "%4lld  block %-3lld ",
		      (long long)json_get_int(run, "index", 0) % 10000,
		      (long long)json_get_int(run, "block", 0) % 1000);
	text_cell(to, text_str(run, "arm"), 20);
	strbuf_puts(to, " ");
	text_cell(to, text_str(run, "test"), 20);
	strbuf_printf(to, " %-7s", capitals[o]);
	if (took > 0 && took < 1e9) {
		strbuf_puts(to, " ");
		number_format_duration(to, (uint64_t)(took * 1e9));
	}
	strbuf_puts(to, "\n");
	if (*text_str(run, "why"))
		text_wrap(to, "      ", text_str(run, "why"));
	if (*text_str(run, "not_counted"))
		text_wrap(to, "      does not count: ", text_str(run, "not_counted"));
	print_texts(to, "left over", json_get(run, "leftovers"));
}

static void print_runs(const struct json_object *result, struct strbuf *to)
{
	const struct json_object *runs = json_get(result, "runs");

	if (text_length(runs) == 0)
		return;
	text_title(to, "Runs");
	for (size_t i = 0; i < text_length(runs); i++)
		print_run(text_item(runs, i), to);
}

// Stacks that did not come up, or did not go away whole.
static void print_stacks(const struct json_object *result, struct strbuf *to)
{
	const struct json_object *stacks = json_get(result, "stacks");
	size_t before = to->len, titled;

	text_title(to, "Stacks with trouble");
	titled = to->len;
	for (size_t i = 0; i < text_length(stacks); i++) {
		const struct json_object *s = text_item(stacks, i);
		const char *outcome = json_get_str(s, "outcome");
		_cleanup_free_ char *who =
			mem_printf("arm %s, block %lld", text_str(s, "arm"),
				   (long long)json_get_int(s, "block", 0));

		if (outcome && outcome_parse(outcome) != OUTCOME_PASSED) {
			_cleanup_free_ char *line = mem_printf("%s: %s: %s", who, outcome,
							       text_str(s, "why"));

			text_wrap(to, "- ", line);
		}
		print_texts(to, who, json_get(s, "leftovers"));
	}
	print_texts(to, "left over", json_get(result, "leftovers"));
	if (to->len == titled) { // nothing to tell
		to->len = before;
		to->data[before] = '\0';
	}
}

// Plain ASCII: one "?" for each character that is not, whatever a disk calls itself.
static void make_ascii(char *text, size_t *len)
{
	size_t n = 0;

	for (size_t i = 0; i < *len; i++) {
		unsigned char c = (unsigned char)text[i];

		if ((c & 0xc0) == 0x80 && n > 0 && text[n - 1] == '?')
			continue; // the rest of a UTF-8 character
		text[n++] = (c >= ' ' && c < 0x7f) || c == '\n' ? (char)c : '?';
	}
	*len = n;
	text[n] = '\0';
}

void report_text(const struct json_object *result, struct strbuf *to)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };

	print_verdict(result, &text);
	print_times(result, &text);
	text_verdicts(result, &text);
	print_plan(result, &text);
	text_tables(result, &text);
	text_cost(result, &text);
	print_runs(result, &text);
	print_stacks(result, &text);
	print_list(result, "problems", "Problems with the places for results", &text);
	print_list(result, "warnings", "Warnings", &text);
	text_machine(result, &text);
	make_ascii(text.data, &text.len);
	strbuf_add(to, text.data, text.len);
}
