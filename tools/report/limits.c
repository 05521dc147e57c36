// SPDX-License-Identifier: GPL-3.0-or-later
// What a campaign's numbers do and do not support. One function is one rule.
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "report/arms.h"
#include "report/limits.h"
#include "report/samples.h"
#include "report/text-private.h"
#include "result/outcome.h"

// A single run of a disk benchmark wanders by some percent even on a quiet machine.
#define NOISE_LEAST 5.0 // percent

// Names of layers whose work is done by threads of the kernel, and one whose is not.
static const char *const kernel_layers[] = { "dm-crypt", "dmcrypt", "truecrypt", "luks",
					     "md ",      "raid",    NULL };
static const char *const caller_layers[] = { "ecryptfs", NULL };

struct campaign_view {
	const struct json_object *result;
	const struct delta_list *pairs;
	size_t n;
	double noise; // percent; what a difference must exceed to be thought of
	struct json_object *does, *does_not;
};

static void add(struct json_object *to, const char *fmt, ...) _printf_(2, 3);

static void add(struct json_object *to, const char *fmt, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = mem_vprintf(fmt, ap);
	va_end(ap);
	json_append_str(to, text);
}

static void rule_one_run(struct campaign_view *v)
{
	const struct json_object *runs = json_get(v->result, "runs");
	const char *shown = "";
	size_t single = 0;

	for (size_t i = 0; i < v->n; i++)
		single += v->pairs[i].n > 0 && v->pairs[i].items[0].one_run;
	for (size_t i = 0; i < text_length(runs); i++) {
		const struct json_object *detail = json_get(text_item(runs, i), "detail");

		if (strstr(text_str(detail, "published_run"), " of ") &&
		    strcmp(text_str(detail, "published_run"), "1 of 1") != 0)
			shown = text_str(detail, "published_run");
	}
	if (single)
		add(v->does_not,
		    "that any difference is real: n = 1, one run per arm, so nothing "
		    "says how far a second run would have been from the first%s%s%s",
		    *shown ? " (the run shown is the " : "", shown,
		    *shown ? "; the others, which would have told, are not)" : "");
}

static void rule_several(struct campaign_view *v)
{
	for (size_t i = 0; i < v->n; i++) {
		const struct delta_list *p = &v->pairs[i];
		const struct delta *sized = NULL;

		for (size_t k = 0; k < p->n; k++)
			sized = p->items[k].file_size ? &p->items[k] : sized;
		if (p->n_differ > 1)
			add(v->does_not,
			    "what each part of %s against %s costs: %u things changed "
			    "at once (%s)",
			    p->b.arm, p->a.arm, p->n_differ, p->differs);
		if (sized)
			add(v->does_not,
			    "%s against %s at equal work: the file had %s in one and %s "
			    "in the other",
			    p->b.arm, p->a.arm, sized->b_size, sized->a_size);
	}
}

static const struct json_object *arm_at(const struct campaign_view *v, size_t i)
{
	return text_item(json_get(json_get(v->result, "plan"), "arms"), i);
}

static size_t arm_count(const struct campaign_view *v)
{
	return text_length(json_get(json_get(v->result, "plan"), "arms"));
}

// hdparm on the disk below the stack: the same disk in every arm.
static void rule_raw_disk(struct campaign_view *v)
{
	double low = INFINITY, high = 0, sum = 0, squares = 0;
	size_t n = 0, stacks = 0;

	for (size_t i = 0; i < arm_count(v); i++) {
		struct samples s;

		samples_collect(&s, v->result, "hdparm", text_str(arm_at(v, i), "name"),
				"disk_buffered");
		for (size_t k = 0; k < s.n; k++) {
			low = fmin(low, s.values[k]);
			high = fmax(high, s.values[k]);
			sum += s.values[k];
			squares += s.values[k] * s.values[k];
			n++;
		}
		stacks += s.n > 0 && arm_compare(arm_at(v, 0), arm_at(v, i), NULL).layers;
		samples_done(&s);
	}
	if (n < 2 || sum <= 0 || !stacks)
		return;
	add(v->does_not,
	    "anything about a layer from hdparm's figures: it read the raw disk in all "
	    "%zu "
	    "runs, below whatever the arm put on it",
	    n);
	add(v->does,
	    "a look at the noise: hdparm measured the same raw disk %zu times and got "
	    "%.2f to %.2f MiB/s, a coefficient of variation of %.1f %%",
	    n, low / 1048576, high / 1048576,
	    100 * sqrt(fmax(0, (squares - sum * sum / (double)n) / (double)(n - 1))) /
		    (sum / (double)n));
}

