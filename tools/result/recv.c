// SPDX-License-Identifier: GPL-3.0-or-later
// Rebuilds the files of a captured log: puts lines in order, names what is missing,
// writes what is whole.
#include <string.h>

#include "common/crc32.h"
#include "common/io.h"
#include "common/mem.h"
#include "result/recv.h"

// The lines of one file, and what became of it.
struct recv_part {
	const struct recv_chunk *chunks;
	size_t n;
	const struct recv_file *info; // NULL: never named
	uint32_t run, file;
	bool whole;   // no line is missing
	bool written; // whole, under its own name
};

static int compare(const void *va, const void *vb)
{
	const struct recv_chunk *a = va, *b = vb;

	if (a->run != b->run)
		return a->run < b->run ? -1 : 1;
	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return a->log_line - b->log_line;
}

// Drops repeated lines; a repetition that says something else is a fault.
static void unique(struct recv_scan *scan, const struct recv_to *to)
{
	size_t n = 0;

	for (size_t i = 0; i < scan->n; i++) {
		const struct recv_chunk *c = &scan->chunks[i], *last;

		last = n ? &scan->chunks[n - 1] : NULL;
		if (!last || last->run != c->run || last->file != c->file ||
		    last->line != c->line) {
			scan->chunks[n++] = *c;
			continue;
		}
		if (last->len == c->len && memcmp(scan->data.data + last->at,
						  scan->data.data + c->at, c->len) == 0)
			continue;
		fault_add(to->faults, to->log_name, c->log_line,
			  "run %08x, file %u, line %u: contradicts the same line in log "
			  "line %d, both with a good checksum; the first is taken",
			  c->run, c->file, c->line, last->log_line);
	}
	scan->n = n;
}

static const char *part_name(const struct recv_part *part)
{
	if (part->file == 0)
		return "the directory of files";
	return part->info && part->info->path ? part->info->path : "name unknown";
}

// The damaged line that is the reason why `line` of a part is missing: one that says so
// itself, else one that stands where it should be; NULL when there is none.
static struct recv_damage *find_damage(struct recv_scan *scan,
				       const struct recv_part *part, uint32_t line,
				       int after, int before)
{
	struct recv_damage *there = NULL;

	for (size_t i = 0; i < scan->n_damage; i++) {
		struct recv_damage *d = &scan->damage[i];

		if (d->told)
			continue;
		if (d->known && d->run == part->run && d->file == part->file &&
		    d->line == line)
			return d;
		if (!there && d->log_line > after && d->log_line < before)
			there = d;
	}
	return there;
}

// One fault for each missing line that is damaged in the log, one for each range of
// lines of which the log holds nothing.
static void tell_missing(struct recv_scan *scan, struct recv_part *part, uint32_t first,
			 uint32_t end, int after, int before, const struct recv_to *to)
{
	uint32_t line = first;
	struct recv_damage *d;

	part->whole = false;
	while (line < end && (d = find_damage(scan, part, line, after, before))) {
		d->told = true;
		fault_add(to->faults, to->log_name, d->log_line,
			  "damaged: run %08x, file %u (%s), line %u", part->run,
			  part->file, part_name(part), line);
		after = d->log_line;
		line++;
	}
	if (line == end)
		return;
	if (end - line == 1)
		fault_add(to->faults, to->log_name, recv_scan_unseen(scan, after, before),
			  "missing: run %08x, file %u (%s), line %u", part->run,
			  part->file, part_name(part), line);
	else
		fault_add(to->faults, to->log_name, recv_scan_unseen(scan, after, before),
			  "missing: run %08x, file %u (%s), lines %u to %u", part->run,
			  part->file, part_name(part), line, end - 1);
}

// The same for the last lines of a closed file, whose number is not known.
static void tell_end_missing(struct recv_scan *scan, struct recv_part *part,
			     uint32_t line, int after, const struct recv_to *to)
{
	int before = part->info->close_line;
	uint32_t first = line;
	struct recv_damage *d;

	part->whole = false;
	while ((d = find_damage(scan, part, line, after, before))) {
		tell_missing(scan, part, line, line + 1, after, before, to);
		after = d->log_line;
		line++;
	}
	if (line == first)
		fault_add(to->faults, to->log_name, recv_scan_unseen(scan, after, before),
			  "missing: run %08x, file %u (%s), from line %u on", part->run,
			  part->file, part_name(part), line);
}

