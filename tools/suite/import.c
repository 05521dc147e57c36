// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that others measured, as campaigns of our own form.
#include <string.h>

#include "common/mem.h"
#include "result/campaign.h"
#include "result/record.h"
#include "suite/import-private.h"

static bool has(const struct import_file *f, const char *word)
{
	return memmem(f->text, f->len, word, strlen(word)) != NULL;
}

static bool is_fio(const struct import_file *f)
{
	return has(f, "\"fio version\"") || has(f, "\"jobs\"");
}

static bool is_published(const struct import_file *f)
{
	const char *end = memchr(f->text, '\n', f->len);
	size_t len = end ? (size_t)(end - f->text) : f->len;

	return memmem(f->text, len, "run_id,", 7) && memmem(f->text, len, ",metric,", 8);
}

static bool is_hdparm(const struct import_file *f)
{
	return has(f, "Timing ") && (has(f, "MB/sec") || has(f, "kB/sec"));
}

static bool is_cryptsetup(const struct import_file *f)
{
	return has(f, "iterations per second") || has(f, "Algorithm |");
}

static bool is_any(const struct import_file *f)
{
	(void)f;
	return true;
}

// An article holds a table and hdparm's lines; a document of fio or a table of published
// numbers is all that its file is.
static const struct {
	bool (*is)(const struct import_file *f);
	void (*read)(struct import_file *f);
	bool alone;
} readers[] = {
	{ is_fio, import_fio, true },
	{ is_published, import_published, true },
	{ is_cryptsetup, import_cryptsetup, false },
	{ is_any, import_bonnie, false },
	{ is_hdparm, import_hdparm, false },
};

struct import_campaign *import_campaign(struct import *im, const char *machine)
{
	struct import_campaign *c;

	for (size_t i = 0; i < im->n; i++)
		if (strcmp(im->items[i].machine, machine) == 0)
			return &im->items[i];
	im->items = mem_grow(im->items, im->n + 1, sizeof(*im->items));
	c = &im->items[im->n++];
	*c = (struct import_campaign){
		.machine = mem_strdup(machine),
		.machine_facts = json_new(),
		.arms = json_new_array(),
		.tests = json_new_array(),
		.runs = json_new_array(),
		.claims = json_new_array(),
		.warnings = json_new_array(),
	};
	return c;
}

static struct json_object *named(struct json_object *array, const char *name)
{
	for (size_t i = 0; i < json_object_array_length(array); i++) {
		struct json_object *o = json_object_array_get_idx(array, i);

		if (strcmp(json_get_str(o, "name"), name) == 0)
			return o;
	}
	return NULL;
}

struct json_object *import_arm(struct import_campaign *c, const char *name)
{
	struct json_object *arm = named(c->arms, name);

	if (arm)
		return arm;
	arm = json_new();
	json_set_str(arm, "name", name);
	json_append(c->arms, arm);
	return arm;
}

static void add_test(struct import_campaign *c, const char *name, const char *engine)
{
	struct json_object *test = named(c->tests, name);

	if (test)
		return;
	test = json_new();
	json_set_str(test, "name", name);
	json_set_str(test, "engine", engine);
	json_append(c->tests, test);
}

