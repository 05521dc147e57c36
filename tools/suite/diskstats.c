// SPDX-License-Identifier: GPL-3.0-or-later
// What every block device has moved since boot.
#include <stdio.h>
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "common/number.h"
#include "suite/diskstats.h"

#define SECTOR UINT64_C(512)

// Numbered from 0: major, minor, name, then the counters. Linux before 4.18 has 14 words,
// later ones append discards and flushes.
enum {
	READS = 3,
	READ_SECTORS = 5,
	WRITES = 7,
	WRITE_SECTORS = 9,
	BUSY_MS = 12,
	LEAST_WORDS = 14,
	DISCARD_SECTORS = 16,
	WORDS
};

static int parse_line(char *line, struct diskstats_item *ret)
{
	uint64_t v[WORDS] = { 0 };
	char *save = NULL, *word = strtok_r(line, " ", &save);
	size_t n = 0;

	for (; word && n < WORDS; word = strtok_r(NULL, " ", &save), n++) {
		if (n == 2)
			snprintf(ret->name, sizeof(ret->name), "%s", word);
		else if (number_uint(word, &v[n]) < 0)
			return -1;
	}
	if (n < LEAST_WORDS)
		return -1;
	ret->reads = v[READS];
	ret->read_bytes = v[READ_SECTORS] * SECTOR;
	ret->writes = v[WRITES];
	ret->write_bytes = v[WRITE_SECTORS] * SECTOR;
	ret->discard_bytes = v[DISCARD_SECTORS] * SECTOR;
	ret->busy_ms = v[BUSY_MS];
	return 0;
}

void diskstats_parse(struct diskstats *d, const char *text)
{
	_cleanup_free_ char *copy = mem_strdup(text);
	char *save = NULL;

	for (char *l = strtok_r(copy, "\n", &save); l; l = strtok_r(NULL, "\n", &save)) {
		struct diskstats_item item = { 0 };

		if (parse_line(l, &item) < 0)
			continue;
		d->items = mem_grow(d->items, d->n + 1, sizeof(*d->items));
		d->items[d->n++] = item;
	}
}

int diskstats_load(struct diskstats *d, const char *root)
{
	_cleanup_free_ char *path = mem_printf("%s/proc/diskstats", root);
	_cleanup_strbuf_ struct strbuf text = { 0 };
	int r = io_read_file(path, &text, 1 << 20);

	if (r == 0)
		diskstats_parse(d, strbuf_str(&text));
	return r;
}

static const struct diskstats_item *find(const struct diskstats *d, const char *name)
{
	static const struct diskstats_item none;

	for (size_t i = 0; i < d->n; i++)
		if (strcmp(d->items[i].name, name) == 0)
			return &d->items[i];
	return &none;
}

// A device of the same name may be another one by then: its counters start anew.
static uint64_t rise(uint64_t before, uint64_t after)
{
	return after >= before ? after - before : after;
}

struct diskstats_item diskstats_since(const struct diskstats *before,
				      const struct diskstats *after, const char *name)
{
	const struct diskstats_item *a = find(before, name), *b = find(after, name);
	struct diskstats_item r = {
		.reads = rise(a->reads, b->reads),
		.read_bytes = rise(a->read_bytes, b->read_bytes),
		.writes = rise(a->writes, b->writes),
		.write_bytes = rise(a->write_bytes, b->write_bytes),
		.discard_bytes = rise(a->discard_bytes, b->discard_bytes),
		.busy_ms = rise(a->busy_ms, b->busy_ms),
	};

	snprintf(r.name, sizeof(r.name), "%s", name);
	return r;
}

void diskstats_done(struct diskstats *d)
{
	free(d->items);
	*d = (struct diskstats){ 0 };
}
