// SPDX-License-Identifier: GPL-3.0-or-later
// Which campaigns count, how their numbers are distributed, and who is unlike the rest.
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "report/fleet-private.h"
#include "result/stats.h"

// For sorting indices of campaigns without a global.
struct ranked {
	const struct fleet_campaign *c;
	uint32_t index;
};

static int by_machine(const void *va, const void *vb)
{
	const struct ranked *a = va, *b = vb;
	int r = strcmp(a->c->machine, b->c->machine);

	if (r == 0)
		r = (a->c->group > b->c->group) - (a->c->group < b->c->group);
	if (r == 0)
		r = a->c->baseline - b->c->baseline;
	if (r == 0)
		r = strcmp(a->c->when, b->c->when);
	return r ? r : (a->index > b->index) - (a->index < b->index);
}

static bool same_machine(const struct fleet_campaign *a, const struct fleet_campaign *b)
{
	return a->group == b->group && strcmp(a->machine, b->machine) == 0;
}

// Of several campaigns of a machine with one plan the last counts; `baseline_of` says
// for each campaign which one of the baseline it is compared with.
static void rank(struct fleet *f, uint32_t *baseline_of)
{
	_cleanup_free_ struct ranked *r = mem_new(f->n + 1, sizeof(*r));
	uint32_t last = FLEET_NONE;

	for (size_t i = 0; i < f->n; i++)
		r[i] = (struct ranked){ &f->campaigns[i], (uint32_t)i };
	qsort(r, f->n, sizeof(*r), by_machine);
	for (size_t i = 0; i + 1 < f->n; i++) {
		struct fleet_campaign *c = &f->campaigns[r[i].index];
		const struct fleet_campaign *next = r[i + 1].c;

		c->replaced = same_machine(c, next) && c->baseline == next->baseline;
		f->twice += c->replaced && strcmp(c->when, next->when) == 0;
	}
	for (size_t i = f->n; i-- > 0;) { // baselines stand behind their machine's others
		const struct fleet_campaign *c = r[i].c;

		if (c->baseline && !c->replaced && c->verdict == OUTCOME_PASSED)
			last = r[i].index;
		baseline_of[r[i].index] =
			!c->baseline && last != FLEET_NONE &&
					same_machine(c, &f->campaigns[last])
				? last
				: FLEET_NONE;
	}
}

static void add_far(struct fleet_far **list, size_t *n, const struct fleet_far *far)
{
	if ((*n & (*n - 1)) == 0) // room for the next power of two
		*list = mem_grow(*list, *n ? *n * 2 : 1, sizeof(**list));
	(*list)[(*n)++] = *far;
}

static struct fleet_far far_of(const struct fleet_key *k, uint32_t key,
			       const struct fleet_value *v, double other)
{
	return (struct fleet_far){
		.campaign = v->campaign,
		.key = key,
		.value = (double)v->median,
		.other = other,
		.change = 100 * ((double)v->median / other - 1),
		.slower = ((double)v->median < other) == (k->better == BETTER_HIGHER),
	};
}

static void judge_outliers(struct fleet *f, uint32_t key, double *logs)
{
	struct fleet_key *k = &f->keys[key];
	double median, spread;
	size_t n = 0;

	for (size_t i = 0; i < k->n; i++)
		if (fleet_counts(&f->campaigns[k->values[i].campaign]))
			logs[n++] = log((double)k->values[i].median);
	k->siblings = n;
	if (n == 0)
		return;
	stats_sort(logs, n);
	median = stats_median(logs, n);
	k->median = exp(median);
	k->low = exp(logs[0]);
	k->high = exp(logs[n - 1]);
	k->p5 = exp(stats_percentile(logs, n, 5));
	k->p95 = exp(stats_percentile(logs, n, 95));
	if (n <= FLEET_SIBLINGS_MIN)
		return;
	spread = fmax(FLEET_FAR * stats_mad(logs, n), log1p(FLEET_FAR_PERCENT / 100));
	for (size_t i = 0; i < k->n; i++) {
		const struct fleet_value *v = &k->values[i];
		struct fleet_far far = far_of(k, key, v, k->median);

		if (fleet_counts(&f->campaigns[v->campaign]) &&
		    fabs(log((double)v->median) - median) > spread)
			add_far(&f->far, &f->n_far, &far);
	}
}

// More than 5 %, and more than four standard errors where both ran more than once.
static bool has_changed(const struct fleet_value *now, const struct fleet_value *then)
{
	double change = fabs(log((double)now->median / (double)then->median));
	double error = sqrt((double)now->sd * (double)now->sd / now->n +
			    (double)then->sd * (double)then->sd / then->n);

	return change > log1p(FLEET_FAR_PERCENT / 100) && change > 4 * error;
}

static void judge_changes(struct fleet *f, uint32_t key, const uint32_t *baseline_of,
			  const struct fleet_value **of_campaign)
{
	const struct fleet_key *k = &f->keys[key];

	for (size_t i = 0; i < k->n; i++)
		of_campaign[k->values[i].campaign] = &k->values[i];
	for (size_t i = 0; i < k->n; i++) {
		const struct fleet_value *v = &k->values[i];
		uint32_t base = baseline_of[v->campaign];
		const struct fleet_value *then =
			base == FLEET_NONE ? NULL : of_campaign[base];
		struct fleet_far far;

		if (!then || !fleet_counts(&f->campaigns[v->campaign]))
			continue;
		f->compared++;
		if (!has_changed(v, then))
			continue;
		far = far_of(k, key, v, (double)then->median);
		add_far(&f->changed, &f->n_changed, &far);
	}
	for (size_t i = 0; i < k->n; i++)
		of_campaign[k->values[i].campaign] = NULL;
}

static int by_size(const void *va, const void *vb)
{
	const struct fleet_far *a = va, *b = vb;
	double fa = fabs(log(a->value / a->other)), fb = fabs(log(b->value / b->other));

	if (fa != fb)
		return fa > fb ? -1 : 1;
	if (a->campaign != b->campaign)
		return a->campaign < b->campaign ? -1 : 1;
	return (a->key > b->key) - (a->key < b->key);
}

void fleet_judge(struct fleet *f)
{
	_cleanup_free_ uint32_t *baseline_of = mem_new(f->n + 1, sizeof(*baseline_of));
	_cleanup_free_ double *logs = mem_new(f->n + 1, sizeof(*logs));
	_cleanup_free_ const struct fleet_value **of_campaign =
		mem_new(f->n + 1, sizeof(void *));

	rank(f, baseline_of);
	for (size_t i = 0; i < f->n_keys; i++) {
		judge_outliers(f, (uint32_t)i, logs);
		judge_changes(f, (uint32_t)i, baseline_of, of_campaign);
	}
	if (f->n_far)
		qsort(f->far, f->n_far, sizeof(*f->far), by_size);
	if (f->n_changed)
		qsort(f->changed, f->n_changed, sizeof(*f->changed), by_size);
	for (size_t i = f->n_far; i-- > 0;)
		f->campaigns[f->far[i].campaign].worst = (uint32_t)i;
}