static void check_gaps(struct recv_scan *scan, struct recv_part *part,
		       const struct recv_to *to)
{
	uint32_t next = 0;
	int after = part->info ? part->info->open_line : 0;
	uint64_t bytes = 0;

	part->whole = true;
	for (size_t i = 0; i < part->n; i++) {
		const struct recv_chunk *c = &part->chunks[i];

		bytes += c->len;

		if (c->line > next)
			tell_missing(scan, part, next, c->line, after, c->log_line, to);
		next = c->line + 1;
		after = c->log_line;
	}
	if (part->whole && part->info && part->info->closed && bytes < part->info->bytes)
		tell_end_missing(scan, part, next, after, to);
}

// A damaged line whose like was received well elsewhere did no harm; every other one
// that explains no gap is told by itself.
static void tell_other_damage(const struct recv_scan *scan, const struct recv_to *to)
{
	for (size_t i = 0; i < scan->n_damage; i++) {
		const struct recv_damage *d = &scan->damage[i];
		struct recv_chunk key = { .run = d->run,
					  .file = d->file,
					  .line = d->line };
		size_t low = 0, high = scan->n;

		while (low < high) {
			size_t mid = low + (high - low) / 2;

			if (compare(&scan->chunks[mid], &key) < 0)
				low = mid + 1;
			else
				high = mid;
		}
		if (d->told ||
		    (d->known && low < scan->n && scan->chunks[low].run == d->run &&
		     scan->chunks[low].file == d->file &&
		     scan->chunks[low].line == d->line))
			continue;
		if (d->known)
			fault_add(to->faults, to->log_name, d->log_line,
				  "damaged: says run %08x, file %u, line %u", d->run,
				  d->file, d->line);
		else
			fault_add(to->faults, to->log_name, d->log_line,
				  "damaged: cannot even be placed");
	}
}

static void join(const struct recv_scan *scan, const struct recv_part *part,
		 struct strbuf *data)
{
	for (size_t i = 0; i < part->n; i++)
		strbuf_add(data, scan->data.data + part->chunks[i].at,
			   part->chunks[i].len);
}

// Writes unless something else is there. Content that only goes on is replaced: an
// earlier capture of the same log was shorter.
static int write_out(const char *path, const struct strbuf *data,
		     const struct recv_to *to)
{
	_cleanup_free_ char *full = mem_printf("%s/%s", to->dir, path);
	_cleanup_free_ char *dir = mem_strndup(full, (size_t)(strrchr(full, '/') - full));
	_cleanup_strbuf_ struct strbuf old = { 0 };
	int r = io_read_file(full, &old, data->len);

	if (r == 0 && memcmp(strbuf_str(&old), strbuf_str(data), old.len) == 0 &&
	    old.len == data->len)
		return 0;
	if (r == -EFBIG ||
	    (r == 0 && memcmp(strbuf_str(&old), strbuf_str(data), old.len) != 0)) {
		fault_add(to->faults, full, 0,
			  "exists with other content and was left alone; choose "
			  "another folder");
		return -EEXIST;
	}
	r = io_make_dirs(dir);
	if (r == 0)
		r = io_replace_file(full, strbuf_str(data), data->len);
	if (r < 0)
		fault_add(to->faults, full, 0, "cannot be written: %s", strerror(-r));
	return r;
}

// Returns 1 when the file was written whole under its own name, else 0.
static int write_part(const struct recv_scan *scan, struct recv_part *part,
		      const struct recv_to *to)
{
	_cleanup_strbuf_ struct strbuf data = { 0 };
	_cleanup_free_ char *path = NULL;
	const struct recv_file *info = part->info;
	bool closed = info && info->closed;
	bool whole = part->whole;

	join(scan, part, &data);
	if (closed && whole &&
	    (data.len != info->bytes ||
	     crc32_add(0, strbuf_str(&data), data.len) != info->crc)) {
		whole = false;
		fault_add(to->faults, to->log_name, 0,
			  "run %08x, file %u (%s): has %zu bytes here, %llu when it was "
			  "closed%s",
			  part->run, part->file, part_name(part), data.len,
			  (unsigned long long)info->bytes,
			  data.len == info->bytes ? ", and another checksum" : "");
	}
	if (info && info->path)
		path = mem_printf("%s%s", info->path, whole ? "" : ".damaged");
	else
		path = mem_printf("lost-%08x/%u", part->run, part->file);
	if (!info || !info->path)
		fault_add(to->faults, to->log_name, 0,
			  "run %08x, file %u: its name is lost; written as %s", part->run,
			  part->file, path);
	else if (!closed)
		fault_add(to->faults, to->log_name, 0,
			  "run %08x, file %u (%s): not closed: the machine ended before, "
			  "or the log does",
			  part->run, part->file, info->path);
	if (write_out(path, &data, to) < 0)
		return 0;
	part->written = whole && info && info->path;
	return part->written && closed;
}

