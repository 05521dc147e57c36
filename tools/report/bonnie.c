// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of bonnie++, the classic 27 fields of 1.03 and the 50 of 1.98, so that old
// tables and new results stand side by side. Bounds stay "+++++", what was not measured
// stays empty.
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "report/text-private.h"
#include "result/comparison.h"
#include "result/metric.h"

#define MIB (UINT64_C(1) << 20)

struct column {
	const char *metric;
	double unit;  // of the field, in the metric's unit
	bool decimal; // one digit after the point, else truncated as bonnie++ does
};

static const struct column file_columns[] = {
	{ "putc", 1024, false }, { "put_block", 1024, false }, { "rewrite", 1024, false },
	{ "getc", 1024, false }, { "get_block", 1024, false }, { "seeks", 1, true },
};

static const struct column create_columns[] = {
	{ "seq_create", 1, false }, { "seq_stat", 1, false }, { "seq_del", 1, false },
	{ "ran_create", 1, false }, { "ran_stat", 1, false }, { "ran_del", 1, false },
};

static void add_column(struct strbuf *to, const struct metric_list *list,
		       const struct column *column)
{
	_cleanup_free_ char *cpu_name = mem_printf("%s_cpu", column->metric);
	const struct metric *m = metric_find(list, column->metric);
	const struct metric *cpu = metric_find(list, cpu_name);

	if (m && m->bound != BOUND_EXACT) {
		strbuf_puts(to, ",+++++,+++");
		return;
	}
	strbuf_puts(to, ",");
	if (m && column->decimal)
		strbuf_printf(to, "%.1f", m->value / column->unit);
	else if (m)
		strbuf_printf(to, "%.0f", trunc(m->value / column->unit));
	strbuf_puts(to, ",");
	if (cpu)
		strbuf_printf(to, "%.0f", trunc(cpu->value));
}

// A text of the document as one field.
static void add_clean(struct strbuf *to, const char *text)
{
	for (const char *p = text; *p; p++) {
		char c = (unsigned char)*p < ' ' || *p == ',' ? '_' : *p;

		strbuf_add(to, &c, 1);
	}
}

// "432M" or "6G", as 1.03 writes it; "" when not known.
static void add_size(struct strbuf *to, const struct json_object *detail)
{
	int64_t bytes = json_get_int(detail, "file_size", 0);
	uint64_t mib;

	if (bytes <= 0 && !*text_str(detail, "file_size"))
		bytes = json_get_int(detail, "size", 0);
	mib = bytes > 0 ? (uint64_t)bytes / MIB : 0;
	if (*text_str(detail, "file_size"))
		add_clean(to, text_str(detail, "file_size"));
	else if (mib && mib % 1024 == 0)
		strbuf_printf(to, "%lluG", (unsigned long long)mib / 1024);
	else if (mib)
		strbuf_printf(to, "%lluM", (unsigned long long)mib);
}

// The number of files as bonnie++ says it; "" when that part did not run.
static void add_files(struct strbuf *to, const struct json_object *detail)
{
	if (*text_str(detail, "num_files"))
		add_clean(to, text_str(detail, "num_files"));
	else if (json_get_int(detail, "num_files", 0) > 0)
		strbuf_printf(to, "%lld",
			      (long long)json_get_int(detail, "num_files", 0));
}

// An imported line keeps the name that it had, commas and all.
static void add_name(struct strbuf *to, const struct json_object *result,
		     const struct json_object *run)
{
	const char *own = text_str(json_get(run, "detail"), "machine_name");

	if (*own) {
		strbuf_puts(to, own);
		return;
	}
	add_clean(to, text_str(result, "machine_id"));
	if (*text_str(run, "arm")) {
		strbuf_puts(to, "-");
		add_clean(to, text_str(run, "arm"));
	}
}

