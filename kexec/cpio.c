// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes the kernel's cpio format.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "kexec/cpio.h"

static const char trailer[] = "TRAILER!!!";

static uint32_t hex_field(const char *header, unsigned index)
{
	const char *s = header + 6 + index * 8;
	uint32_t n = 0;

	for (int i = 0; i < 8; i++) {
		char c = s[i];
		unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
				 : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
				 : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10)
							: 0;
		n = n << 4 | digit;
	}
	return n;
}

// Moves bytes into c->part until it holds `want`; true when it does.
static bool gather(struct cpio_reader *c, const char **data, size_t *len, size_t want)
{
	size_t take = want - c->part.len < *len ? want - c->part.len : *len;

	strbuf_add(&c->part, *data, take);
	*data += take;
	*len -= take;
	c->offset += take;
	return c->part.len == want;
}

static int take_header(struct cpio_reader *c)
{
	const char *h = strbuf_str(&c->part);

	if (memcmp(h, "070701", 6) != 0 && memcmp(h, "070702", 6) != 0)
		return -EBADMSG;
	c->mode = hex_field(h, 1);
	c->size = hex_field(h, 6);
	c->name_len = hex_field(h, 11);
	if (c->name_len == 0 || c->name_len > CPIO_NAME_MAX)
		return -EBADMSG;
	c->part.len = 0;
	c->state = CPIO_AT_NAME;
	return 0;
}

static void take_name(struct cpio_reader *c)
{
	const char *name = strbuf_str(&c->part);

	c->left = c->size;
	c->wanted = false;
	if (strcmp(name, trailer) != 0) {
		while (strncmp(name, "./", 2) == 0)
			name += 2;
		name += strspn(name, "/");
		if (*name)
			c->wanted = c->file(c->arg, name, c->mode, c->size);
	}
	c->part.len = 0;
	c->state = CPIO_AT_DATA;
}

// Skips up to the next multiple of four.
static void skip_padding(struct cpio_reader *c, const char **data, size_t *len)
{
	while (*len && c->offset % 4) {
		(*data)++;
		(*len)--;
		c->offset++;
	}
}

static void take_data(struct cpio_reader *c, const char **data, size_t *len)
{
	size_t take = c->left < *len ? (size_t)c->left : *len;

	if (c->wanted && take)
		c->content(c->arg, *data, take);
	*data += take;
	*len -= take;
	c->offset += take;
	c->left -= take;
	if (c->left == 0)
		c->state = CPIO_AT_PADDING;
}

int cpio_read(struct cpio_reader *c, const void *from, size_t len, size_t *used)
{
	const char *data = from;
	int r;

	*used = 0;
	for (; len; *used = (size_t)(data - (const char *)from)) {
		switch (c->state) {
		case CPIO_AT_PADDING:
			skip_padding(c, &data, &len);
			if (len)
				c->state = CPIO_AT_HEADER;
			break;
		case CPIO_AT_HEADER:
			if (c->part.len == 0 && *data == '\0') {
				data++;
				len--;
				c->offset++;
			} else if (c->part.len == 0 && *data != '0') {
				return 0;
			} else if (gather(c, &data, &len, CPIO_HEADER)) {
				r = take_header(c);
				if (r < 0)
					return r;
			}
			break;
		case CPIO_AT_NAME: // ends at a multiple of four, with its header
			if (gather(c, &data, &len, c->name_len))
				take_name(c);
			break;
		case CPIO_AT_DATA:
			skip_padding(c, &data, &len);
			if (c->left == 0 || len)
				take_data(c, &data, &len);
			break;
		}
	}
	return 0;
}

bool cpio_is_complete(const struct cpio_reader *c)
{
	return (c->state == CPIO_AT_HEADER && c->part.len == 0) ||
	       c->state == CPIO_AT_PADDING || (c->state == CPIO_AT_DATA && c->left == 0);
}

void cpio_reader_done(struct cpio_reader *c)
{
	strbuf_done(&c->part);
}

static size_t aligned(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

static size_t record_size(const char *path, size_t len)
{
	return aligned(CPIO_HEADER + strlen(path) + 1) + aligned(len);
}

// `to` is zeroed, so that all padding is there already.
static char *put_record(char *to, const struct cpio_file *f, unsigned number)
{
	size_t name_len = strlen(f->path) + 1;
	char header[CPIO_HEADER + 1];

	snprintf(header, sizeof(header),
		 "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X", number,
		 f->mode, 0, 0, S_ISDIR(f->mode) ? 2 : 1, 0, (unsigned)f->len, 0, 0, 0, 0,
		 (unsigned)name_len, 0);
	memcpy(to, header, CPIO_HEADER);
	memcpy(to + CPIO_HEADER, f->path, name_len);
	if (f->len)
		memcpy(to + aligned(CPIO_HEADER + name_len), f->data, f->len);
	return to + record_size(f->path, f->len);
}

int cpio_write(const struct cpio_file *files, size_t n, struct secret *ret)
{
	char name[sizeof(trailer)];
	const struct cpio_file end = { .path = name };
	size_t size = record_size(trailer, 0);
	char *at;
	int r;

	memcpy(name, trailer, sizeof(trailer));
	for (size_t i = 0; i < n; i++)
		size += record_size(files[i].path, files[i].len);
	r = secret_new(ret, size);
	if (r < 0)
		return r;
	at = ret->data;
	for (size_t i = 0; i < n; i++)
		at = put_record(at, &files[i], (unsigned)i + 1);
	put_record(at, &end, 0);
	return 0;
}

size_t cpio_padding(uint64_t size)
{
	size_t pad = (size_t)(512 - size % 512) % 512;

	return pad < 4 ? pad + 512 : pad;
}