// The file's name without folders and ending.
static char *base_name(const char *file)
{
	const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
	const char *dot = strrchr(base, '.');

	return mem_strndup(base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
}

static char *arm_name(const struct import_file *f, const struct import_run *run)
{
	size_t n = f->im->n_arms;

	if (run->arm)
		return mem_strdup(run->arm);
	if (n)
		return mem_strdup(f->im->arms[f->found < n ? f->found : n - 1]);
	return base_name(f->name);
}

// How many runs of this test the arm has already.
static int64_t count_runs(const struct import_campaign *c, const char *arm,
			  const char *test)
{
	int64_t n = 0;

	for (size_t i = 0; i < json_object_array_length(c->runs); i++) {
		struct json_object *run = json_object_array_get_idx(c->runs, i);

		n += strcmp(json_get_str(run, "arm"), arm) == 0 &&
		     strcmp(json_get_str(run, "test"), test) == 0;
	}
	return n;
}

void import_add(struct import_file *f, struct import_run *run)
{
	const char *machine = f->im->machine ? f->im->machine
			      : run->machine ? run->machine
					     : "imported";
	struct import_campaign *c = import_campaign(f->im, machine);
	_cleanup_free_ char *arm = arm_name(f, run);
	_cleanup_free_ char *from = mem_printf("%s:%d", f->name, run->line);
	struct json_object *o = json_new();

	import_arm(c, arm);
	add_test(c, run->test, run->engine);
	json_set_str(o, "kind", "run");
	json_set_int(o, "index", (int64_t)json_object_array_length(c->runs) + 1);
	json_set_int(o, "block", count_runs(c, arm, run->test) + 1);
	json_set_int(o, "order", 1);
	json_set_str(o, "arm", arm);
	json_set_str(o, "test", run->test);
	json_set_str(o, "engine", run->engine);
	json_set_str(o, "outcome", outcome_name(OUTCOME_PASSED));
	json_set_str(o, "why", NULL);
	json_set(o, "metrics", metric_json(&run->metrics));
	json_set(o, "detail", run->detail ? run->detail : json_new());
	json_set_str(o, "from", from);
	json_append(c->runs, o);
	metric_list_done(&run->metrics);
	f->found++;
}

int import_line(const struct import_file *f, size_t pos)
{
	int line = 1;

	for (size_t i = 0; i < pos && i < f->len; i++)
		line += f->text[i] == '\n';
	return line;
}

void import_text(struct import *im, const char *file, const char *text, size_t len)
{
	struct import_file f = { .im = im, .name = file, .text = text, .len = len };
	size_t faults = im->faults.n;

	for (size_t i = 0; i < ARRAY_SIZE(readers); i++) {
		if (!readers[i].is(&f))
			continue;
		readers[i].read(&f);
		if (readers[i].alone)
			break;
	}
	if (f.found == 0 && im->faults.n == faults)
		fault_add(&im->faults, file, 0,
			  "holds nothing that is known here: no CSV line and no table of "
			  "bonnie++, no timing of hdparm, no JSON of fio, no cryptsetup "
			  "benchmark, no table of published numbers");
}

static int64_t most_blocks(const struct import_campaign *c)
{
	int64_t most = 0;

	for (size_t i = 0; i < json_object_array_length(c->runs); i++) {
		int64_t n =
			json_get_int(json_object_array_get_idx(c->runs, i), "block", 0);

		most = n > most ? n : most;
	}
	return most;
}

struct json_object *import_json(const struct import_campaign *c, const char *run_id)
{
	struct campaign campaign;
	struct json_object *o, *started;

	campaign_init(&campaign);
	campaign.machine = json_object_get(c->machine_facts);
	json_set_str(campaign.machine, "id", c->machine);
	campaign.plan = json_new();
	json_set_str(campaign.plan, "name", "imported");
	json_set_bool(campaign.plan, "imported", true);
	json_set_int(campaign.plan, "blocks", most_blocks(c));
	json_set(campaign.plan, "arms", json_object_get(c->arms));
	json_set(campaign.plan, "tests", json_object_get(c->tests));
	json_set(campaign.plan, "claims", json_object_get(c->claims));
	for (size_t i = 0; i < json_object_array_length(c->runs); i++)
		json_append(campaign.runs,
			    json_object_get(json_object_array_get_idx(c->runs, i)));
	for (size_t i = 0; i < json_object_array_length(c->warnings); i++)
		json_append(campaign.warnings,
			    json_object_get(json_object_array_get_idx(c->warnings, i)));
	if (json_object_array_length(c->runs))
		campaign_verdict(&campaign, OUTCOME_PASSED, NULL);
	o = campaign_json(&campaign, NULL);
	campaign_done(&campaign);
	started = json_get(o, "started");
	json_set_str(started, "wall", c->when);
	json_set_str(started, "wall_from", "as published");
	json_set_str(o, "run_id", run_id);
	// runs that were not made in blocks must not be compared as if they were pairs
	json_set(o, "comparisons", json_new_array());
	return o;
}

static void campaign_free(struct import_campaign *c)
{
	free(c->machine);
	free(c->when);
	json_object_put(c->machine_facts);
	json_object_put(c->arms);
	json_object_put(c->tests);
	json_object_put(c->runs);
	json_object_put(c->claims);
	json_object_put(c->warnings);
}

void import_done(struct import *im)
{
	for (size_t i = 0; i < im->n; i++)
		campaign_free(&im->items[i]);
	free(im->items);
	fault_done(&im->faults);
	im->items = NULL;
	im->n = 0;
}
