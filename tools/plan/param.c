// SPDX-License-Identifier: GPL-3.0-or-later
// Checks and reads the parameters of a layer or a test against its table.
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "plan/nearest.h"
#include "plan/param.h"
#include "plan/raw.h"

// What every check needs to say where and about whom.
struct param_place {
	const char *who, *file;
	struct fault_list *faults;
};

static const struct param_spec *find_spec(const struct param_spec *spec, const char *key)
{
	for (; spec && spec->key; spec++)
		if (strcmp(spec->key, key) == 0)
			return spec;
	return NULL;
}

static void unknown_key(const struct param_place *at, const struct plan_param *param,
			const struct param_spec *spec)
{
	_cleanup_strbuf_ struct strbuf hint = { 0 };
	_cleanup_free_ const char **known = NULL;
	size_t n = 0;

	for (const struct param_spec *s = spec; s && s->key; s++) {
		known = mem_grow(known, n + 2, sizeof(*known));
		known[n++] = s->key;
		known[n] = NULL;
	}
	if (known)
		nearest_hint(&hint, param->key, known);
	else
		strbuf_puts(&hint, "; it takes none");
	fault_add(at->faults, at->file, param->line, "%s: unknown parameter \"%s\"%s",
		  at->who, param->key, strbuf_str(&hint));
}

static void check_word(const struct param_place *at, const struct plan_param *param,
		       const struct param_spec *spec)
{
	_cleanup_strbuf_ struct strbuf list = { 0 };

	if (!spec->choices)
		return;
	for (const char *const *c = spec->choices; *c; c++)
		if (strcmp(*c, param->value) == 0)
			return;
	nearest_list(&list, spec->choices, "or");
	fault_add(at->faults, at->file, param->line, "%s: %s = \"%s\" is not %s", at->who,
		  spec->key, param->value, strbuf_str(&list));
}

static void check_range(const struct param_place *at, const struct plan_param *param,
			const struct param_spec *spec, uint64_t value)
{
	bool size = spec->type == PARAM_SIZE;
	_cleanup_strbuf_ struct strbuf text = { 0 };

	if (value >= spec->min && (!spec->max || value <= spec->max))
		return;
	strbuf_printf(&text, "at least %" PRIu64, spec->min);
	if (spec->max)
		strbuf_printf(&text, " and at most %" PRIu64, spec->max);
	fault_add(at->faults, at->file, param->line, "%s: %s = %s must be %s%s", at->who,
		  spec->key, param->value, strbuf_str(&text), size ? " bytes" : "");
}

// What a person would have to write for each type.
static const char *const type_help[] = {
	[PARAM_WORD] = "a word",
	[PARAM_UINT] = "a whole number",
	[PARAM_SIZE] = "a size such as 64M, 1.5G or 512 (bytes)",
	[PARAM_DURATION] = "a duration such as 30s, 10m or 2h",
	[PARAM_BOOL] = "yes or no",
	[PARAM_TEXT] = "a text",
};

static int parse_value(enum param_type type, const char *text, uint64_t *ret)
{
	int r;

	switch (type) {
	case PARAM_UINT:
		return number_uint(text, ret);
	case PARAM_SIZE:
		return number_size(text, ret);
	case PARAM_DURATION:
		return number_duration(text, ret);
	case PARAM_BOOL:
		r = *text ? number_bool(text) : 1; // a bare word switches on
		*ret = r == 1;
		return r < 0 ? r : 0;
	default:
		return 0;
	}
}

static void check_known(const struct param_place *at, const struct plan_param *param,
			const struct param_spec *spec)
{
	uint64_t value = 0;

	if (!param->value) {
		if (spec->type != PARAM_BOOL)
			fault_add(at->faults, at->file, param->line,
				  "%s: %s needs a value, %s", at->who, spec->key,
				  type_help[spec->type]);
		return;
	}
	if (parse_value(spec->type, param->value, &value) < 0)
		fault_add(at->faults, at->file, param->line, "%s: %s = \"%s\" is not %s",
			  at->who, spec->key, param->value, type_help[spec->type]);
	else if (spec->type == PARAM_WORD)
		check_word(at, param, spec);
	else if (spec->type == PARAM_UINT || spec->type == PARAM_SIZE)
		check_range(at, param, spec, value);
}

