// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of published numbers, one number a row: configs/published/numbers.csv.
#include <string.h>

#include "common/csv.h"
#include "common/mem.h"
#include "common/number.h"
#include "suite/import-private.h"

#define MIN_TIME 0.5 // seconds; what bonnie++ prints as "+++++" took less
#define KIB      1024.0
#define MIB      1048576.0

// The columns that are looked for by name. Those that must be there come first.
enum column {
	RUN_ID,
	ENGINE,
	METRIC,
	UNIT,
	VALUE,
	REQUIRED, // their number
	CENSORED = REQUIRED,
	BETTER,
	CPU_PCT,
	MACHINE,
	AUTHOR,
	DATE,
	STACK,
	FILE_SIZE,
	NUM_FILES,
	VERSION,
	PUBLISHED_RUN,
	NOTE,
	COLUMNS,
};

static const char *const names[COLUMNS] = {
	"run_id",    "engine",          "metric",         "unit",
	"value",     "censored",        "better",         "cpu_pct",
	"machine",   "author",          "date",           "stack",
	"file_size", "num_files_x1024", "engine_version", "published_run",
	"note",
};

// Facts of an arm that a comparison looks at, and facts of the machine.
static const char *const arm_facts[] = { "bus",    "disk",     "fs",
					 "cipher", "key_bits", "selinux" };
static const char *const machine_facts[] = { "kernel", "cpu", "ram_mib" };

static const struct {
	const char *text, *unit; // as published, and ours
	double factor;
} units[] = {
	{ "KiB/s", "B/s", KIB }, { "MiB/s", "B/s", MIB }, { "MiB", "B", MIB },
	{ "B/s", "B/s", 1 },     { "1/s", "1/s", 1 },     { "files/s", "1/s", 1 },
	{ "s", "s", 1 },
};

// Names of ours for what others call differently.
static const struct {
	const char *theirs, *ours;
} renamed[] = {
	{ "cached_read", "disk_cached" },
	{ "buffered_disk_read", "disk_buffered" },
};

struct sheet {
	struct import_file *f;
	struct csv_row head;
	int at[COLUMNS]; // index of each column; -1: not there
};

// The run being gathered: rows of one run stand together.
struct gathered {
	char *run_id, *engine;
	struct import_run run;
};

static const char *cell(const struct sheet *s, const struct csv_row *row, enum column c)
{
	return s->at[c] >= 0 && (size_t)s->at[c] < row->n ? row->fields[s->at[c]] : "";
}

static const char *cell_named(const struct sheet *s, const struct csv_row *row,
			      const char *name)
{
	for (size_t i = 0; i < s->head.n && i < row->n; i++)
		if (strcmp(s->head.fields[i], name) == 0)
			return row->fields[i];
	return "";
}

static bool read_head(struct sheet *s, struct csv *csv)
{
	struct err err = { 0 };
	bool whole = true;

	if (csv_next(csv, &s->head, &err) < 0) {
		fault_add(&s->f->im->faults, s->f->name, 1, "%s", err.text);
		return false;
	}
	for (size_t c = 0; c < COLUMNS; c++) {
		s->at[c] = -1;
		for (size_t i = 0; i < s->head.n; i++)
			if (strcmp(s->head.fields[i], names[c]) == 0)
				s->at[c] = (int)i;
		if (c < REQUIRED && s->at[c] < 0) {
			fault_add(&s->f->im->faults, s->f->name, 1,
				  "there is no column \"%s\"", names[c]);
			whole = false;
		}
	}
	return whole;
}

static void set_facts(struct json_object *to, const struct sheet *s,
		      const struct csv_row *row, const char *const *keys, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *v = cell_named(s, row, keys[i]);

		if (*v)
			json_set_str(to, keys[i], v);
	}
}

// "disk>part>ext3"
static struct json_object *layers_json(const char *stack)
{
	struct json_object *layers = json_new_array();
	_cleanup_free_ char *copy = mem_strdup(stack);
	char *save = NULL;

	for (char *l = strtok_r(copy, ">", &save); l; l = strtok_r(NULL, ">", &save))
		json_append_str(layers, l);
	return layers;
}

static struct import_campaign *describe(const struct sheet *s, const struct csv_row *row)
{
	const char *machine = cell(s, row, MACHINE), *arm_name = cell(s, row, RUN_ID);
	const char *author = cell(s, row, AUTHOR), *date = cell(s, row, DATE);
	struct import_campaign *c;
	struct json_object *arm, *facts;

	if (s->f->im->machine)
		machine = s->f->im->machine;
	c = import_campaign(s->f->im, *machine ? machine : "unnamed");
	arm = import_arm(c, arm_name);
	if (json_get(arm, "layers"))
		return c;
	if (!c->when && *date)
		c->when = mem_strdup(date);
	set_facts(c->machine_facts, s, row, machine_facts, ARRAY_SIZE(machine_facts));
	if (*author)
		json_set_str(c->machine_facts, "published_by", author);
	facts = json_new();
	set_facts(facts, s, row, arm_facts, ARRAY_SIZE(arm_facts));
	json_set_str(arm, "stack", cell(s, row, STACK));
	json_set(arm, "layers", layers_json(cell(s, row, STACK)));
	json_set(arm, "facts", facts);
	return c;
}

