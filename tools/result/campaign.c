// SPDX-License-Identifier: GPL-3.0-or-later
// result.json: everything about one campaign in one document.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/io.h"
#include "common/mem.h"
#include "result/accept.h"
#include "result/campaign.h"
#include "result/comparable.h"
#include "result/comparison.h"
#include "result/machine.h"
#include "result/record.h"

#define SCHEMA "assay.result/1"

void campaign_init(struct campaign *c)
{
	*c = (struct campaign){
		.verdict = OUTCOME_NOT_RUN,
		.runs = json_new_array(),
		.boot = json_new(),
		.warnings = json_new_array(),
		.design = json_new(),
		.started_ns = clock_mono_ns(),
	};
	clock_wall(c->started);
}

void campaign_verdict(struct campaign *c, enum outcome o, const char *fmt, ...)
{
	enum outcome worse = c->judged ? outcome_worse(c->verdict, o) : o;
	va_list ap;

	if (c->judged && worse == c->verdict)
		return;
	c->judged = true;
	c->verdict = worse;
	free(TAKE_PTR(c->why));
	if (!fmt)
		return;
	va_start(ap, fmt);
	c->why = mem_vprintf(fmt, ap);
	va_end(ap);
}

void campaign_warn(struct campaign *c, const char *fmt, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = mem_vprintf(fmt, ap);
	va_end(ap);
	json_append_str(c->warnings, text);
}

static bool is_stack(struct json_object *record)
{
	const char *kind = json_get_str(record, "kind");

	return kind && strcmp(kind, "stack") == 0;
}

struct json_object *campaign_design(struct campaign *c)
{
	if (!c->design)
		c->design = json_new();
	return c->design;
}

void campaign_discard_block(struct campaign *c, unsigned block, const char *why)
{
	struct json_object *repeated = json_get(campaign_design(c), "repeated");
	struct json_object *one = json_new();

	for (size_t i = 0; i < json_object_array_length(c->runs); i++) {
		struct json_object *run = json_object_array_get_idx(c->runs, i);

		if (json_get_int(run, "block", -1) != block || is_stack(run))
			continue;
		json_set_bool(run, "counts", false);
		json_set_str(run, "not_counted", why);
	}
	if (!repeated) {
		repeated = json_new_array();
		json_set(c->design, "repeated", repeated);
	}
	json_set_uint(one, "block", block);
	json_set_str(one, "why", why);
	json_append(repeated, one);
}

// Splits the records into runs and stacks; returns how many runs passed.
static size_t set_runs(struct json_object *to, const struct campaign *c)
{
	struct json_object *runs = json_new_array(), *stacks = json_new_array();
	size_t n = c->runs ? json_object_array_length(c->runs) : 0, passed = 0;

	for (size_t i = 0; i < n; i++) {
		struct json_object *record = json_object_array_get_idx(c->runs, i);

		if (is_stack(record)) {
			json_append(stacks, json_object_get(record));
			continue;
		}
		json_append(runs, json_object_get(record));
		passed +=
			outcome_parse(json_get_str(record, "outcome")) == OUTCOME_PASSED;
	}
	json_set(to, "runs", runs);
	json_set(to, "stacks", stacks);
	return passed;
}

static void set_comparisons(struct json_object *to)
{
	struct comparison_list list;

	comparison_make(&list, to);
	json_set(to, "comparisons", comparison_json(&list));
	comparison_list_done(&list);
}

void campaign_accept(struct campaign *c, const struct json_object *baseline)
{
	_cleanup_json_ struct json_object *so_far = json_new();
	_cleanup_strbuf_ struct strbuf why = { 0 };
	enum outcome worst;

	json_set(so_far, "plan", json_object_get(c->plan));
	json_set(so_far, "runs", json_object_get(c->runs));
	json_object_put(c->accept);
	c->accept = accept_judge(so_far, baseline);
	worst = accept_verdict(c->accept, &why);
	if (json_object_array_length(c->accept) && worst != OUTCOME_PASSED)
		campaign_verdict(c, worst, "%s", strbuf_str(&why));
}

static void set_or_empty(struct json_object *to, const char *key,
			 struct json_object *value, bool array)
{
	if (value)
		json_object_get(value);
	else
		value = array ? json_new_array() : json_new();
	json_set(to, key, value);
}