// Whether a later version of this file has been written whole.
static bool superseded(const struct recv_part *parts, size_t n, size_t i)
{
	const char *path = parts[i].info ? parts[i].info->path : NULL;

	for (size_t k = i + 1; path && k < n; k++)
		if (parts[k].written && strcmp(parts[k].info->path, path) == 0)
			return true;
	return false;
}

static int compare_parts(const void *va, const void *vb)
{
	const struct recv_part *a = va, *b = vb;

	return a->file < b->file ? -1 : a->file > b->file;
}

// Splits the chunks of one run into files, by number. A file of which nothing but its
// name was received has a part too.
static size_t make_parts(const struct recv_chunk *chunks, size_t n, struct recv_dir *dir,
			 struct recv_part **ret)
{
	struct recv_part *parts = mem_new(n + dir->n + 1, sizeof(*parts));
	size_t n_parts = 0, with_data;

	for (size_t i = 0; i < n; i++) {
		if (n_parts == 0 || parts[n_parts - 1].file != chunks[i].file)
			parts[n_parts++] = (struct recv_part){
				.chunks = &chunks[i],
				.run = chunks[i].run,
				.file = chunks[i].file,
				.info = recv_dir_file(dir, chunks[i].file),
			};
		parts[n_parts - 1].n++;
	}
	with_data = n_parts;
	for (size_t i = 0; i < dir->n; i++) {
		struct recv_part part = { .run = chunks[0].run,
					  .file = dir->files[i].file,
					  .info = &dir->files[i] };

		if (!bsearch(&part, parts, with_data, sizeof(part), compare_parts))
			parts[n_parts++] = part;
	}
	qsort(parts, n_parts, sizeof(*parts), compare_parts);
	*ret = parts;
	return n_parts;
}

static int receive_run(struct recv_scan *scan, const struct recv_chunk *chunks, size_t n,
		       const struct recv_to *to)
{
	_cleanup_free_ struct recv_part *parts = NULL;
	struct recv_dir dir = { 0 };
	size_t n_dir = 0, n_parts;
	int whole = 0;

	while (n_dir < n && chunks[n_dir].file == 0)
		n_dir++;
	recv_dir_read(&dir, scan, chunks, n_dir, to);
	n_parts = make_parts(chunks, n, &dir, &parts);
	for (size_t i = 0; i < n_parts; i++)
		check_gaps(scan, &parts[i], to);
	for (size_t i = n_parts; i > 0; i--)
		if (parts[i - 1].file != 0 && !superseded(parts, n_parts, i - 1))
			whole += write_part(scan, &parts[i - 1], to);
	recv_dir_done(&dir);
	return whole;
}

int armour_receive(const char *log, size_t len, const char *log_name, const char *out_dir,
		   struct fault_list *faults, struct err *err)
{
	const struct recv_to to = { log_name, out_dir, faults };
	struct recv_scan scan = { 0 };
	int whole = 0, r = 0;

	recv_scan(&scan, log, len);
	if (scan.n)
		qsort(scan.chunks, scan.n, sizeof(*scan.chunks), compare);
	unique(&scan, &to);
	if (scan.n == 0 && scan.n_damage == 0)
		r = err_set(err, -ENODATA,
			    "%s: holds no line of an Assay campaign (" ARMOUR_MARK ")",
			    log_name);
	for (size_t i = 0, end; i < scan.n; i = end) {
		for (end = i; end < scan.n && scan.chunks[end].run == scan.chunks[i].run;)
			end++;
		whole += receive_run(&scan, &scan.chunks[i], end - i, &to);
	}
	tell_other_damage(&scan, &to);
	recv_scan_done(&scan);
	return r < 0 ? r : whole;
}
