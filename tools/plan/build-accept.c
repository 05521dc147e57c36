// SPDX-License-Identifier: GPL-3.0-or-later
// The [accept] section: lines such as "encrypted.seqread.read >= 50 MB/s" or
// "encrypted.seqread.read >= 0.9 * plain.seqread.read" or, against an earlier campaign,
// "encrypted.seqread.read >= 0.95 * baseline".
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "plan/build.h"
#include "plan/nearest.h"

#define EXAMPLE        "write e.g. encrypted.seqread.read >= 50 MB/s"
#define METRIC_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

// The longer ones first: "<" begins "<=".
static const char *const operators[] = { "<=", ">=", "<", ">" };

// Units that a limit may have, the first ones being what most people want.
static const char *const units[] = {
	"MB/s", "kB/s", "GB/s", "B/s", "KiB/s", "MiB/s", "GiB/s",
	"IOPS", "1/s",  "s",    "ms",  "us",    "B",     "kB",
	"MB",   "GB",   "KiB",  "MiB", "GiB",   "%",     NULL,
};

// "arm.test.metric": the arm and the test are the plan's; which metrics a test has is
// only known when it ran.
static bool check_metric(const struct build *b, const struct raw_entry *e, char *text)
{
	_cleanup_free_ const char **arms = mem_new(b->plan->n_arms + 1, sizeof(*arms));
	_cleanup_free_ const char **tests = mem_new(b->plan->n_tests + 1, sizeof(*tests));
	_cleanup_strbuf_ struct strbuf hint = { 0 };
	char *test = strchr(text, '.'), *metric = test ? strchr(test + 1, '.') : NULL;
	bool arm_known = false, test_known = false;

	if (!metric || !metric[1] || strspn(text, METRIC_LETTERS) != strlen(text)) {
		build_fault(b, e, "\"%s\" is not ARM.TEST.METRIC; " EXAMPLE, text);
		return false;
	}
	*test++ = '\0';
	*metric = '\0';
	for (size_t i = 0; i < b->plan->n_arms; i++) {
		arms[i] = b->plan->arms[i].name;
		arm_known |= strcmp(arms[i], text) == 0;
	}
	for (size_t i = 0; i < b->plan->n_tests; i++) {
		tests[i] = b->plan->tests[i].name;
		test_known |= strcmp(tests[i], test) == 0;
	}
	if (!arm_known) {
		nearest_hint(&hint, text, arms);
		build_fault(b, e, "the plan has no arm \"%s\"%s", text,
			    strbuf_str(&hint));
	} else if (!test_known) {
		nearest_hint(&hint, test, tests);
		build_fault(b, e, "the plan has no test \"%s\"%s", test,
			    strbuf_str(&hint));
	}
	return arm_known && test_known;
}

static bool check_unit(const struct build *b, const struct raw_entry *e, const char *unit)
{
	_cleanup_strbuf_ struct strbuf hint = { 0 };

	for (size_t i = 0; units[i]; i++)
		if (strcmp(units[i], unit) == 0)
			return true;
	nearest_list(&hint, units, "or");
	build_fault(b, e, "%s%s%s unit; it is one of %s",
		    *unit ? "\"" : "the limit has no", unit, *unit ? "\" is no" : "",
		    strbuf_str(&hint));
	return false;
}

// What stands right of the operator: "50 MB/s" or "0.9 * plain.seqread.read". Appends it
// to `to` with single blanks.
static bool check_limit(const struct build *b, const struct raw_entry *e,
			const char *text, struct strbuf *to)
{
	size_t len = strspn(text, "0123456789.");
	_cleanup_free_ char *number = mem_strndup(text, len);
	const char *rest = text + len + strspn(text + len, " \t");
	_cleanup_free_ char *metric = NULL;
	double value;

	if (number_double(number, &value) < 0) {
		build_fault(b, e,
			    "\"%s\" does not start with a number; " EXAMPLE
			    " or >= 0.9 * plain.seqread.read",
			    text);
		return false;
	}
	if (*rest != '*') {
		strbuf_printf(to, "%s %s", number, rest);
		return check_unit(b, e, rest);
	}
	rest += 1 + strspn(rest + 1, " \t");
	strbuf_printf(to, "%s * %s", number, rest);
	if (strcmp(rest, "baseline") == 0) {
		if (!b->plan->baseline)
			build_fault(b, e,
				    "[plan] names no baseline; say e.g. baseline = "
				    "assay/good.json, a file on the assay stick");
		return b->plan->baseline;
	}
	metric = mem_strdup(rest);
	return check_metric(b, e, metric);
}

static void build_accept(const struct build *b, const struct raw_entry *e)
{
	_cleanup_free_ char *left = mem_strndup(e->value, strcspn(e->value, "<>="));
	_cleanup_strbuf_ struct strbuf text = { 0 };
	const char *right = e->value + strlen(left), *op = NULL;
	struct plan *p = b->plan;
	bool limit_good;

	for (size_t i = 0; i < ARRAY_SIZE(operators) && !op; i++)
		if (strncmp(right, operators[i], strlen(operators[i])) == 0)
			op = operators[i];
	if (!op) {
		build_fault(b, e, "\"%s\" has none of <=, >=, < and >; " EXAMPLE,
			    e->value);
		return;
	}
	for (size_t len = strlen(left); len > 0 && strchr(" \t", left[len - 1]); len--)
		left[len - 1] = '\0';
	right += strlen(op);
	right += strspn(right, " \t");
	strbuf_printf(&text, "%s %s ", left, op);
	limit_good = check_limit(b, e, right, &text); // both, to report all faults
	if (!check_metric(b, e, left) || !limit_good)
		return;
	p->accepts = mem_grow(p->accepts, p->n_accepts + 1, sizeof(*p->accepts));
	build_origin(b, "accept", "", strbuf_str(&text), e);
	p->accepts[p->n_accepts++] =
		(struct plan_accept){ .text = strbuf_take(&text), .line = e->line };
}

void build_accepts(const struct build *b)
{
	const struct raw_section *s = raw_find(b->raw, "accept", NULL);

	for (size_t i = 0; s && i < s->n; i++)
		build_accept(b, &s->entries[i]);
}
