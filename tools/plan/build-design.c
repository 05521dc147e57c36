// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of [plan] that say how the experiment is designed: blocks, warm-up, null arm,
// margin, when to stop.
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "plan/build.h"

#define BLOCKS_MAX  1000
#define REPEATS_MAX 100

// What the plan says itself about that key, or NULL.
static const struct raw_entry *said(const struct build *b, const char *key)
{
	const struct raw_section *s = raw_find(b->raw, "plan", NULL);

	return s ? raw_find_entry(s, key) : NULL;
}

static bool count_of(const struct build *b, const struct raw_entry *e, uint64_t min,
		     uint64_t max, unsigned *ret)
{
	uint64_t v = 0;

	if (number_uint(e->value, &v) < 0 || v < min || v > max) {
		build_fault(b, e, "\"%s\" is not a whole number from %d to %d", e->value,
			    (int)min, (int)max);
		return false;
	}
	*ret = (unsigned)v;
	return true;
}

// "3%", "3 %" or "3": percent, more than 0 and less than 100.
static bool percent_of(const struct build *b, const struct raw_entry *e, double *ret)
{
	size_t len = strlen(e->value);
	_cleanup_free_ char *number = NULL;
	double v;

	len -= len > 0 && e->value[len - 1] == '%';
	while (len > 0 && e->value[len - 1] == ' ')
		len--;
	number = mem_strndup(e->value, len);
	if (number_double(number, &v) < 0 || v <= 0 || v >= 100) {
		build_fault(b, e, "\"%s\" is not a percentage such as 3%%", e->value);
		return false;
	}
	*ret = v;
	return true;
}

void build_set_blocks(const struct build *b, void *to, const struct raw_entry *e)
{
	struct plan *p = to;

	count_of(b, e, 1, BLOCKS_MAX, &p->blocks);
	p->blocks_min = p->blocks;
}

void build_set_blocks_min(const struct build *b, void *to, const struct raw_entry *e)
{
	struct plan *p = to;

	if (count_of(b, e, PLAN_BLOCKS_FINDING, BLOCKS_MAX, &p->blocks_min) &&
	    p->blocks_min > p->blocks)
		build_fault(b, e, "%u is more than blocks = %u", p->blocks_min,
			    p->blocks);
}

void build_set_precision(const struct build *b, void *to, const struct raw_entry *e)
{
	struct plan *p = to;

	if (strcmp(e->value, "none") == 0 || !percent_of(b, e, &p->precision))
		return;
	if (p->blocks < PLAN_BLOCKS_FINDING)
		build_fault(b, e, "needs blocks = %d or more", PLAN_BLOCKS_FINDING);
	else if (!said(b, "blocks-min"))
		p->blocks_min = PLAN_BLOCKS_FINDING;
}

void build_set_margin(const struct build *b, void *to, const struct raw_entry *e)
{
	percent_of(b, e, &((struct plan *)to)->margin);
}

void build_set_repeats(const struct build *b, void *to, const struct raw_entry *e)
{
	count_of(b, e, 0, REPEATS_MAX, &((struct plan *)to)->repeats);
}

static bool yes(const struct build *b, const struct raw_entry *e)
{
	int is = number_bool(e->value);

	if (is < 0)
		build_fault(b, e, "\"%s\" is not yes or no", e->value);
	return is == 1;
}

void build_set_null(const struct build *b, void *to, const struct raw_entry *e)
{
	((struct plan *)to)->null_arm = yes(b, e);
}

void build_set_precondition(const struct build *b, void *to, const struct raw_entry *e)
{
	((struct plan *)to)->precondition = yes(b, e);
}

void build_set_baseline(const struct build *b, void *to, const struct raw_entry *e)
{
	struct plan *p = to;

	if (!build_below_stick(e->value))
		build_fault(b, e, BUILD_BELOW_STICK, e->value);
	free(p->baseline);
	p->baseline = mem_strdup(e->value);
}

void build_set_warm_up(const struct build *b, void *to, const struct raw_entry *e)
{
	struct plan *p = to;

	p->warm_up = strcmp(e->value, "auto") == 0 ? p->blocks >= PLAN_BLOCKS_FINDING
						   : yes(b, e);
}

static void check_precondition(const struct build *b)
{
	const struct raw_entry *e = said(b, "precondition");

	for (size_t i = 0; b->plan->precondition && i < b->plan->n_arms; i++)
		if (b->plan->arms[i].open) {
			build_fault(b, e,
				    "overwrites the whole disk, and [arm %s] opens what "
				    "is on it",
				    b->plan->arms[i].name);
			return;
		}
}

// The first arm under a second name, so that what differs between the two is noise.
static void add_null_arm(const struct build *b)
{
	struct plan *p = b->plan;
	_cleanup_free_ char *name = NULL, *stack = NULL;
	const struct raw_entry *e = said(b, "null");
	struct plan_arm *arm;

	name = mem_printf("%s-null", p->arms[0].name);
	for (size_t i = 0; i < p->n_arms; i++)
		if (strcmp(p->arms[i].name, name) == 0)
			build_fault(b, e, "there is an arm %s already; rename it", name);
	if (!raw_name_valid(name))
		build_fault(b, e,
			    "the arm %s would have the name %s, which is too long; give "
			    "it a shorter one",
			    p->arms[0].name, name);
	p->arms = mem_grow(p->arms, p->n_arms + 1, sizeof(*p->arms));
	arm = &p->arms[p->n_arms++];
	*arm = (struct plan_arm){ .name = TAKE_PTR(name),
				  .line = p->arms[0].line,
				  .open = p->arms[0].open,
				  .scratch = p->arms[0].scratch,
				  .key_file = mem_strdup(p->arms[0].key_file),
				  .null = true };
	stack = plan_stack_text(p->arms[0].layers, p->arms[0].n);
	if (b->faults->n == 0) // else its faults would be told twice
		plan_parse_stack(arm, stack, p->file, arm->line, b->faults);
}

void build_design(const struct build *b)
{
	check_precondition(b);
	if (b->plan->null_arm && b->plan->n_arms)
		add_null_arm(b);
}