static void add_line_103(struct strbuf *to, const struct json_object *result,
			 const struct json_object *run, const struct metric_list *list)
{
	const struct json_object *detail = json_get(run, "detail");

	add_name(to, result, run);
	strbuf_puts(to, ",");
	add_size(to, detail);
	for (size_t i = 0; i < ARRAY_SIZE(file_columns); i++)
		add_column(to, list, &file_columns[i]);
	strbuf_puts(to, ",");
	add_files(to, detail);
	for (size_t i = 0; i < ARRAY_SIZE(create_columns); i++)
		add_column(to, list, &create_columns[i]);
	strbuf_puts(to, "\n");
}

// A text of the run's detail as one field, else what stands for it.
static void add_fact(struct strbuf *to, const struct json_object *detail, const char *key,
		     const char *fallback)
{
	const char *text = text_str(detail, key);

	strbuf_puts(to, ",");
	add_clean(to, json_get_str(detail, key) ? text : fallback);
}

// "4197us", "118ms", "12s": microseconds up to 99999, then milliseconds up to 99.99 s,
// then seconds, as bonnie++ 1.9x prints the longest single operation.
static void add_latency(struct strbuf *to, const struct metric_list *list,
			const struct column *column)
{
	_cleanup_free_ char *name = mem_printf("%s_latency", column->metric);
	const struct metric *m = metric_find(list, name);

	strbuf_puts(to, ",");
	if (!m)
		return;
	if (m->value > 99.99)
		strbuf_printf(to, "%.0fs", m->value);
	else if (m->value > 0.099999)
		strbuf_printf(to, "%.0fms", m->value * 1e3);
	else
		strbuf_printf(to, "%.0fus", m->value * 1e6);
}

static void add_line_198(struct strbuf *to, const struct json_object *result,
			 const struct json_object *run, const struct metric_list *list)
{
	const struct json_object *detail = json_get(run, "detail");
	const char *version = text_str(detail, "version");

	strbuf_puts(to, "1.98,");
	add_clean(to, *version ? version : "1.98");
	strbuf_puts(to, ",");
	add_name(to, result, run);
	add_fact(to, detail, "concurrency", "1");
	add_fact(to, detail, "seed", "");
	strbuf_puts(to, ",");
	add_size(to, detail);
	add_fact(to, detail, "chunk", "");
	add_fact(to, detail, "seeks", "");
	add_fact(to, detail, "seek_procs", "");
	for (size_t i = 0; i < ARRAY_SIZE(file_columns); i++)
		add_column(to, list, &file_columns[i]);
	strbuf_puts(to, ",");
	add_files(to, detail);
	add_fact(to, detail, "max", "");
	add_fact(to, detail, "min", "");
	add_fact(to, detail, "dirs", "");
	add_fact(to, detail, "file_chunk", "");
	for (size_t i = 0; i < ARRAY_SIZE(create_columns); i++)
		add_column(to, list, &create_columns[i]);
	for (size_t i = 0; i < ARRAY_SIZE(file_columns); i++)
		add_latency(to, list, &file_columns[i]);
	for (size_t i = 0; i < ARRAY_SIZE(create_columns); i++)
		add_latency(to, list, &create_columns[i]);
	strbuf_puts(to, "\n");
}

static void add_runs(const struct json_object *result, struct strbuf *to,
		     void (*add_line)(struct strbuf *, const struct json_object *,
				      const struct json_object *,
				      const struct metric_list *))
{
	const struct json_object *runs = json_get(result, "runs");

	for (size_t i = 0; i < text_length(runs); i++) {
		const struct json_object *run = text_item(runs, i);
		const char *engine = text_str(run, "engine");
		struct metric_list list = { 0 };

		if (strcmp(*engine ? engine : text_str(run, "test"), "bonnie") != 0 ||
		    !comparison_counts(run))
			continue;
		metric_parse(&list, json_get(run, "metrics"));
		add_line(to, result, run, &list);
		metric_list_done(&list);
	}
}

void report_bonnie_csv(const struct json_object *result, struct strbuf *to)
{
	add_runs(result, to, add_line_103);
}

void report_bonnie_198(const struct json_object *result, struct strbuf *to)
{
	add_runs(result, to, add_line_198);
}