static bool has_cpu_column(const struct campaign_view *v)
{
	const struct json_object *runs = json_get(v->result, "runs");
	bool found = false;

	for (size_t i = 0; i < text_length(runs) && !found; i++) {
		struct metric_list m = { 0 };

		metric_parse(&m, json_get(text_item(runs, i), "metrics"));
		found = metric_find(&m, "put_block_cpu") ||
			metric_find(&m, "get_block_cpu");
		metric_list_done(&m);
	}
	return found;
}

// bonnie++ counts its own process only.
static void rule_cpu(struct campaign_view *v)
{
	_cleanup_strbuf_ struct strbuf in_kernel = { 0 }, in_caller = { 0 };

	for (size_t i = 0; i < arm_count(v); i++) {
		arm_layers_like(arm_at(v, i), kernel_layers, &in_kernel);
		arm_layers_like(arm_at(v, i), caller_layers, &in_caller);
	}
	if (in_kernel.len == 0 || !has_cpu_column(v))
		return;
	add(v->does_not,
	    "what %s costs in CPU: bonnie++'s %%CP is its own process alone, and that "
	    "work is done by threads of the kernel, which it does not see%s%s%s",
	    in_kernel.data, in_caller.len ? "; " : "", strbuf_str(&in_caller),
	    in_caller.len ? " works in the caller's name and is seen, so the two cannot "
			    "be compared in it"
			  : "");
}

static const struct delta *find_delta(const struct delta_list *p, const struct delta *as)
{
	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->items[i].test, as->test) == 0 &&
		    strcmp(p->items[i].metric, as->metric) == 0)
			return &p->items[i];
	return NULL;
}

static bool is_exact(const struct delta *d)
{
	return d->has_ratio && d->bound == BOUND_EXACT && d->time_factor > 0;
}

// The same change made twice, on two stacks, should cost the same twice.
static void rule_inconsistent(struct campaign_view *v)
{
	const struct delta *one = NULL, *other = NULL;
	const struct delta_list *in = NULL;
	double worst = log1p(NOISE_LEAST / 100);

	for (size_t i = 0; i < v->n; i++)
		for (size_t j = i + 1; j < v->n; j++) {
			const struct delta_list *p = &v->pairs[i], *q = &v->pairs[j];

			for (size_t k = 0; k < p->n && *p->differs &&
					   strcmp(p->differs, q->differs) == 0;
			     k++) {
				const struct delta *a = &p->items[k];
				const struct delta *b = find_delta(q, a);
				double far = b && is_exact(a) && is_exact(b)
						     ? fabs(log(a->time_factor /
								b->time_factor))
						     : 0;

				if (far > worst)
					worst = far, one = a, other = b, in = p;
			}
		}
	v->noise = fmax(v->noise, 100 * expm1(worst));
	if (one)
		add(v->does_not,
		    "differences of up to %.0f %%: the same change (%s) made %s take "
		    "%.2f "
		    "times the time on one stack and %.2f on another",
		    ceil(100 * expm1(worst)), in->differs, one->metric, one->time_factor,
		    other->time_factor);
}

