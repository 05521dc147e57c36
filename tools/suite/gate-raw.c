// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing built on a disk is faster than the disk.
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "result/outcome.h"
#include "suite/gate.h"

#define FLAG_FROM 1.05
#define GATE_FROM 1.5

static bool same(const struct json_object *a, const struct json_object *b,
		 const char *key)
{
	const char *x = json_get_str(a, key), *y = json_get_str(b, key);

	return x && y && strcmp(x, y) == 0;
}

static bool passed_run(const struct json_object *o)
{
	const char *kind = json_get_str(o, "kind");

	return kind && strcmp(kind, "run") == 0 &&
	       outcome_parse(json_get_str(o, "outcome")) == OUTCOME_PASSED;
}

static bool on_bare_disk(const struct json_object *o)
{
	const char *stack = json_get_str(o, "stack");

	return stack && strcmp(stack, "disk") == 0;
}

static bool disk_rate(const struct metric *m)
{
	return strcmp(m->unit, "B/s") == 0 && m->bound == BOUND_EXACT &&
	       !strstr(m->name, "_cached");
}

// The fastest of that metric on the bare disk in the same test; 0 when it was not run.
static double raw_rate(const struct json_object *runs, const struct json_object *run,
		       const char *name)
{
	double best = 0;

	for (size_t i = 0; i < json_object_array_length(runs); i++) {
		struct json_object *o = json_object_array_get_idx(runs, i);
		struct metric_list list = { 0 };
		const struct metric *m;

		if (!passed_run(o) || !on_bare_disk(o) || !same(o, run, "test"))
			continue;
		metric_parse(&list, json_get(o, "metrics"));
		m = metric_find(&list, name);
		if (m && disk_rate(m) && m->value > best)
			best = m->value;
		metric_list_done(&list);
	}
	return best;
}

static void append(struct json_object *run, const char *key, const char *words)
{
	struct json_object *list = json_get(run, key), *o = json_new();

	if (!list) {
		list = json_new_array();
		json_set(run, key, list);
	}
	json_set_str(o, "name", "raw");
	json_set_str(o, "words", words);
	json_append(list, o);
}

static void judge(const struct json_object *runs, struct json_object *run)
{
	struct metric_list list = { 0 };

	metric_parse(&list, json_get(run, "metrics"));
	for (size_t i = 0; i < list.n; i++) {
		const struct metric *m = &list.items[i];
		double raw = disk_rate(m) ? raw_rate(runs, run, m->name) : 0;
		_cleanup_strbuf_ struct strbuf words = { 0 };

		if (raw <= 0 || m->value <= raw * FLAG_FROM)
			continue;
		strbuf_printf(&words, "%s = ", m->name);
		number_format_rate(&words, m->value);
		strbuf_puts(&words, " is faster than the bare disk (at most ");
		number_format_rate(&words, raw);
		strbuf_puts(&words, m->value > raw * GATE_FROM
					    ? "): a cache answered, not the disk"
					    : "): noise, or a cache");
		append(run, m->value > raw * GATE_FROM ? "gates" : "flags",
		       strbuf_str(&words));
	}
	metric_list_done(&list);
}

void gate_campaign(struct json_object *runs)
{
	for (size_t i = 0; i < json_object_array_length(runs); i++) {
		struct json_object *o = json_object_array_get_idx(runs, i);

		if (passed_run(o) && !on_bare_disk(o))
			judge(runs, o);
	}
}
