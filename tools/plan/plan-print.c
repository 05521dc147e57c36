// SPDX-License-Identifier: GPL-3.0-or-later
// The effective plan as text that is a plan again, as JSON, and as one number.
#include <inttypes.h>
#include <string.h>

#include "common/crc32.h"
#include "plan/build.h"
#include "plan/plan.h"

#define COMMENT_COLUMN_MAX 64 // a longer line does not push the others' comments right

// A value as raw_parse() reads it back: quoted where it would lose its ends.
static void add_value(struct strbuf *to, const char *value)
{
	size_t len = strlen(value);
	bool quote =
		len > 0 && (strchr(" \t\";", value[0]) || strchr(" \t", value[len - 1]));

	strbuf_printf(to, "%s%s%s", quote ? "\"" : "", value, quote ? "\"" : "");
}

static void add_line(struct strbuf *to, const struct plan_origin *o, size_t key_width)
{
	if (!*o->key) {
		strbuf_puts(to, o->value);
	} else if (!*o->value) {
		strbuf_puts(to, o->key);
	} else {
		strbuf_printf(to, "%-*s = ", (int)key_width, o->key);
		add_value(to, o->value);
	}
}

static size_t key_width(const struct plan *p, size_t first)
{
	const char *section = p->origins[first].section;
	size_t width = 0;

	for (size_t i = first; i < p->n_origins; i++) {
		size_t len = strlen(p->origins[i].key);

		if (strcmp(p->origins[i].section, section) != 0)
			break;
		if (len > width)
			width = len;
	}
	return width;
}

// Prints to `to`, comments at that column; or, with `to` NULL, finds the column.
static size_t print(const struct plan *p, struct strbuf *to, size_t column)
{
	size_t longest = 0, width = 0;

	for (size_t i = 0; i < p->n_origins; i++) {
		const struct plan_origin *o = &p->origins[i];
		_cleanup_strbuf_ struct strbuf line = { 0 };

		if (i == 0 || strcmp(o->section, p->origins[i - 1].section) != 0) {
			width = key_width(p, i);
			if (to)
				strbuf_printf(to, "%s[%s]\n", i ? "\n" : "", o->section);
		}
		add_line(&line, o, width);
		if (line.len > longest && line.len <= COMMENT_COLUMN_MAX)
			longest = line.len;
		if (to)
			strbuf_printf(to, "%-*s ; %s%s\n", (int)column, strbuf_str(&line),
				      strcmp(o->from, "default") == 0 ? "" : "from ",
				      o->from);
	}
	return longest;
}

void plan_print(const struct plan *p, struct strbuf *to)
{
	print(p, to, print(p, NULL, 0));
}

static struct json_object *params_json(const struct plan_param *params, size_t n)
{
	struct json_object *o = json_new();

	for (size_t i = 0; i < n; i++)
		json_set_str(o, params[i].key, params[i].value);
	return o;
}

static struct json_object *arm_json(const struct plan_arm *arm)
{
	_cleanup_free_ char *stack = plan_stack_text(arm->layers, arm->n);
	struct json_object *o = json_new(), *layers = json_new_array();

	for (size_t i = 0; i < arm->n; i++) {
		struct json_object *layer = json_new();

		json_set_str(layer, "kind", arm->layers[i].kind);
		json_set(layer, "params",
			 params_json(arm->layers[i].params, arm->layers[i].n));
		json_append(layers, layer);
	}
	json_set_str(o, "name", arm->name);
	json_set_str(o, "stack", stack);
	json_set(o, "layers", layers);
	json_set_bool(o, "open", arm->open);
	json_set_bool(o, "scratch", arm->scratch);
	json_set_bool(o, "null", arm->null);
	json_set_str(o, "key_file", arm->key_file);
	return o;
}

static struct json_object *test_json(const struct plan_test *test)
{
	struct json_object *o = json_new();

	json_set_str(o, "name", test->name);
	json_set_str(o, "engine", test->engine);
	json_set(o, "params", params_json(test->params, test->n));
	return o;
}

static struct json_object *values_json(const struct plan *p)
{
	struct json_object *values = json_new_array();

	for (size_t i = 0; i < p->n_origins; i++) {
		struct json_object *o = json_new();

		json_set_str(o, "section", p->origins[i].section);
		json_set_str(o, "key", p->origins[i].key);
		json_set_str(o, "value", p->origins[i].value);
		json_set_str(o, "from", p->origins[i].from);
		json_append(values, o);
	}
	return values;
}

