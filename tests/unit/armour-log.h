// SPDX-License-Identifier: GPL-3.0-or-later
// A log made by hand, for tests of armour: a writer, a folder, and what came of it.
#pragma once

#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/crc32.h"
#include "common/io.h"
#include "common/mem.h"
#include "result/armour.h"

#define RUN "0a1b2c3d"

static char tmp_root[64];

static inline int make_root(void **state)
{
	(void)state;
	snprintf(tmp_root, sizeof(tmp_root), "/tmp/assay-armour-XXXXXX");
	return mkdtemp(tmp_root) ? 0 : -1;
}

static inline int remove_root(void **state)
{
	_cleanup_free_ char *command = mem_printf("rm -r %s", tmp_root);

	(void)state;
	return system(command);
}

// A new empty folder.
static inline char *new_dir(void)
{
	static int n;
	char *dir = mem_printf("%s/%d", tmp_root, n++);

	assert_int_equal(mkdir(dir, 0755), 0);
	return dir;
}

static inline uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return *seed >> 33;
}

struct writer {
	struct strbuf log;
	const char *run;
	unsigned dir_line;
};

static inline void add_data(struct writer *w, unsigned file, unsigned *line,
			    const char *data, size_t len)
{
	size_t at = 0;

	do {
		size_t n = len - at < ARMOUR_BYTES ? len - at : ARMOUR_BYTES;

		armour_line(&w->log, w->run, file, (*line)++, data + at, n);
		at += n;
	} while (at < len);
}

static inline void add_text(struct writer *w, const char *text)
{
	add_data(w, 0, &w->dir_line, text, strlen(text));
}

static inline void add_file(struct writer *w, unsigned file, const char *path,
			    const char *data, size_t len)
{
	_cleanup_free_ char *open = mem_printf("open %u %s\n", file, path);
	_cleanup_free_ char *close =
		mem_printf("close %u %zu %08x\n", file, len, crc32_add(0, data, len));
	unsigned line = 0;

	add_text(w, open);
	add_data(w, file, &line, data, len);
	add_text(w, close);
}

static inline int receive(const struct strbuf *log, const char *dir,
			  struct fault_list *faults)
{
	struct err err = { 0 };

	return armour_receive(strbuf_str(log), log->len, "log", dir, faults, &err);
}

static inline void assert_file(const char *dir, const char *path, const void *data,
			       size_t len)
{
	_cleanup_free_ char *full = mem_printf("%s/%s", dir, path);
	_cleanup_strbuf_ struct strbuf got = { 0 };

	assert_int_equal(io_read_file(full, &got, 1 << 20), 0);
	assert_int_equal(got.len, len);
	assert_memory_equal(strbuf_str(&got), data, len);
}

static inline bool there(const char *dir, const char *path)
{
	_cleanup_free_ char *full = mem_printf("%s/%s", dir, path);

	return io_exists(full);
}

static inline bool says(const struct fault_list *faults, int line, const char *text)
{
	for (size_t i = 0; i < faults->n; i++)
		if ((line == 0 || faults->items[i].line == line) &&
		    strstr(faults->items[i].text, text))
			return true;
	return false;
}

// A small campaign of three files; the same bytes on every call.
static inline void small_campaign(struct writer *w)
{
	add_file(w, 2, "assay/m/d-" RUN "/report.txt", "PASSED\n", 7);
	add_file(w, 3, "assay/m/d-" RUN "/raw/empty", "", 0);
	add_file(w, 4, "assay/m/d-" RUN "/raw/0001-x.bin",
		 "\0\1\2\3 some bytes, and some more than fit in one line\xff\n\r\n", 55);
	add_text(w, "end\n");
}

static inline void assert_small_campaign(const char *dir)
{
	assert_file(dir, "assay/m/d-" RUN "/report.txt", "PASSED\n", 7);
	assert_file(dir, "assay/m/d-" RUN "/raw/empty", "", 0);
	assert_file(dir, "assay/m/d-" RUN "/raw/0001-x.bin",
		    "\0\1\2\3 some bytes, and some more than fit in one line\xff\n\r\n",
		    55);
}

static inline int line_of(const struct strbuf *log, size_t at)
{
	int line = 1;

	for (size_t i = 0; i < at; i++)
		line += log->data[i] == '\n';
	return line;
}
