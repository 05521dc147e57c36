// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons as members of a result.json.
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "result/comparison.h"

static const char *const verdict_names[] = {
	[COMPARISON_INCONCLUSIVE] = "inconclusive",
	[COMPARISON_SLOWER] = "slower",
	[COMPARISON_FASTER] = "faster",
	[COMPARISON_EQUIVALENT] = "equivalent",
	[COMPARISON_NOT_COMPARABLE] = "not comparable",
};

const char *comparison_verdict_name(enum comparison_verdict v)
{
	return v < ARRAY_SIZE(verdict_names) ? verdict_names[v] : verdict_names[0];
}

static struct json_object *point_json(const struct comparison_point *p)
{
	struct json_object *o = json_new();

	json_set_uint(o, "block", p->block);
	json_set_double(o, "a", p->a);
	json_set_double(o, "b", p->b);
	json_set_str(o, "a_bound", metric_bound_name(p->a_bound));
	json_set_str(o, "b_bound", metric_bound_name(p->b_bound));
	json_set_number(o, "change", p->change);
	json_set_bool(o, "outlier", p->outlier);
	json_set_bool(o, "both_bound", p->both_bound);
	json_set_bool(o, "gated", p->gated);
	return o;
}

// The numbers of a comparison, by name.
struct field {
	const char *key;
	size_t at;
};

#define FIELD(name)                                      \
	{                                                \
#name, offsetof(struct comparison, name) \
	}
static const struct field fields[] = {
	FIELD(ratio),      FIELD(change),      FIELD(low),    FIELD(high),
	FIELD(p),          FIELD(p_adjusted),  FIELD(p_holm), FIELD(margin),
	FIELD(detectable), FIELD(noise_floor), FIELD(drift),
};

static double *field_of(struct comparison *c, const struct field *f)
{
	return (double *)(void *)((char *)c + f->at);
}

static struct json_object *one_json(const struct comparison *c)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct json_object *o = json_new(), *points = json_new_array();
	struct comparison copy = *c;

	json_set_str(o, "a", c->a);
	json_set_str(o, "b", c->b);
	json_set_bool(o, "null", c->null);
	json_set_str(o, "test", c->test);
	json_set_str(o, "metric", c->metric);
	json_set_str(o, "unit", c->unit);
	json_set_str(o, "better", metric_better_name(c->better));
	json_set_str(o, "bound", metric_bound_name(c->bound));
	json_set_str(o, "verdict", comparison_verdict_name(c->verdict));
	json_set_str(o, "reason", c->reason);
	comparison_sentence(c, &text);
	json_set_str(o, "text", strbuf_str(&text));
	json_set_uint(o, "blocks", c->blocks);
	json_set_uint(o, "outliers", c->outliers);
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		json_set_number(o, fields[i].key, *field_of(&copy, &fields[i]));
	json_set_uint(o, "need", c->need);
	for (size_t i = 0; i < c->n_points; i++)
		json_append(points, point_json(&c->points[i]));
	json_set(o, "points", points);
	return o;
}

struct json_object *comparison_json(const struct comparison_list *list)
{
	struct json_object *array = json_new_array();

	for (size_t i = 0; i < list->n; i++)
		json_append(array, one_json(&list->items[i]));
	return array;
}

static unsigned parse_count(const struct json_object *from, const char *key)
{
	int64_t v = json_get_int(from, key, 0);

	return v > 0 && v <= UINT32_MAX ? (unsigned)v : 0;
}

static void parse_points(struct comparison *c, const struct json_object *array)
{
	size_t n = json_length(array);

	c->points = mem_new(n + 1, sizeof(*c->points));
	for (size_t i = 0; i < n; i++) {
		const struct json_object *o = json_object_array_get_idx(array, i);

		c->points[c->n_points++] = (struct comparison_point){
			.block = parse_count(o, "block"),
			.a = json_get_double(o, "a", NAN),
			.b = json_get_double(o, "b", NAN),
			.a_bound = metric_bound_parse(json_get_str(o, "a_bound")),
			.b_bound = metric_bound_parse(json_get_str(o, "b_bound")),
			.change = json_get_double(o, "change", NAN),
			.outlier = json_get_bool(o, "outlier", false),
			.both_bound = json_get_bool(o, "both_bound", false),
			.gated = json_get_bool(o, "gated", false),
		};
	}
}

// Unit and direction, through the parser of metrics: the unit becomes static text.
static void parse_metric(struct comparison *c, const struct json_object *from)
{
	_cleanup_json_ struct json_object *array = json_new_array(), *o = json_new();
	struct metric_list one = { 0 };

	json_set_str(o, "name", c->metric);
	json_set_str(o, "unit", json_get_str(from, "unit"));
	json_set_str(o, "better", json_get_str(from, "better"));
	json_set_double(o, "value", 0);
	json_append(array, json_object_get(o));
	metric_parse(&one, array);
	c->unit = one.items[0].unit;
	c->better = one.items[0].better;
	metric_list_done(&one);
}

static void parse_one(struct comparison *c, const struct json_object *from)
{
	const char *verdict = json_get_str(from, "verdict");

	*c = (struct comparison){
		.a = mem_strdup(json_get_str(from, "a")),
		.b = mem_strdup(json_get_str(from, "b")),
		.test = mem_strdup(json_get_str(from, "test")),
		.metric = mem_strdup(json_get_str(from, "metric")),
		.null = json_get_bool(from, "null", false),
		.blocks = parse_count(from, "blocks"),
		.outliers = parse_count(from, "outliers"),
		.need = parse_count(from, "need"),
		.bound = metric_bound_parse(json_get_str(from, "bound")),
		.reason = mem_strdup(json_get_str(from, "reason")),
	};
	for (unsigned i = 0; verdict && i < ARRAY_SIZE(verdict_names); i++)
		if (strcmp(verdict, verdict_names[i]) == 0)
			c->verdict = (enum comparison_verdict)i;
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		*field_of(c, &fields[i]) = json_get_double(from, fields[i].key, NAN);
	parse_metric(c, from);
	parse_points(c, json_get(from, "points"));
}

void comparison_parse(struct comparison_list *list, const struct json_object *array)
{
	size_t n = json_length(array);

	*list = (struct comparison_list){ .items = mem_new(n + 1, sizeof(*list->items)) };
	for (size_t i = 0; i < n; i++) {
		const struct json_object *o = json_object_array_get_idx(array, i);

		if (json_get_str(o, "a") && json_get_str(o, "b") &&
		    json_get_str(o, "test") && json_get_str(o, "metric"))
			parse_one(&list->items[list->n++], o);
	}
}