static struct json_object *targets_json(const struct plan *p)
{
	struct json_object *targets = json_new_array();

	for (size_t i = 0; i < p->n_targets; i++) {
		_cleanup_free_ char *text = match_text(&p->targets[i]);

		json_append_str(targets, text);
	}
	return targets;
}

struct json_object *plan_json(const struct plan *p)
{
	struct json_object *o = json_new(), *arms = json_new_array();
	struct json_object *tests = json_new_array(), *accepts = json_new_array();
	char fingerprint[9];

	for (size_t i = 0; i < p->n_arms; i++)
		json_append(arms, arm_json(&p->arms[i]));
	for (size_t i = 0; i < p->n_tests; i++)
		json_append(tests, test_json(&p->tests[i]));
	for (size_t i = 0; i < p->n_accepts; i++)
		json_append_str(accepts, p->accepts[i].text);
	snprintf(fingerprint, sizeof(fingerprint), "%08" PRIx32, plan_fingerprint(p));
	json_set_str(o, "name", p->name);
	json_set_str(o, "file", p->file);
	json_set_str(o, "fingerprint", fingerprint);
	json_set_uint(o, "blocks", p->blocks);
	json_set_uint(o, "blocks_min", p->blocks_min);
	json_set_double(o, "precision", p->precision);
	json_set_double(o, "margin", p->margin);
	json_set_uint(o, "repeats", p->repeats);
	json_set_bool(o, "warm_up", p->warm_up);
	json_set_bool(o, "precondition", p->precondition);
	json_set_str(o, "baseline", p->baseline);
	json_set_uint(o, "seed", p->seed);
	json_set_double(o, "deadline", (double)p->deadline_ns / 1e9);
	json_set_double(o, "wait", (double)p->wait_ns / 1e9);
	json_set_str(o, "then", plan_ending_name(p->then));
	json_set_str(o, "again", plan_again_words[p->again]);
	json_set_str(o, "results", plan_results_words[p->results]);
	json_set(o, "targets", targets_json(p));
	json_set_str(o, "erase", p->erase);
	json_set(o, "arms", arms);
	json_set(o, "tests", tests);
	json_set(o, "accept", accepts);
	json_set(o, "values", values_json(p));
	return o;
}

// Only what is not as it was before these keys were there: plans of older releases keep
// their number.
static void add_design(struct strbuf *to, const struct plan *p)
{
	if (p->precision > 0)
		strbuf_printf(to, "precision %g\nblocks-min %u\n", p->precision,
			      p->blocks_min);
	if (p->warm_up != (p->blocks >= PLAN_BLOCKS_FINDING))
		strbuf_printf(to, "warm-up %d\n", p->warm_up);
	if (p->precondition)
		strbuf_puts(to, "precondition\n");
}

// One value per line, so that no two plans run together; values have no line ends.
uint32_t plan_fingerprint(const struct plan *p)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };

	strbuf_printf(&text, "blocks %u\nseed %" PRIu64 "\ndeadline %" PRIu64 "\n",
		      p->blocks, p->seed, p->deadline_ns);
	add_design(&text, p);
	for (size_t i = 0; i < p->n_targets; i++) {
		_cleanup_free_ char *disk = match_text(&p->targets[i]);

		strbuf_printf(&text, "disk %s\n", disk);
	}
	strbuf_printf(&text, "erase %s\n", p->erase ? p->erase : "");
	for (size_t i = 0; i < p->n_arms; i++) {
		const struct plan_arm *arm = &p->arms[i];
		_cleanup_free_ char *stack = plan_stack_text(arm->layers, arm->n);

		strbuf_printf(&text,
			      "arm %s\nstack %s\nopen %d scratch %d\nkey-file %s\n",
			      arm->name, stack, arm->open, arm->scratch,
			      arm->key_file ? arm->key_file : "");
	}
	for (size_t i = 0; i < p->n_tests; i++) {
		const struct plan_test *test = &p->tests[i];

		strbuf_printf(&text, "test %s\nengine %s\n", test->name, test->engine);
		for (size_t j = 0; j < test->n; j++)
			strbuf_printf(&text, "%s=%s\n", test->params[j].key,
				      test->params[j].value ? test->params[j].value : "");
	}
	for (size_t i = 0; i < p->n_accepts; i++)
		strbuf_printf(&text, "accept %s\n", p->accepts[i].text);
	return crc32_add(0, strbuf_str(&text), text.len);
}