static void set_times(struct json_object *to, const struct campaign *c)
{
	struct json_object *started = json_new(), *ended = json_new();
	uint64_t now = clock_mono_ns();
	char wall[21];

	clock_wall(wall);
	json_set_str(started, "wall", c->started[0] ? c->started : NULL);
	json_set_str(started, "wall_from",
		     "system clock, set by the kernel from the RTC");
	json_set_bool(started, "suspect", io_exists(MACHINE_CLOCK_SUSPECT));
	json_set_double(started, "mono", (double)c->started_ns / 1e9);
	json_set_str(ended, "wall", wall);
	json_set_double(ended, "mono", (double)now / 1e9);
	json_set(to, "started", started);
	json_set(to, "ended", ended);
	json_set_double(to, "duration", (double)(now - c->started_ns) / 1e9);
}

static void set_problems(struct json_object *to, const struct store *s)
{
	_cleanup_free_ char *text = mem_strdup(s ? store_problems(s) : "");
	struct json_object *array = json_new_array();
	char *save = NULL;

	for (char *l = strtok_r(text, "\n", &save); l; l = strtok_r(NULL, "\n", &save))
		json_append_str(array, l);
	json_set(to, "problems", array);
}

// The same document with every string valid UTF-8: serial numbers and messages of old
// firmware are not.
static struct json_object *clean(struct json_object *o)
{
	_cleanup_free_ char *text = mem_strdup(json_line(o));
	struct json_object *again;

	record_clean_utf8(text, strlen(text));
	again = json_parse_text(text, strlen(text), NULL);
	if (!again)
		return o;
	json_object_put(o);
	return again;
}

// Each run's key among campaigns; what goes into it is in this very document.
static void set_comparability(struct json_object *result)
{
	struct json_object *runs = json_get(result, "runs");

	for (size_t i = 0; i < json_object_array_length(runs); i++) {
		struct json_object *run = json_object_array_get_idx(runs, i);
		_cleanup_json_ struct json_object *items = comparable_items(result, run);
		char key[17];

		comparable_key(items, NULL, key);
		json_set_str(run, "comparability", key);
	}
}

struct json_object *campaign_json(const struct campaign *c, const struct store *s)
{
	struct json_object *o = json_new();
	const char *plan = json_get_str(c->plan, "name");
	const char *machine = json_get_str(c->machine, "id");
	enum outcome verdict = c->judged ? c->verdict : OUTCOME_NOT_RUN;
	const char *why = c->why;
	size_t passed;

	json_set_str(o, "schema", SCHEMA);
	json_set_str(o, "assay_version", ASSAY_VERSION);
	json_set_str(o, "run_id", s ? store_run_id(s) : NULL);
	json_set_str(o, "path", s ? store_path(s) : NULL);
	json_set_str(o, "machine_id", machine);
	json_set_str(o, "plan_name", plan);
	json_set_uint(o, "fingerprint", c->fingerprint);
	set_times(o, c);
	json_set_str(o, "verdict", NULL); // its place; filled in below
	json_set_str(o, "why", NULL);
	set_or_empty(o, "plan", c->plan, false);
	set_or_empty(o, "machine", c->machine, false);
	set_or_empty(o, "devices", c->devices, true);
	set_or_empty(o, "boot", c->boot, false);
	set_or_empty(o, "design", c->design, false);
	set_or_empty(o, "environment", c->environment, false);
	passed = set_runs(o, c);
	set_comparisons(o);
	set_or_empty(o, "accept", c->accept, true);
	set_or_empty(o, "warnings", c->warnings, true);
	set_problems(o, s);
	if (verdict == OUTCOME_PASSED && passed == 0) {
		verdict = OUTCOME_NOT_RUN; // no data never becomes passed
		why = "no test gave a result";
	} else if (verdict == OUTCOME_NOT_RUN && !why) {
		why = "the campaign ended before any test";
	}
	set_comparability(o);
	json_set_str(o, "verdict", outcome_name(verdict));
	json_set_str(o, "why", verdict == OUTCOME_PASSED ? NULL : why);
	return clean(o);
}

void campaign_done(struct campaign *c)
{
	free(c->why);
	json_object_put(c->plan);
	json_object_put(c->machine);
	json_object_put(c->devices);
	json_object_put(c->runs);
	json_object_put(c->boot);
	json_object_put(c->warnings);
	json_object_put(c->design);
	json_object_put(c->accept);
	json_object_put(c->environment);
	*c = (struct campaign){ 0 };
}
