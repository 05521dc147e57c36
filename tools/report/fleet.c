// SPDX-License-Identifier: GPL-3.0-or-later
// Many campaigns: what is kept of each.
#include <math.h>
#include <string.h>

#include "common/crc32.h"
#include "common/mem.h"
#include "report/fleet-private.h"
#include "report/text-private.h"
#include "result/comparison.h"
#include "result/stats.h"

#define SLOTS_FIRST 1024
#define RUNS_MAX    512 // values of one metric of one arm; more are left out

struct fleet *fleet_new(void)
{
	struct fleet *f = mem_new(1, sizeof(*f));

	f->n_slots = SLOTS_FIRST;
	f->slots = mem_new(f->n_slots, sizeof(*f->slots));
	return f;
}

static uint32_t find_group(struct fleet *f, char *name)
{
	// campaigns of one plan come together, so the last is tried first
	for (size_t i = f->n_groups; i-- > 0;)
		if (strcmp(f->groups[i], name) == 0) {
			free(name);
			return (uint32_t)i;
		}
	f->groups = mem_grow(f->groups, f->n_groups + 1, sizeof(*f->groups));
	f->groups[f->n_groups] = name;
	return (uint32_t)f->n_groups++;
}

// The model of the disk that the plan names, else of the first.
static const char *disk_model(const struct json_object *result)
{
	const struct json_object *devices = json_get(result, "devices");
	const struct json_object *targets = json_get(json_get(result, "plan"), "targets");
	struct json_object *first = text_item(targets, 0);
	const char *target = first ? json_object_get_string(first) : "";
	const char *colon = strchr(target, ':'), *model = "";

	for (size_t i = text_length(devices); i-- > 0;) {
		const struct json_object *d = text_item(devices, i);

		if (strcmp(text_str(d, "kind"), "disk") != 0)
			continue;
		model = text_str(d, "model");
		if (colon && (strcmp(text_str(d, "serial"), colon + 1) == 0 ||
			      strcmp(text_str(d, "wwn"), colon + 1) == 0))
			return model;
	}
	return model;
}

static uint32_t hash(uint32_t group, const char *arm, const char *test,
		     const char *metric)
{
	uint32_t h = crc32_add(group, arm, strlen(arm) + 1);

	h = crc32_add(h, test, strlen(test) + 1);
	return crc32_add(h, metric, strlen(metric) + 1);
}

static size_t find_slot(const struct fleet *f, uint32_t group, const char *arm,
			const char *test, const char *metric)
{
	size_t i = hash(group, arm, test, metric) % f->n_slots;

	for (; f->slots[i]; i = (i + 1) % f->n_slots) {
		const struct fleet_key *k = &f->keys[f->slots[i] - 1];

		if (k->group == group && strcmp(k->metric, metric) == 0 &&
		    strcmp(k->arm, arm) == 0 && strcmp(k->test, test) == 0)
			break;
	}
	return i;
}

static void more_slots(struct fleet *f)
{
	free(f->slots);
	f->n_slots *= 2;
	f->slots = mem_new(f->n_slots, sizeof(*f->slots));
	for (size_t i = 0; i < f->n_keys; i++) {
		const struct fleet_key *k = &f->keys[i];

		f->slots[find_slot(f, k->group, k->arm, k->test, k->metric)] =
			(uint32_t)i + 1;
	}
}

static struct fleet_key *find_key(struct fleet *f, uint32_t group, const char *arm,
				  const char *test, const struct metric *m)
{
	size_t slot = find_slot(f, group, arm, test, m->name);
	struct fleet_key *k;

	if (f->slots[slot])
		return &f->keys[f->slots[slot] - 1];
	if (f->n_keys * 2 > f->n_slots) {
		more_slots(f);
		slot = find_slot(f, group, arm, test, m->name);
	}
	f->keys = mem_grow(f->keys, f->n_keys + 1, sizeof(*f->keys));
	k = &f->keys[f->n_keys++];
	*k = (struct fleet_key){ .group = group,
				 .arm = mem_strdup(arm),
				 .test = mem_strdup(test),
				 .metric = mem_strdup(m->name),
				 .unit = m->unit,
				 .better = m->better };
	f->slots[slot] = (uint32_t)f->n_keys;
	return k;
}

// The values of one key in the campaign that is being read.
struct gathered {
	uint32_t key;
	size_t n;
	double v[RUNS_MAX];
};

