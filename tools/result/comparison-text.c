// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison as a sentence for a person.
#include <math.h>
#include <string.h>

#include "result/comparison.h"

// "12", "3", "0.84": two digits say enough of a percentage, whole ones from 10 on.
static void add_number(struct strbuf *to, double v)
{
	if (fabs(v) < 0.005)
		strbuf_puts(to, "0");
	else
		strbuf_printf(to, fabs(v) < 9.5 ? "%.2g" : "%.0f", v);
}

static bool is_speed(const char *unit)
{
	size_t len = strlen(unit);

	return strcmp(unit, "s") == 0 || (len > 2 && strcmp(unit + len - 2, "/s") == 0);
}

static const char *word(const struct comparison *c)
{
	bool up = c->change > 0;

	if (!is_speed(c->unit))
		return up ? "more" : "less";
	return c->verdict == COMPARISON_SLOWER ? "slower" : "faster";
}

static void add_interval(const struct comparison *c, struct strbuf *to, bool as_size)
{
	double low = c->low, high = c->high;

	if (as_size && c->change < 0) {
		low = -c->high;
		high = -c->low;
	}
	strbuf_puts(to, "95 % CI ");
	add_number(to, low);
	strbuf_puts(to, " to ");
	add_number(to, high);
	strbuf_printf(to, " %%, %u blocks", c->blocks);
}

static void add_floor(const struct comparison *c, struct strbuf *to)
{
	if (isnan(c->noise_floor) || c->null)
		return;
	strbuf_puts(to, "; noise floor ");
	add_number(to, c->noise_floor);
	strbuf_puts(to, " %");
}

static void add_difference(const struct comparison *c, struct strbuf *to)
{
	double factor = c->better == BETTER_HIGHER ? 1 / c->ratio : c->ratio;

	strbuf_printf(to, "%s is %s", c->b, c->bound != BOUND_EXACT ? "at least " : "");
	add_number(to, fabs(c->change));
	strbuf_printf(to, " %% %s than %s in %s.%s (", word(c), c->a, c->test, c->metric);
	add_interval(c, to, true);
	strbuf_puts(to, ")");
	if (is_speed(c->unit))
		strbuf_printf(to, ", %s%.2f times the time",
			      c->bound == BOUND_EXACT           ? ""
			      : c->verdict == COMPARISON_SLOWER ? "at least "
								: "at most ",
			      factor);
}

static void add_undecided(const struct comparison *c, struct strbuf *to)
{
	strbuf_printf(to, "%s and %s: no finding in %s.%s: %s", c->b, c->a, c->test,
		      c->metric, c->reason ? c->reason : "");
	if (isfinite(c->change)) {
		strbuf_puts(to, " (change ");
		add_number(to, c->change);
		strbuf_puts(to, " %");
		if (isfinite(c->low)) {
			strbuf_puts(to, ", ");
			add_interval(c, to, false);
		}
		strbuf_puts(to, ")");
	}
	if (isfinite(c->detectable)) {
		strbuf_puts(to, "; ");
		add_number(to, c->detectable);
		strbuf_puts(to, " % would have been found");
	}
	if (c->need > c->blocks) {
		strbuf_printf(to, "; about %u blocks would decide about ", c->need);
		add_number(to, c->margin);
		strbuf_puts(to, " %");
	}
}

static void add_equal(const struct comparison *c, struct strbuf *to)
{
	strbuf_printf(to, "%s equals %s within ", c->b, c->a);
	add_number(to, c->margin);
	strbuf_printf(to, " %% in %s.%s (change ", c->test, c->metric);
	add_number(to, c->change);
	strbuf_puts(to, " %, ");
	add_interval(c, to, false);
	strbuf_puts(to, ")");
}

void comparison_sentence(const struct comparison *c, struct strbuf *to)
{
	switch (c->verdict) {
	case COMPARISON_SLOWER:
	case COMPARISON_FASTER:
		add_difference(c, to);
		break;
	case COMPARISON_EQUIVALENT:
		add_equal(c, to);
		break;
	case COMPARISON_NOT_COMPARABLE:
		strbuf_printf(to, "%s and %s cannot be compared in %s.%s: %s", c->b, c->a,
			      c->test, c->metric, c->reason ? c->reason : "");
		return;
	default:
		add_undecided(c, to);
		break;
	}
	add_floor(c, to);
	if (c->outliers)
		strbuf_printf(to, "; %u outlier%s", c->outliers,
			      c->outliers == 1 ? "" : "s");
}
