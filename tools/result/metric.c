// SPDX-License-Identifier: GPL-3.0-or-later
// One number of a run: lists of them, as JSON and as text.
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "result/metric.h"

#define UNITS_MAX 64

static const char *const better_names[] = { "higher", "lower", "neither" };
static const char *const bound_names[] = { "exact", "at-least", "at-most" };
static const char *const bound_signs[] = { "", ">= ", "<= " };

void metric_add(struct metric_list *list, const char *name, const char *unit,
		enum metric_better better, enum metric_bound bound, double value)
{
	if (!isfinite(value))
		return; // no number is no metric
	list->items = mem_grow(list->items, list->n + 1, sizeof(*list->items));
	list->items[list->n++] = (struct metric){
		.name = mem_strdup(name),
		.unit = unit,
		.better = better,
		.bound = bound,
		.value = value,
	};
}

const struct metric *metric_find(const struct metric_list *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->items[i].name, name) == 0)
			return &list->items[i];
	return NULL;
}

struct json_object *metric_json(const struct metric_list *list)
{
	struct json_object *array = json_new_array();

	for (size_t i = 0; i < list->n; i++) {
		const struct metric *m = &list->items[i];
		struct json_object *o = json_new();

		json_set_str(o, "name", m->name);
		json_set_str(o, "unit", m->unit);
		json_set_str(o, "better", better_names[m->better]);
		json_set_str(o, "bound", bound_names[m->bound]);
		json_set_double(o, "value", m->value);
		json_append(array, o);
	}
	return array;
}

// A unit read from a document as text that lives as long as the program. There are a
// handful of units; a document full of invented ones gets "" for the rest.
static const char *static_unit(const char *unit)
{
	static char *units[UNITS_MAX];
	size_t i;

	for (i = 0; i < UNITS_MAX && units[i]; i++)
		if (strcmp(units[i], unit) == 0)
			return units[i];
	if (i == UNITS_MAX || strlen(unit) > 16)
		return "";
	units[i] = mem_strdup(unit);
	return units[i];
}

static unsigned name_index(const char *name, const char *const *names, unsigned n,
			   unsigned fallback)
{
	for (unsigned i = 0; name && i < n; i++)
		if (strcmp(name, names[i]) == 0)
			return i;
	return fallback;
}

const char *metric_bound_name(enum metric_bound bound)
{
	return bound_names[bound];
}

enum metric_bound metric_bound_parse(const char *word)
{
	return (enum metric_bound)name_index(word, bound_names, 3, BOUND_EXACT);
}

const char *metric_better_name(enum metric_better better)
{
	return better_names[better];
}

void metric_parse(struct metric_list *list, const struct json_object *array)
{
	size_t n = json_object_is_type(array, json_type_array)
			   ? json_object_array_length(array)
			   : 0;

	for (size_t i = 0; i < n; i++) {
		struct json_object *o = json_object_array_get_idx(array, i);
		const char *name = json_get_str(o, "name");
		const char *unit = json_get_str(o, "unit");
		unsigned better = name_index(json_get_str(o, "better"), better_names, 3,
					     BETTER_NEITHER);
		enum metric_bound bound = metric_bound_parse(json_get_str(o, "bound"));

		if (name)
			metric_add(list, name, static_unit(unit ? unit : ""),
				   (enum metric_better)better, bound,
				   json_get_double(o, "value", NAN));
	}
}

static void format_plain(struct strbuf *to, double v, const char *unit)
{
	double size = fabs(v);
	int digits = v == floor(v) || size >= 1000 ? 0 : size >= 10 ? 1 : 2;

	if (size >= 1e9)
		strbuf_printf(to, "%.4g", v);
	else
		strbuf_printf(to, "%.*f", digits, v);
	if (strcmp(unit, "1/s") == 0)
		unit = "/s";
	if (*unit)
		strbuf_printf(to, " %s", unit);
}

void metric_format(const struct metric *m, struct strbuf *to)
{
	strbuf_puts(to, bound_signs[m->bound]);
	if (strcmp(m->unit, "B/s") == 0 && m->value >= 0)
		number_format_rate(to, m->value);
	else if (strcmp(m->unit, "B") == 0 && m->value >= 0 && m->value < 0x1p63)
		number_format_bytes(to, (uint64_t)m->value);
	else if (strcmp(m->unit, "s") == 0 && m->value >= 0 && m->value < 1e9)
		number_format_duration(to, (uint64_t)llround(m->value * 1e9));
	else
		format_plain(to, m->value, m->unit);
}

void metric_list_done(struct metric_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->items[i].name);
	free(list->items);
	*list = (struct metric_list){ 0 };
}
