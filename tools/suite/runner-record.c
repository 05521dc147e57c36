// SPDX-License-Identifier: GPL-3.0-or-later
// What the runner writes down.
#include <string.h>

#include "common/mem.h"
#include "suite/payload.h"
#include "suite/runner.h"

static double seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

static void put(struct runner *r, struct json_object *record)
{
	struct json_object *copy = NULL;
	struct err err = { 0 };

	if (json_object_deep_copy(record, &copy, NULL) < 0)
		campaign_warn(r->suite->campaign, "a record could not be copied");
	else
		json_append(r->suite->campaign->runs, copy);
	if (store_record(r->suite->store, record, &err) < 0)
		campaign_warn(r->suite->campaign,
			      "a record is in no place but the last "
			      "report: %s",
			      err.text);
}

static struct json_object *begin(const char *kind, const struct place *at)
{
	struct json_object *o = json_new();
	_cleanup_free_ char *stack = plan_stack_text(at->arm->layers, at->arm->n);

	json_set_str(o, "kind", kind);
	json_set_uint(o, "block", at->block);
	if (at->block == 0) {
		json_set_bool(o, "counts", false);
		json_set_str(o, "not_counted", "the warm-up block");
	}
	json_set_uint(o, "order", at->order);
	json_set_str(o, "arm", at->arm->name);
	json_set_str(o, "stack", stack);
	return o;
}

static void judge(struct runner *r, const struct place *at, enum outcome outcome,
		  const char *why)
{
	_cleanup_free_ char *where = runner_where(r, at);

	if (outcome == OUTCOME_PASSED)
		campaign_verdict(r->suite->campaign, outcome, NULL);
	else
		campaign_verdict(r->suite->campaign, outcome, "%s: %s", where,
				 why ? why : outcome_name(outcome));
}

static struct json_object *store_raw(struct runner *r, const struct run *run)
{
	struct json_object *names = json_new_array();

	for (size_t i = 0; i < run->n_files; i++) {
		const struct run_file *f = &run->files[i];
		_cleanup_free_ char *path =
			mem_printf("raw/%04u-%s", run->index, f->name);
		struct err err = { 0 };

		json_append_str(names, path);
		if (store_file(r->suite->store, path, strbuf_str(&f->data), f->data.len,
			       &err) < 0)
			campaign_warn(r->suite->campaign, "%s was not kept: %s", path,
				      err.text);
	}
	return names;
}

static void pass_warnings(struct runner *r, const struct place *at, const struct run *run)
{
	struct json_object *list = json_get(run->detail, "warnings");
	_cleanup_free_ char *where = runner_where(r, at);

	for (size_t i = 0; list && i < json_object_array_length(list); i++)
		campaign_warn(r->suite->campaign, "%s: %s", where,
			      json_object_get_string(json_object_array_get_idx(list, i)));
}

void runner_record_run(struct runner *r, const struct place *at, const struct run *run)
{
	struct json_object *o = begin("run", at);
	bool passed = run->outcome == OUTCOME_PASSED;

	json_set_uint(o, "index", run->index);
	json_set_str(o, "test", run->test->name);
	json_set_str(o, "engine", run->test->engine);
	json_set_str(o, "outcome", outcome_name(run->outcome));
	json_set_str(o, "why", run->why);
	json_set_double(o, "started", seconds(run->started_ns));
	json_set_double(o, "ended", seconds(run->ended_ns));
	// numbers of a run that did not pass must not get into any average
	if (!passed && run->metrics.n)
		json_set(run->detail, "partial", metric_json(&run->metrics));
	json_set(o, "metrics", passed ? metric_json(&run->metrics) : json_new_array());
	if (run->gates)
		json_set(o, "gates", json_object_get(run->gates));
	if (run->flags)
		json_set(o, "flags", json_object_get(run->flags));
	json_set(o, "detail", json_object_get(run->detail));
	json_set(o, "raw", store_raw(r, run));
	judge(r, at, run->outcome, run->why);
	pass_warnings(r, at, run);
	if (!r->disturbed)
		r->disturbed = mem_strdup(runner_disturbance(o));
	put(r, o);
}