// A number quoted in prose, or in a unit that is none of ours, measures nothing.
static void add_claim(const struct sheet *s, const struct csv_row *row)
{
	struct import_campaign *c = describe(s, row);
	struct json_object *o = json_new();

	json_set_str(o, "arm", cell(s, row, RUN_ID));
	json_set_str(o, "what", cell(s, row, METRIC));
	json_set_str(o, "value", cell(s, row, VALUE));
	json_set_str(o, "unit", cell(s, row, UNIT));
	json_set_str(o, "note", cell(s, row, NOTE));
	json_append(c->claims, o);
	s->f->found++;
}

// The least rate that "+++++" stands for; -1 when the amount is not known.
static double bound_of(const struct sheet *s, const struct csv_row *row, bool files)
{
	uint64_t n;

	if (files)
		return number_uint(cell(s, row, NUM_FILES), &n) < 0
			       ? -1
			       : (double)n * 1024 / MIN_TIME;
	return number_size(cell(s, row, FILE_SIZE), &n) < 0 ? -1 : (double)n / MIN_TIME;
}

static void add_value(const struct sheet *s, const struct csv_row *row,
		      struct metric_list *to)
{
	const char *text = cell(s, row, VALUE), *name = cell(s, row, METRIC);
	const char *cpu = cell(s, row, CPU_PCT), *better = cell(s, row, BETTER);
	bool censored = strcmp(cell(s, row, CENSORED), "1") == 0;
	size_t u = 0;
	double v;

	while (u < ARRAY_SIZE(units) && strcmp(units[u].text, cell(s, row, UNIT)) != 0)
		u++;
	if (u == ARRAY_SIZE(units)) {
		fault_add(&s->f->im->faults, s->f->name, row->line,
			  "\"%s\" is not a unit known here", cell(s, row, UNIT));
		return;
	}
	if (censored)
		v = bound_of(s, row, strcmp(units[u].unit, "1/s") == 0);
	else if (number_double(text, &v) == 0)
		v *= units[u].factor;
	else
		v = -1;
	if (v < 0) {
		fault_add(&s->f->im->faults, s->f->name, row->line,
			  "the value \"%s\" of %s is no number%s", text, name,
			  censored ? " and how much was done is not said" : "");
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(renamed); i++)
		if (strcmp(name, renamed[i].theirs) == 0)
			name = renamed[i].ours;
	metric_add(to, name, units[u].unit,
		   strcmp(better, "higher") == 0  ? BETTER_HIGHER
		   : strcmp(better, "lower") == 0 ? BETTER_LOWER
						  : BETTER_NEITHER,
		   censored ? BOUND_AT_LEAST : BOUND_EXACT, v);
	if (*cpu && number_double(cpu, &v) == 0) {
		_cleanup_free_ char *cpu_name = mem_printf("%s_cpu", name);

		metric_add(to, cpu_name, "%", BETTER_NEITHER, BOUND_EXACT, v);
	}
}

static void end_run(const struct sheet *s, struct gathered *g)
{
	if (g->run.metrics.n)
		import_add(s->f, &g->run);
	else
		json_object_put(g->run.detail);
	free(g->run_id);
	free(g->engine);
	*g = (struct gathered){ 0 };
}

static void begin_run(const struct sheet *s, const struct csv_row *row,
		      struct gathered *g)
{
	const struct import_campaign *c = describe(s, row);
	const char *engine = cell(s, row, ENGINE);
	struct json_object *detail = json_new();

	g->run_id = mem_strdup(cell(s, row, RUN_ID));
	g->engine = mem_strdup(engine);
	g->run = (struct import_run){
		.machine = c->machine,
		.arm = g->run_id,
		.test = strcmp(engine, "bonnie++") == 0 ? "bonnie" : g->engine,
		.line = row->line,
		.detail = detail,
	};
	g->run.engine = g->run.test;
	json_set_str(detail, "file_size", cell(s, row, FILE_SIZE));
	json_set_str(detail, "num_files", cell(s, row, NUM_FILES));
	json_set_str(detail, "version", cell(s, row, VERSION));
	json_set_str(detail, "machine_name", c->machine);
	json_set_str(detail, "published_run", cell(s, row, PUBLISHED_RUN));
	if (*cell(s, row, NOTE))
		json_set_str(detail, "note", cell(s, row, NOTE));
}

static void take_row(const struct sheet *s, const struct csv_row *row, struct gathered *g)
{
	const char *run_id = cell(s, row, RUN_ID), *engine = cell(s, row, ENGINE);

	if (row->n != s->head.n) {
		fault_add(&s->f->im->faults, s->f->name, row->line,
			  "has %zu fields, the first line has %zu", row->n, s->head.n);
		return;
	}
	if (strcmp(engine, "claim") == 0) {
		add_claim(s, row);
		return;
	}
	if (!g->run_id || strcmp(g->run_id, run_id) != 0 ||
	    strcmp(g->engine, engine) != 0 ||
	    metric_find(&g->run.metrics, cell(s, row, METRIC))) {
		end_run(s, g);
		begin_run(s, row, g);
	}
	add_value(s, row, &g->run.metrics);
}

void import_published(struct import_file *f)
{
	struct csv csv = { .text = f->text, .len = f->len, .line = 1 };
	struct sheet s = { .f = f };
	struct gathered g = { 0 };
	struct csv_row row;
	struct err err = { 0 };
	int r = read_head(&s, &csv) ? 0 : -ENOENT;

	while (r != -ENOENT && (r = csv_next(&csv, &row, &err)) != -ENOENT) {
		if (r < 0)
			fault_add(&f->im->faults, f->name, csv.line - 1, "%s", err.text);
		else
			take_row(&s, &row, &g);
		csv_row_done(&row);
	}
	end_run(&s, &g);
	csv_row_done(&s.head);
}
