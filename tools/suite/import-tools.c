// SPDX-License-Identifier: GPL-3.0-or-later
// What the tools themselves print, as runs.
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "suite/bonnie-table.h"
#include "suite/cryptsetup-text.h"
#include "suite/fio-json.h"
#include "suite/hdparm-text.h"
#include "suite/import-private.h"

#define COMMAS_SUSPECT 8 // a line with more of them and no blanks was meant as CSV

// Was a line that is no result meant to be one?
static void suspect_line(struct import_file *f, size_t start, size_t end)
{
	size_t commas = 0, words = 0;

	while (end > start && strchr("\r\n", f->text[end - 1]))
		end--;
	for (size_t i = start; i < end; i++) {
		commas += f->text[i] == ',';
		words += f->text[i] == ' ';
	}
	if (commas > COMMAS_SUSPECT && commas > 2 * words)
		fault_add(&f->im->faults, f->name, import_line(f, start),
			  "looks like a CSV line of bonnie++, but has %zu fields or a "
			  "value that is none; 1.03 has 27, 1.96 and 1.97 have 48, 1.98 "
			  "has 50",
			  commas + 1);
}

// The text between two results, line by line.
static void suspect(struct import_file *f, size_t start, size_t end)
{
	while (start < end) {
		const char *nl = memchr(f->text + start, '\n', end - start);
		size_t next = nl ? (size_t)(nl - f->text) + 1 : end;

		suspect_line(f, start, next);
		start = next;
	}
}

static void add_bonnie(struct import_file *f, struct bonnie_csv *b, int line)
{
	struct import_run run = {
		.machine = b->name,
		.test = "bonnie",
		.engine = "bonnie",
		.line = line,
		.metrics = b->metrics,
		.detail = json_new(),
	};

	bonnie_csv_detail(b, run.detail);
	json_set_str(run.detail, "machine_name", b->name);
	b->metrics = (struct metric_list){ 0 };
	import_add(f, &run);
	bonnie_csv_done(b);
}

static bool same_metrics(const struct metric_list *a, const struct metric_list *b)
{
	for (size_t i = 0; i < b->n; i++) {
		const struct metric *m = metric_find(a, b->items[i].name);

		if (!m || m->bound != b->items[i].bound || m->value != b->items[i].value)
			return false;
	}
	return b->n > 0;
}

// The CSV lines, kept in `lines` to know their tables again.
static size_t read_lines(struct import_file *f, struct metric_list **lines)
{
	struct bonnie_csv b;
	size_t pos = 0, before = 0, n = 0;

	for (; bonnie_csv_next(f->text, f->len, &pos, &b) == 0; before = pos) {
		// where it begins: it has been joined of lines, less their blanks
		size_t head = strcspn(b.line, ",") + 1;
		const char *at = memmem(f->text + before, pos - before, b.line,
					head < strlen(b.line) ? head : strlen(b.line));
		size_t start = at ? (size_t)(at - f->text) : before;

		suspect(f, before, start);
		*lines = mem_grow(*lines, n + 1, sizeof(**lines));
		(*lines)[n] = (struct metric_list){ 0 };
		for (size_t i = 0; i < b.metrics.n; i++) {
			const struct metric *m = &b.metrics.items[i];

			metric_add(&(*lines)[n], m->name, m->unit, m->better, m->bound,
				   m->value);
		}
		n++;
		add_bonnie(f, &b, import_line(f, start));
	}
	suspect(f, before, f->len);
	return n;
}

void import_bonnie(struct import_file *f)
{
	struct metric_list *lines = NULL;
	size_t n = read_lines(f, &lines), pos = 0;
	struct bonnie_csv b;
	int line;

	while (bonnie_table_next(f->name, f->text, f->len, &pos, &b, &line,
				 &f->im->faults) == 0) {
		bool known = false;

		for (size_t i = 0; i < n && !known; i++)
			known = same_metrics(&lines[i], &b.metrics);
		if (known)
			bonnie_csv_done(&b);
		else
			add_bonnie(f, &b, line);
	}
	for (size_t i = 0; i < n; i++)
		metric_list_done(&lines[i]);
	free(lines);
}

// hdparm's "/dev/hda:" and what follows it, up to the next one.
static void add_hdparm(struct import_file *f, const char *device, size_t start,
		       size_t end)
{
	struct hdparm_timing t[HDPARM_TIMINGS];
	size_t n = hdparm_text_parse(f->text + start, end - start, t);
	struct import_run run = { .test = "hdparm",
				  .engine = "hdparm",
				  .line = import_line(f, start) };
	bool mapped = strstr(device, "/mapper/") || strncmp(device, "/dev/dm-", 8) == 0;

	for (size_t i = 0; i < n; i++) {
		_cleanup_free_ char *name =
			mem_printf("%s_%s", mapped ? "top" : "disk",
				   t[i].cached ? "cached" : "buffered");

		metric_add(&run.metrics, name, "B/s", BETTER_HIGHER, BOUND_EXACT,
			   t[i].rate);
	}
	if (n == 0)
		return;
	run.detail = json_new();
	json_set_str(run.detail, "device", device);
	import_add(f, &run);
}

// "/dev/sda:" alone on its line
static char *device_of(const char *line, size_t len)
{
	while (len && strchr(" \t\r\n", line[len - 1]))
		len--;
	while (len && (*line == ' ' || *line == '\t'))
		line++, len--;
	if (len < 7 || strncmp(line, "/dev/", 5) != 0 || line[len - 1] != ':' ||
	    memchr(line, ' ', len))
		return NULL;
	return mem_strndup(line, len - 1);
}

void import_hdparm(struct import_file *f)
{
	_cleanup_free_ char *device = mem_strdup("");
	size_t start = 0, next;

	for (size_t pos = 0; pos < f->len; pos = next) {
		const char *nl = memchr(f->text + pos, '\n', f->len - pos);
		char *found;

		next = nl ? (size_t)(nl - f->text) + 1 : f->len;
		found = device_of(f->text + pos, next - pos);
		if (!found)
			continue;
		add_hdparm(f, device, start, pos);
		free(device);
		device = found;
		start = pos;
	}
	add_hdparm(f, device, start, f->len);
}

void import_fio(struct import_file *f)
{
	struct import_run run = { .test = "fio", .engine = "fio", .line = 1 };
	_cleanup_json_ struct json_object *doc = NULL;
	struct err err = { 0 };
	int r;

	doc = fio_json_find(f->text, f->len, &err);
	r = doc ? fio_json_check(doc, &err) : -EBADMSG;
	if (r < 0) {
		fault_add(&f->im->faults, f->name, 0, "%s", err.text);
		return;
	}
	fio_json_metrics(doc, &run.metrics);
	run.detail = json_new();
	fio_json_detail(doc, run.detail);
	if (fio_json_cached(doc))
		json_set_str(run.detail, "note",
			     "an operation took less than a microsecond: from a cache");
	import_add(f, &run);
}

void import_cryptsetup(struct import_file *f)
{
	struct import_run run = { .test = "cryptobench",
				  .engine = "cryptobench",
				  .line = 1,
				  .detail = json_new() };

	if (cryptsetup_text_parse(f->text, f->len, &run.metrics, run.detail) == 0 ||
	    run.metrics.n == 0) {
		fault_add(&f->im->faults, f->name, 0,
			  "no line of this cryptsetup benchmark has a rate; is it in the "
			  "C locale (LC_ALL=C)?");
		json_object_put(run.detail);
		metric_list_done(&run.metrics);
		return;
	}
	import_add(f, &run);
}