// A layer that was only added cannot make anything faster: what looks like it is noise,
// and the least of how much there is.
static void rule_impossible_gain(struct campaign_view *v)
{
	const struct delta *most = NULL;
	const struct delta_list *in = NULL;

	for (size_t i = 0; i < v->n; i++)
		for (size_t k = 0; v->pairs[i].only_added && k < v->pairs[i].n; k++) {
			const struct delta *d = &v->pairs[i].items[k];

			if (is_exact(d) && !d->file_size && d->time_factor < 1 &&
			    (!most || d->time_factor < most->time_factor))
				most = d, in = &v->pairs[i];
		}
	if (!most || 100 * (1 / most->time_factor - 1) < 1)
		return;
	v->noise = fmax(v->noise, 100 * (1 / most->time_factor - 1));
	add(v->does_not,
	    "differences of up to %.0f %%: %s with %s came out %.1f %% faster in %s than "
	    "without, which a layer more cannot do, so that much is noise",
	    ceil(v->noise), in->b.arm, in->differs, 100 * (1 / most->time_factor - 1),
	    most->metric);
}

static void rule_bounds(struct campaign_view *v)
{
	for (size_t i = 0; i < v->n; i++)
		for (size_t k = 0; k < v->pairs[i].n; k++) {
			const struct delta *d = &v->pairs[i].items[k];

			if (d->has_ratio && d->bound == BOUND_AT_MOST &&
			    d->time_factor >= 2)
				add(v->does,
				    "%s: %s takes at least %.1f times the time of %s, "
				    "whose %s was too fast to be timed",
				    d->metric, v->pairs[i].b.arm, d->time_factor,
				    v->pairs[i].a.arm, d->metric);
		}
}

// Of single runs only what is far beyond the noise; and then the direction, not the size.
static void rule_far_beyond(struct campaign_view *v)
{
	for (size_t i = 0; i < v->n; i++) {
		_cleanup_strbuf_ struct strbuf names = { 0 };
		const struct delta_list *p = &v->pairs[i];

		for (size_t k = 0; k < p->n; k++) {
			const struct delta *d = &p->items[k];
			double far =
				100 * fabs(log(d->time_factor > 0 ? d->time_factor : 1));

			if (d->has_ratio && d->bound == BOUND_EXACT && !d->file_size &&
			    far > 3 * v->noise)
				strbuf_printf(&names, "%s%s x%.2f", names.len ? ", " : "",
					      d->metric, d->time_factor);
		}
		if (names.len)
			add(v->does,
			    "the direction, not the size, of what is far beyond that "
			    "noise, %s against %s (its time as a multiple): %s",
			    p->b.arm, p->a.arm, names.data);
	}
}

static void rule_claims(struct campaign_view *v)
{
	const struct json_object *claims =
		json_get(json_get(v->result, "plan"), "claims");

	for (size_t i = 0; i < text_length(claims); i++) {
		const struct json_object *c = text_item(claims, i);
		bool told = false;

		for (size_t k = 0; k < i && !told; k++)
			told = strcmp(text_str(text_item(claims, k), "note"),
				      text_str(c, "note")) == 0;
		if (told)
			continue;
		add(v->does_not, "%s of %s = %s %s and its like, numbers in prose%s%s",
		    text_str(c, "what"), text_str(c, "arm"), text_str(c, "value"),
		    text_str(c, "unit"), *text_str(c, "note") ? ": " : "",
		    text_str(c, "note"));
	}
}

void limits_find(const struct json_object *result, const struct delta_list *pairs,
		 size_t n, struct json_object *does, struct json_object *does_not)
{
	static void (*const rules[])(struct campaign_view *) = {
		rule_one_run, rule_several,      rule_raw_disk,
		rule_cpu,     rule_inconsistent, rule_impossible_gain,
		rule_bounds,  rule_far_beyond,   rule_claims,
	};
	struct campaign_view v = { .result = result,
				   .pairs = pairs,
				   .n = n,
				   .noise = NOISE_LEAST,
				   .does = does,
				   .does_not = does_not };

	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		rules[i](&v);
}
