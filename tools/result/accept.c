// SPDX-License-Identifier: GPL-3.0-or-later
// Judges the lines of [accept].
#include "result/accept.h"

#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "result/comparison-private.h"
#include "result/stats.h"

struct unit {
	const char *word, *base;
	double factor;
};

// The units that tools/plan/build-accept.c lets a limit have.
static const struct unit units[] = {
	{ "B/s", "B/s", 1 },
	{ "kB/s", "B/s", 1e3 },
	{ "MB/s", "B/s", 1e6 },
	{ "GB/s", "B/s", 1e9 },
	{ "KiB/s", "B/s", 1 << 10 },
	{ "MiB/s", "B/s", 1 << 20 },
	{ "GiB/s", "B/s", 1 << 30 },
	{ "IOPS", "1/s", 1 },
	{ "1/s", "1/s", 1 },
	{ "s", "s", 1 },
	{ "ms", "s", 1e-3 },
	{ "us", "s", 1e-6 },
	{ "B", "B", 1 },
	{ "kB", "B", 1e3 },
	{ "MB", "B", 1e6 },
	{ "GB", "B", 1e9 },
	{ "KiB", "B", 1 << 10 },
	{ "MiB", "B", 1 << 20 },
	{ "GiB", "B", 1 << 30 },
	{ "%", "%", 1 },
};

// "ARM.TEST.METRIC"; a metric's name may hold dots.
struct place_of {
	char *arm, *test;
	const char *metric;
};

static bool parse_place(char *text, struct place_of *ret)
{
	char *test = strchr(text, '.'), *metric = test ? strchr(test + 1, '.') : NULL;

	if (!metric)
		return false;
	*test++ = *metric++ = '\0';
	*ret = (struct place_of){ .arm = text, .test = test, .metric = metric };
	return true;
}

struct value {
	struct metric m; // the median; the name is not owned
	size_t n;
};

// What one place measured. Returns 0, or -ENODATA with a reason.
static int measure(const struct json_object *result, const struct place_of *at,
		   struct value *ret, struct strbuf *why)
{
	struct cells cells;
	const char *gate = NULL;
	double *v;

	*ret = (struct value){ 0 };
	cells_collect(&cells, result);
	v = mem_new(cells.n + 1, sizeof(*v));
	for (size_t i = 0; i < cells.n; i++) {
		const struct cell *c = &cells.items[i];
		const struct metric *m = metric_find(&c->metrics, at->metric);

		if (!m || strcmp(c->arm, at->arm) != 0 || strcmp(c->test, at->test) != 0)
			continue;
		if (c->gate) {
			gate = c->gate;
			continue;
		}
		v[ret->n++] = m->value;
		ret->m.unit = m->unit;
		if (m->bound != BOUND_EXACT)
			ret->m.bound = m->bound;
	}
	ret->m.value = stats_median(v, ret->n);
	if (ret->n == 0 && gate)
		strbuf_printf(why, "no run of %s on %s counts: %s", at->test, at->arm,
			      gate);
	else if (ret->n == 0)
		strbuf_printf(why, "%s on %s gave no %s", at->test, at->arm, at->metric);
	free(v);
	cells_done(&cells);
	return ret->n ? 0 : -ENODATA;
}

struct criterion {
	struct place_of left, right; // right.arm NULL: an absolute limit
	const char *op;
	double number;
	const struct unit *unit; // of an absolute limit
	bool baseline;
	// what came of it
	double value, limit;
	const char *base; // unit
	enum outcome outcome;
	struct strbuf why;
};

// Reads one line; it was checked when the plan was, but a document may hold anything.
static bool parse_line(char *text, struct criterion *c)
{
	char *save = NULL, *left = strtok_r(text, " ", &save), *number, *rest;

	c->op = strtok_r(NULL, " ", &save);
	number = strtok_r(NULL, " ", &save);
	rest = strtok_r(NULL, " ", &save);
	if (!rest || !parse_place(left, &c->left) ||
	    number_double(number, &c->number) < 0 || !strchr("<>", *c->op))
		return false;
	if (strcmp(rest, "*") == 0) {
		rest = strtok_r(NULL, " ", &save);
		c->baseline = rest && strcmp(rest, "baseline") == 0;
		return c->baseline || (rest && parse_place(rest, &c->right));
	}
	for (size_t i = 0; i < ARRAY_SIZE(units) && !c->unit; i++)
		if (strcmp(units[i].word, rest) == 0)
			c->unit = &units[i];
	return c->unit;
}

static bool meets(double value, const char *op, double limit)
{
	bool equal = op[1] == '=' && fabs(value - limit) <= 1e-12 * fabs(limit);

	return equal || (*op == '<' ? value < limit : value > limit);
}

