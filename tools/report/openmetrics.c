// SPDX-License-Identifier: GPL-3.0-or-later
// OpenMetrics text 1.0, for a push gateway or the textfile collector of node_exporter.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "report/report.h"
#include "report/text-private.h"
#include "result/metric.h"
#include "result/outcome.h"

// A unit must be the end of the family's name.
static const struct {
	const char *unit, *word;
} units[] = {
	{ "B/s", "bytes_per_second" },
	{ "1/s", "per_second" },
	{ "s", "seconds" },
	{ "B", "bytes" },
	{ "%", "percent" },
	{ "s/GiB", "seconds_per_gib" },
};

// One metric of a run, with the name of its family.
struct sample {
	char *family;
	const char *unit; // NULL: none
	const char *metric;
	const struct json_object *run;
	const char *bound; // NULL: exact
	double value;
	size_t place; // in the document
};

struct samples_found {
	struct sample *items;
	size_t n;
};

// assay_<metric>_<unit>, of the characters that such a name may have
static char *family_name(const char *metric, const char *unit)
{
	_cleanup_strbuf_ struct strbuf name = { 0 };

	strbuf_puts(&name, "assay_");
	for (const char *p = metric; *p; p++)
		strbuf_add(&name,
			   isalnum((unsigned char)*p) && isascii((unsigned char)*p) ? p
										    : "_",
			   1);
	if (unit)
		strbuf_printf(&name, "_%s", unit);
	return strbuf_take(&name);
}

static const char *unit_word(const char *unit)
{
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (strcmp(units[i].unit, unit) == 0)
			return units[i].word;
	return NULL;
}

static void find_samples(struct samples_found *f, const struct json_object *result)
{
	const struct json_object *runs = json_get(result, "runs");

	for (size_t i = 0; i < text_length(runs); i++) {
		const struct json_object *run = text_item(runs, i);
		const struct json_object *metrics = json_get(run, "metrics");

		if (outcome_parse(json_get_str(run, "outcome")) != OUTCOME_PASSED)
			continue;
		for (size_t k = 0; k < text_length(metrics); k++) {
			const struct json_object *m = text_item(metrics, k);
			const char *unit = unit_word(text_str(m, "unit"));
			const char *bound = text_str(m, "bound");

			if (!json_get(m, "value") || !*text_str(m, "name"))
				continue;
			f->items = mem_grow(f->items, f->n + 1, sizeof(*f->items));
			f->items[f->n] = (struct sample){
				.family = family_name(text_str(m, "name"), unit),
				.unit = unit,
				.metric = text_str(m, "name"),
				.run = run,
				.bound = *bound && strcmp(bound, "exact") != 0 ? bound
									       : NULL,
				.value = json_get_double(m, "value", NAN),
				.place = f->n,
			};
			f->n++;
		}
	}
}

// Families must not be interleaved.
static int by_family(const void *va, const void *vb)
{
	const struct sample *a = va, *b = vb;
	int r = strcmp(a->family, b->family);

	return r ? r : a->place < b->place ? -1 : a->place > b->place;
}

static void add_label(struct strbuf *to, const char *name, const char *value,
		      const char *before)
{
	strbuf_printf(to, "%s%s=\"", before, name);
	for (const char *p = value; *p; p++) {
		if (*p == '\n')
			strbuf_puts(to, "\\n");
		else if (*p == '"' || *p == '\\')
			strbuf_printf(to, "\\%c", *p);
		else
			strbuf_add(to, p, 1);
	}
	strbuf_puts(to, "\"");
}

static void add_sample(struct strbuf *to, const struct json_object *result,
		       const struct sample *s)
{
	char number[24];

	strbuf_puts(to, s->family);
	add_label(to, "machine", text_str(result, "machine_id"), "{");
	add_label(to, "campaign", text_str(result, "run_id"), ",");
	add_label(to, "arm", text_str(s->run, "arm"), ",");
	add_label(to, "test", text_str(s->run, "test"), ",");
	add_label(to, "metric", s->metric, ",");
	snprintf(number, sizeof(number), "%lld",
		 (long long)json_get_int(s->run, "block", 0));
	add_label(to, "block", number, ",");
	snprintf(number, sizeof(number), "%lld",
		 (long long)json_get_int(s->run, "index", 0));
	add_label(to, "run", number, ",");
	if (s->bound)
		add_label(to, "bound", s->bound, ",");
	strbuf_puts(to, "} ");
	number_format_exact(to, s->value);
	strbuf_puts(to, "\n");
}

void report_openmetrics(const struct json_object *result, struct strbuf *to)
{
	struct samples_found f = { 0 };
	const char *family = "";

	find_samples(&f, result);
	if (f.n)
		qsort(f.items, f.n, sizeof(*f.items), by_family);
	for (size_t i = 0; i < f.n; i++) {
		if (strcmp(f.items[i].family, family) != 0) {
			family = f.items[i].family;
			strbuf_printf(to, "# TYPE %s gauge\n", family);
			if (f.items[i].unit)
				strbuf_printf(to, "# UNIT %s %s\n", family,
					      f.items[i].unit);
			strbuf_printf(to, "# HELP %s One number of a benchmark run.\n",
				      family);
		}
		add_sample(to, result, &f.items[i]);
	}
	strbuf_puts(to, "# EOF\n");
	for (size_t i = 0; i < f.n; i++)
		free(f.items[i].family);
	free(f.items);
}