void runner_record_repeat(struct runner *r, unsigned block, const char *why)
{
	struct json_object *o = json_new();
	struct err err = { 0 };

	campaign_discard_block(r->suite->campaign, block, why);
	json_set_str(o, "kind", "block");
	json_set_uint(o, "block", block);
	json_set_str(o, "repeated", why);
	if (store_record(r->suite->store, o, &err) < 0)
		campaign_warn(r->suite->campaign, "a record was lost: %s", err.text);
}

void runner_record_past(struct runner *r, const struct place *at,
			const struct json_object *past)
{
	static const char *const of_then[] = { "run_id", "seq", "t", "crc" };
	struct json_object *copy = NULL;

	if (json_object_deep_copy((struct json_object *)(uintptr_t)past, &copy, NULL) < 0)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(of_then); i++)
		json_object_object_del(copy, of_then[i]);
	json_set_uint(copy, "index", r->index);
	json_set_str(copy, "resumed_from", r->suite->resume->dir);
	judge(r, at, outcome_parse(json_get_str(copy, "outcome")),
	      json_get_str(copy, "why"));
	put(r, copy);
}

void runner_record_arm(struct runner *r, const struct place *at, struct arm_event *e)
{
	struct json_object *o = begin("stack", at);
	_cleanup_free_ char *lines = mem_strdup(e->leftovers);
	char *save = NULL;

	json_set_str(o, "phase", e->phase);
	json_set_str(o, "outcome", outcome_name(e->outcome));
	json_set_str(o, "why", e->why);
	json_set_double(o, "started", seconds(e->started_ns));
	json_set_double(o, "ended", seconds(e->ended_ns));
	if (e->layers) {
		int64_t start = payload_start(e->layers);

		json_set(o, "layers", e->layers);
		if (start >= 0)
			json_set_int(o, "payload_start", start);
	}
	if (lines) {
		struct json_object *list = json_new_array();

		for (char *l = strtok_r(lines, "\n", &save); l;
		     l = strtok_r(NULL, "\n", &save))
			json_append_str(list, l);
		json_set(o, "leftovers", list);
	}
	judge(r, at, e->outcome, e->why);
	put(r, o);
}

int runner_record_cut(struct runner *r, const struct place *at, const char *phase,
		      uint64_t count)
{
	struct json_object *o = begin("cut", at);
	struct err err = { 0 };
	int res;

	json_set_str(o, "test", at->test->name);
	json_set_str(o, "phase", phase);
	json_set_uint(o, "count", count);
	res = store_record(r->suite->store, o, &err);
	return res == 0 && store_lacks_medium(r->suite->store) ? -EIO : res;
}

const struct json_object *runner_cut(const struct runner *r, const struct place *at)
{
	const struct json_object *cut = r->suite->resume ? r->suite->resume->cut : NULL;
	const char *arm = json_get_str(cut, "arm");

	return arm && strcmp(arm, at->arm->name) == 0 &&
			       json_get_int(cut, "block", 0) == at->block
		       ? cut
		       : NULL;
}

const struct json_object *runner_past(const struct runner *r, const struct place *at)
{
	const struct past_campaign *past = r->suite->resume;
	size_t n = past && past->runs ? json_object_array_length(past->runs) : 0;

	for (size_t i = 0; i < n; i++) {
		struct json_object *o = json_object_array_get_idx(past->runs, i);
		const char *kind = json_get_str(o, "kind"), *arm = json_get_str(o, "arm");
		const char *test = json_get_str(o, "test"),
			   *end = json_get_str(o, "outcome");

		// the machine is cold again, so the warm-up block is run anew
		if (at->block > 0 && (!kind || strcmp(kind, "run") == 0) && arm && test &&
		    end && json_get_int(o, "block", 0) == at->block &&
		    strcmp(arm, at->arm->name) == 0 &&
		    strcmp(test, at->test->name) == 0 &&
		    (at->cut || outcome_parse(end) == OUTCOME_PASSED))
			return o;
	}
	return NULL;
}