// What the other arm, or the baseline, makes of the limit.
static int relative_limit(struct criterion *c, const struct json_object *result,
			  const struct json_object *baseline)
{
	const struct place_of *at = c->baseline ? &c->left : &c->right;
	struct comparison_list list = { 0 };
	struct value other;

	if (c->baseline && !baseline) {
		strbuf_puts(&c->why, "there is no baseline to compare with");
		return -ENODATA;
	}
	if (measure(c->baseline ? baseline : result, at, &other, &c->why) < 0) {
		if (c->baseline)
			strbuf_puts(&c->why, " in the baseline");
		return -ENODATA;
	}
	if (other.m.bound != BOUND_EXACT || strcmp(other.m.unit, c->base) != 0) {
		strbuf_printf(&c->why, "%s on %s gave only a bound, or another unit",
			      at->test, at->arm);
		return -ENODATA;
	}
	c->limit = c->number * other.m.value;
	if (c->baseline || strcmp(c->left.test, c->right.test) != 0 ||
	    strcmp(c->left.metric, c->right.metric) != 0)
		return 0;
	// the same metric of two arms: block by block, so that drift cancels
	comparison_pair(&list, result, c->right.arm, c->left.arm);
	for (size_t i = 0; i < list.n; i++)
		if (strcmp(list.items[i].test, c->left.test) == 0 &&
		    strcmp(list.items[i].metric, c->left.metric) == 0 &&
		    isfinite(list.items[i].ratio))
			c->value = other.m.value * list.items[i].ratio;
	comparison_list_done(&list);
	return 0;
}

static void add_value(struct strbuf *to, const char *base, double value)
{
	const struct metric m = { .unit = base, .value = value };

	metric_format(&m, to);
}

static int find_limit(struct criterion *c, const struct json_object *result,
		      const struct json_object *baseline)
{
	if (!c->unit)
		return relative_limit(c, result, baseline);
	if (strcmp(c->unit->base, c->base) != 0) {
		strbuf_printf(&c->why, "%s is in %s, the limit in %s", c->left.metric,
			      c->base, c->unit->word);
		return -EINVAL;
	}
	c->limit = c->number * c->unit->factor;
	return 0;
}

static void judge(struct criterion *c, const struct json_object *result,
		  const struct json_object *baseline)
{
	struct value v;
	bool met;

	if (measure(result, &c->left, &v, &c->why) < 0)
		return;
	c->base = v.m.unit;
	c->value = v.m.value;
	if (find_limit(c, result, baseline) < 0) {
		c->value = c->limit = NAN;
		return;
	}
	met = meets(c->value, c->op, c->limit);
	// the truth may be on the other side of the limit
	if ((v.m.bound == BOUND_AT_LEAST && met == (*c->op == '<')) ||
	    (v.m.bound == BOUND_AT_MOST && met == (*c->op == '>'))) {
		strbuf_puts(&c->why, "only known to be ");
		strbuf_puts(&c->why,
			    v.m.bound == BOUND_AT_LEAST ? "at least " : "at most ");
		add_value(&c->why, c->base, c->value);
		c->value = c->limit = NAN;
		return;
	}
	c->outcome = met ? OUTCOME_PASSED : OUTCOME_FAILED;
	add_value(&c->why, c->base, c->value);
	strbuf_puts(&c->why, met ? ", limit " : ", but the limit is ");
	add_value(&c->why, c->base, c->limit);
	strbuf_printf(&c->why, " (%zu run%s)", v.n, v.n == 1 ? "" : "s");
}

static struct json_object *judge_line(const char *line, const struct json_object *result,
				      const struct json_object *baseline)
{
	_cleanup_free_ char *text = mem_strdup(line);
	struct criterion c = { .value = NAN, .limit = NAN };
	struct json_object *o = json_new();

	if (parse_line(text, &c))
		judge(&c, result, baseline);
	else
		strbuf_puts(&c.why, "this is no criterion");
	json_set_str(o, "text", line);
	json_set_str(o, "outcome", outcome_name(c.outcome));
	json_set_str(o, "why", strbuf_str(&c.why));
	json_set_number(o, "value", c.value);
	json_set_number(o, "limit", c.limit);
	json_set_str(o, "unit", c.base);
	strbuf_done(&c.why);
	return o;
}

struct json_object *accept_judge(const struct json_object *result,
				 const struct json_object *baseline)
{
	const struct json_object *lines = json_get(json_get(result, "plan"), "accept");
	struct json_object *array = json_new_array();

	for (size_t i = 0; i < json_length(lines); i++) {
		struct json_object *line = json_object_array_get_idx(lines, i);

		json_append(array,
			    judge_line(json_object_get_string(line), result, baseline));
	}
	return array;
}

enum outcome accept_verdict(const struct json_object *array, struct strbuf *why)
{
	enum outcome worst = OUTCOME_NOT_RUN;
	const struct json_object *first = NULL;
	size_t met = 0;

	for (size_t i = 0; i < json_length(array); i++) {
		const struct json_object *o = json_object_array_get_idx(array, i);
		enum outcome is = outcome_parse(json_get_str(o, "outcome"));
		enum outcome worse = first ? outcome_worse(worst, is) : is;

		met += is == OUTCOME_PASSED;
		if (!first || worse != worst)
			first = o;
		worst = worse;
	}
	if (why)
		strbuf_printf(why, "%zu of %zu " ACCEPT_WORDS, met, json_length(array));
	if (why && first && worst != OUTCOME_PASSED)
		strbuf_printf(why, "; %s: %s", json_get_str(first, "text"),
			      json_get_str(first, "why"));
	return worst;
}
