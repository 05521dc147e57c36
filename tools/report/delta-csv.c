// SPDX-License-Identifier: GPL-3.0-or-later
// Deltas as a table, in the words and units of the tools and of those who publish them.
#include <string.h>

#include "common/csv.h"
#include "common/macro.h"
#include "report/delta.h"

// How a tool prints a metric: its word, its unit, how much of ours that is, digits.
struct printed {
	const char *engine, *metric; // NULL: any
	const char *word, *unit;     // NULL: as it is
	double factor;
	int digits;
};

static const struct printed rows[] = {
	{ "bonnie", "seeks", NULL, "1/s", 1, 1 },
	{ "bonnie", "putc", NULL, "KiB/s", 1024, 0 },
	{ "bonnie", "put_block", NULL, "KiB/s", 1024, 0 },
	{ "bonnie", "rewrite", NULL, "KiB/s", 1024, 0 },
	{ "bonnie", "getc", NULL, "KiB/s", 1024, 0 },
	{ "bonnie", "get_block", NULL, "KiB/s", 1024, 0 },
	{ "bonnie", "seq_create", NULL, "files/s", 1, 0 },
	{ "bonnie", "seq_stat", NULL, "files/s", 1, 0 },
	{ "bonnie", "seq_del", NULL, "files/s", 1, 0 },
	{ "bonnie", "ran_create", NULL, "files/s", 1, 0 },
	{ "bonnie", "ran_stat", NULL, "files/s", 1, 0 },
	{ "bonnie", "ran_del", NULL, "files/s", 1, 0 },
	{ "hdparm", "disk_cached", "cached_read", "MiB/s", 1048576, 2 },
	{ "hdparm", "disk_buffered", "buffered_disk_read", "MiB/s", 1048576, 2 },
	{ NULL, NULL, NULL, NULL, 1, -1 },
};

static const struct printed *printed_as(const struct delta *d)
{
	for (size_t i = 0;; i++)
		if (!rows[i].engine || (strcmp(rows[i].engine, d->engine) == 0 &&
					strcmp(rows[i].metric, d->metric) == 0))
			return &rows[i];
}

static void add_value(struct strbuf *to, const struct printed *p, double value,
		      enum metric_bound bound)
{
	static const char *const signs[] = { "", ">", "<" };

	if (p->digits >= 0)
		strbuf_printf(to, ",%s%.*f", signs[bound], p->digits, value / p->factor);
	else
		strbuf_printf(to, ",%s%.15g", signs[bound], value);
}

static void add_flags(struct strbuf *to, const struct delta *d)
{
	const char *sep = "";

	strbuf_puts(to, ",");
	if (d->one_run)
		strbuf_puts(to, "n1"), sep = ";";
	if (d->several)
		strbuf_printf(to, "%smulti", sep), sep = ";";
	if (d->file_size)
		strbuf_printf(to, "%ssize", sep);
	strbuf_puts(to, "\n");
}

void delta_csv_head(struct strbuf *to)
{
	strbuf_puts(to, "base,variant,factor,engine,metric,unit,base_value,variant_value,"
			"ratio,change_pct,time_factor,bound,flags\n");
}

void delta_csv(const struct delta_list *list, const char *factor, struct strbuf *to)
{
	static const char *const bounds[] = { "eq", "gt", "lt" };

	for (size_t i = 0; i < list->n; i++) {
		const struct delta *d = &list->items[i];
		const struct printed *p = printed_as(d);
		const char *fields[] = {
			list->a.arm,
			list->b.arm,
			factor ? factor : list->differs,
			strcmp(d->engine, "bonnie") == 0 ? "bonnie++" : d->engine,
			p->word ? p->word : d->metric,
			p->unit ? p->unit : d->unit,
		};

		for (size_t k = 0; k < ARRAY_SIZE(fields); k++) {
			strbuf_puts(to, k ? "," : "");
			csv_add(to, fields[k]);
		}
		add_value(to, p, d->a, d->a_bound);
		add_value(to, p, d->b, d->b_bound);
		if (d->has_ratio)
			strbuf_printf(to, ",%.6f,%.2f,%.4f,%s", d->ratio,
				      100 * (d->ratio - 1), d->time_factor,
				      bounds[d->bound]);
		else
			strbuf_puts(to, ",,,,none");
		add_flags(to, d);
	}
}
