// SPDX-License-Identifier: GPL-3.0-or-later
// The directory of an armoured campaign: which file has which name and size.
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "result/recv.h"

#define PATH_MAX_ 255

bool recv_path_ok(const char *path)
{
	static const char allowed[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789._+,=@-";

	if (strlen(path) > PATH_MAX_)
		return false;
	for (const char *p = path;; p++) {
		size_t n = strspn(p, allowed);

		if (n == 0 || p[0] == '.' || (p[n] != '/' && p[n] != '\0'))
			return false;
		p += n;
		if (*p == '\0')
			return true;
	}
}

struct recv_file *recv_dir_file(struct recv_dir *dir, uint32_t file)
{
	for (size_t i = dir->n; i > 0; i--)
		if (dir->files[i - 1].file == file)
			return &dir->files[i - 1];
	return NULL;
}

static struct recv_file *need_file(struct recv_dir *dir, uint32_t file)
{
	struct recv_file *f = recv_dir_file(dir, file);

	if (f)
		return f;
	dir->files = mem_grow(dir->files, dir->n + 1, sizeof(*dir->files));
	f = &dir->files[dir->n++];
	*f = (struct recv_file){ .file = file };
	return f;
}

static bool word_number(char **p, uint64_t *ret)
{
	char *word = strsep(p, " ");

	return word && number_uint(word, ret) == 0;
}

static bool read_open(struct recv_dir *dir, char *rest, int log_line,
		      const struct recv_to *to)
{
	struct recv_file *f;
	uint64_t file;

	if (!word_number(&rest, &file) || file == 0 || file > UINT32_MAX || !rest)
		return false;
	f = need_file(dir, (uint32_t)file);
	f->open_line = log_line;
	if (!recv_path_ok(rest)) {
		fault_add(to->faults, to->log_name, log_line,
			  "file %u: its name in the log is refused (absolute, \"..\" or "
			  "odd characters); it is kept under a name of its own",
			  f->file);
		return true;
	}
	free(f->path);
	f->path = mem_strdup(rest);
	return true;
}

static bool read_close(struct recv_dir *dir, char *rest, int log_line)
{
	struct recv_file *f;
	uint64_t file, bytes;
	char check[9];
	unsigned crc;

	if (!word_number(&rest, &file) || file == 0 || file > UINT32_MAX ||
	    !word_number(&rest, &bytes) || !rest || strlen(rest) != 8 ||
	    sscanf(rest, "%8x", &crc) != 1)
		return false;
	snprintf(check, sizeof(check), "%08x", crc);
	if (strcmp(check, rest) != 0)
		return false;
	f = need_file(dir, (uint32_t)file);
	f->closed = true;
	f->close_line = log_line;
	f->bytes = bytes;
	f->crc = crc;
	return true;
}

static void read_text(struct recv_dir *dir, char *text, int log_line,
		      const struct recv_to *to)
{
	bool ok = false;

	if (strncmp(text, "open ", 5) == 0)
		ok = read_open(dir, text + 5, log_line, to);
	else if (strncmp(text, "close ", 6) == 0)
		ok = read_close(dir, text + 6, log_line);
	else if (strcmp(text, "end") == 0)
		ok = true; // says only that nothing more follows
	if (!ok)
		fault_add(to->faults, to->log_name, log_line,
			  "a line of the directory of files cannot be read");
}

// Whether a chunk begins a line of text. After a hole only its look can tell: no other
// text of the directory holds a blank.
static bool begins(const char *data, size_t len)
{
	return (len > 5 && memcmp(data, "open ", 5) == 0) ||
	       (len > 6 && memcmp(data, "close ", 6) == 0) ||
	       (len == 4 && memcmp(data, "end\n", 4) == 0);
}

void recv_dir_read(struct recv_dir *dir, const struct recv_scan *scan,
		   const struct recv_chunk *chunks, size_t n, const struct recv_to *to)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	bool synced = true;
	uint32_t next = 0;

	for (size_t i = 0; i < n; i++) {
		const char *data = scan->data.data + chunks[i].at;
		size_t len = chunks[i].len;

		if (chunks[i].line != next) {
			text.len = 0;
			synced = false;
		}
		next = chunks[i].line + 1;
		if (!synced && !begins(data, len))
			continue;
		synced = true;
		strbuf_add(&text, data, len);
		if (len == 0 || data[len - 1] != '\n')
			continue;
		text.data[text.len - 1] = '\0';
		if (strlen(text.data) == text.len - 1) // an inner NUL is no text
			read_text(dir, text.data, chunks[i].log_line, to);
		text.len = 0;
	}
}

void recv_dir_done(struct recv_dir *dir)
{
	for (size_t i = 0; i < dir->n; i++)
		free(dir->files[i].path);
	free(dir->files);
	*dir = (struct recv_dir){ 0 };
}