struct gathering {
	struct gathered **items; // by key, while one document is read
	size_t n;
};

static void gather(struct fleet *f, struct gathering *g, uint32_t group,
		   const struct json_object *run)
{
	const char *arm = text_str(run, "arm"), *test = text_str(run, "test");
	struct metric_list list = { 0 };

	metric_parse(&list, json_get(run, "metrics"));
	for (size_t i = 0; i < list.n; i++) {
		const struct metric *m = &list.items[i];
		uint32_t key;

		if (m->better == BETTER_NEITHER || m->bound != BOUND_EXACT ||
		    !(m->value > 0))
			continue;
		key = (uint32_t)(find_key(f, group, arm, test, m) - f->keys);
		if (key >= g->n) {
			g->items = mem_grow(g->items, key + 1, sizeof(void *));
			while (g->n <= key)
				g->items[g->n++] = NULL;
		}
		if (!g->items[key])
			g->items[key] = mem_new(1, sizeof(**g->items));
		if (g->items[key]->n < RUNS_MAX)
			g->items[key]->v[g->items[key]->n++] = m->value;
	}
	metric_list_done(&list);
}

static void keep(struct fleet *f, uint32_t key, struct gathered *g, uint32_t campaign)
{
	struct fleet_key *k = &f->keys[key];
	struct fleet_value v = { .campaign = campaign, .n = (uint32_t)g->n };

	stats_sort(g->v, g->n);
	v.median = (float)stats_median(g->v, g->n);
	for (size_t i = 0; i < g->n; i++)
		g->v[i] = log(g->v[i]);
	v.sd = (float)stats_summarise(g->v, g->n).sd;
	if (k->n == k->room) {
		k->room = k->room ? k->room + k->room / 2 : 16;
		k->values = mem_grow(k->values, k->room, sizeof(*k->values));
	}
	k->values[k->n++] = v;
}

// Adds the campaign without its values.
static uint32_t add_campaign(struct fleet *f, const char *path,
			     const struct json_object *result, bool baseline)
{
	const char *why = text_str(result, "why");
	struct fleet_campaign *c;

	if (f->n == f->campaigns_room) {
		f->campaigns_room = f->n ? f->n * 2 : 64;
		f->campaigns =
			mem_grow(f->campaigns, f->campaigns_room, sizeof(*f->campaigns));
	}
	c = &f->campaigns[f->n++];
	*c = (struct fleet_campaign){
		.machine = mem_strdup(text_str(result, "machine_id")),
		.path = mem_strdup(path),
		.when = mem_strdup(*text_str(result, "path") ? text_str(result, "path")
							     : path),
		.why = *why ? mem_strdup(why) : NULL,
		.group = find_group(f, mem_printf("%s, %s", text_str(result, "plan_name"),
						  disk_model(result))),
		.verdict = outcome_parse(json_get_str(result, "verdict")),
		.baseline = baseline,
		.worst = FLEET_NONE,
	};
	return (uint32_t)f->n - 1;
}

void fleet_take(struct fleet *f, const char *path, const struct json_object *result,
		bool baseline)
{
	const struct json_object *runs = json_get(result, "runs");
	uint32_t campaign = add_campaign(f, path, result, baseline);
	struct gathering g = { 0 };

	for (size_t i = 0; i < text_length(runs); i++)
		if (comparison_counts(text_item(runs, i)))
			gather(f, &g, f->campaigns[campaign].group, text_item(runs, i));
	for (size_t i = 0; i < g.n; i++) {
		if (g.items[i])
			keep(f, (uint32_t)i, g.items[i], campaign);
		free(g.items[i]);
	}
	free(g.items);
}

size_t fleet_campaigns(const struct fleet *f)
{
	return f->n;
}

void fleet_free(struct fleet *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->n; i++) {
		free(f->campaigns[i].machine);
		free(f->campaigns[i].path);
		free(f->campaigns[i].when);
		free(f->campaigns[i].why);
	}
	for (size_t i = 0; i < f->n_keys; i++) {
		free(f->keys[i].arm);
		free(f->keys[i].test);
		free(f->keys[i].metric);
		free(f->keys[i].values);
	}
	for (size_t i = 0; i < f->n_groups; i++)
		free(f->groups[i]);
	free(f->campaigns);
	free(f->keys);
	free(f->groups);
	free(f->slots);
	free(f->far);
	free(f->changed);
	free(f);
}