static void check_volume(const struct param_place *at, const struct plan_param *param,
			 unsigned *rests)
{
	uint64_t size = 0;

	if (!raw_name_valid(param->key))
		fault_add(at->faults, at->file, param->line,
			  "%s: \"%s\" cannot name a volume: %s", at->who, param->key,
			  RAW_NAME_RULE);
	else if (param->value && strcmp(param->value, "rest") == 0) {
		if (++*rests == 2)
			fault_add(at->faults, at->file, param->line,
				  "%s: %s is the second volume with the size rest; only "
				  "one can take what is left and carry the layers above",
				  at->who, param->key);
	} else if (!param->value || number_size(param->value, &size) < 0 || size == 0)
		fault_add(at->faults, at->file, param->line,
			  "%s: volume %s needs a size such as 200M, or rest", at->who,
			  param->key);
}

void param_check(const struct plan_param *params, size_t n, const struct param_spec *spec,
		 bool volumes, const char *who, const char *file,
		 struct fault_list *faults)
{
	const struct param_place at = { .who = who, .file = file, .faults = faults };
	unsigned rests = 0;

	for (size_t i = 0; i < n; i++) {
		const struct param_spec *known = find_spec(spec, params[i].key);
		size_t first = 0;

		while (strcmp(params[first].key, params[i].key) != 0)
			first++;
		if (first < i)
			fault_add(faults, file, params[i].line,
				  "%s: %s is given twice; keep one", who, params[i].key);
		else if (known)
			check_known(&at, &params[i], known);
		else if (volumes)
			check_volume(&at, &params[i], &rests);
		else
			unknown_key(&at, &params[i], spec);
	}
}

const char *param_text(const struct plan_param *params, size_t n,
		       const struct param_spec *spec, const char *key)
{
	const char *value = plan_param(params, n, key);

	if (!value) {
		spec = find_spec(spec, key);
		value = spec ? spec->fallback : NULL;
	}
	return value;
}

// The number behind a parameter; the default where the text is none (which param_check()
// has refused), and 0 without a default.
static uint64_t param_number(const struct plan_param *params, size_t n,
			     const struct param_spec *spec, const char *key,
			     enum param_type type)
{
	const struct param_spec *known = find_spec(spec, key);
	const char *value = plan_param(params, n, key);
	uint64_t number = 0;

	if (value && parse_value(type, value, &number) == 0)
		return number;
	if (known && known->fallback && parse_value(type, known->fallback, &number) == 0)
		return number;
	return 0;
}

uint64_t param_uint(const struct plan_param *params, size_t n,
		    const struct param_spec *spec, const char *key)
{
	return param_number(params, n, spec, key, PARAM_UINT);
}

uint64_t param_size(const struct plan_param *params, size_t n,
		    const struct param_spec *spec, const char *key)
{
	return param_number(params, n, spec, key, PARAM_SIZE);
}

uint64_t param_duration(const struct plan_param *params, size_t n,
			const struct param_spec *spec, const char *key)
{
	return param_number(params, n, spec, key, PARAM_DURATION);
}

bool param_bool(const struct plan_param *params, size_t n, const struct param_spec *spec,
		const char *key)
{
	return param_number(params, n, spec, key, PARAM_BOOL) != 0;
}

void param_describe(const struct param_spec *spec, struct strbuf *to)
{
	for (; spec && spec->key; spec++) {
		strbuf_printf(to, "    %-24s %s", spec->key,
			      spec->help ? spec->help : "");
		if (spec->choices) {
			strbuf_puts(to, " (");
			for (const char *const *c = spec->choices; *c; c++)
				strbuf_printf(to, "%s%s", c == spec->choices ? "" : "|",
					      *c);
			strbuf_puts(to, ")");
		}
		if (spec->fallback)
			strbuf_printf(to, "; default %s", spec->fallback);
		strbuf_puts(to, "\n");
	}
}
