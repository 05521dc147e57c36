// SPDX-License-Identifier: GPL-3.0-or-later
// Walks through the segments of an initrd and lists its files.
#include <string.h>

#include "common/mem.h"
#include "kexec/initrd.h"

#define FILES_MAX 200000
#define TEXT_MAX  ((uint64_t)64 << 10)
#define PIECE     ((size_t)64 << 10)

struct walk {
	struct initrd *to;
	struct initrd_file file; // whose content is coming
	struct strbuf text;
};

static void end_file(struct walk *w)
{
	if (!w->file.path)
		return;
	w->file.text = mem_strdup(strbuf_str(&w->text));
	strbuf_done(&w->text);
	w->to->files[w->to->n - 1].text = w->file.text;
	w->file = (struct initrd_file){ 0 };
}

// Links, and what decides how devices are opened, wherever it lies: NixOS links
// /etc/crypttab to a file of its store.
static bool is_kept(const char *name, uint32_t mode)
{
	const char *slash = strrchr(name, '/');

	return S_ISLNK(mode) ||
	       (S_ISREG(mode) && strcmp(slash ? slash + 1 : name, "crypttab") == 0);
}

static bool on_file(void *arg, const char *name, uint32_t mode, uint64_t size)
{
	struct walk *w = arg;
	struct initrd *i = w->to;
	size_t len = strlen(name);

	end_file(w);
	while (len > 1 && name[len - 1] == '/')
		len--;
	if (i->n >= FILES_MAX || strcmp(name, ".") == 0)
		return false;
	// Grows by half: there may be a hundred thousand.
	if ((i->n & (i->n - 1)) == 0)
		i->files = mem_grow(i->files, i->n ? i->n * 2 : 1, sizeof(*i->files));
	i->files[i->n] = (struct initrd_file){
		.path = mem_strndup(name, len),
		.mode = mode,
		.size = size,
		.order = (unsigned)i->n,
	};
	i->unpacked += size;
	if (size == 0 || size > TEXT_MAX || !is_kept(name, mode)) {
		i->n++;
		return false;
	}
	w->file = i->files[i->n++];
	return true;
}

static void on_content(void *arg, const void *data, size_t len)
{
	strbuf_add(&((struct walk *)arg)->text, data, len);
}

// What a decompressor gives must be archives to its end.
static int feed(void *arg, const void *data, size_t len)
{
	size_t used;
	int r = cpio_read(arg, data, len, &used);

	return r < 0 ? r : used < len ? -EBADMSG : 0;
}

static int read_plain(const struct initrd_part *p, uint64_t *at, uint64_t end,
		      struct cpio_reader *c, struct err *err)
{
	size_t used = 0;
	int r = 0;

	while (*at < end && r == 0) {
		char piece[PIECE];
		size_t want =
			end - *at < sizeof(piece) ? (size_t)(end - *at) : sizeof(piece);
		ssize_t n = pread(p->fd, piece, want, (off_t)*at);

		if (n <= 0)
			return err_set(err, n < 0 ? -errno : -EBADMSG,
				       "an initrd ends early");
		r = cpio_read(c, piece, (size_t)n, &used);
		*at += used;
		if (used < (size_t)n)
			break; // a compressed segment, or what is neither
	}
	if (r < 0)
		return err_set(err, r, "initrd, at byte %llu: the archive is damaged",
			       (unsigned long long)*at);
	return 0;
}

// One segment at *at, plain or compressed. Moves *at behind it.
static int read_segment(const struct initrd_part *p, uint64_t *at, uint64_t end,
			struct cpio_reader *c, struct initrd *i, struct err *err)
{
	unsigned char magic[UNPACK_MAGIC];
	uint64_t from = *at, used = 0;
	ssize_t n = pread(p->fd, magic, sizeof(magic), (off_t)from);
	const struct unpack_format *f = unpack_find(magic, n < 0 ? 0 : (size_t)n);
	int r;

	c->offset = 0;
	if (n > 0 && !f && magic[0] != '0')
		return err_set(err, -EBADMSG,
			       "initrd, at byte %llu: neither an archive nor one that is "
			       "compressed in a way that the kernel knows",
			       (unsigned long long)from);
	strbuf_printf(&i->formats, "%s%s", i->formats.len ? " " : "",
		      f ? unpack_name(f) : "cpio");
	if (!f)
		return read_plain(p, at, end, c, err);
	r = unpack(f, p->fd, from, end, &used, feed, c, err);
	*at += used;
	if (r < 0)
		return err_prefix(err, r, "initrd, at byte %llu",
				  (unsigned long long)from);
	if (!cpio_is_complete(c))
		return err_set(err, -EBADMSG,
			       "initrd: the archive at byte %llu ends early",
			       (unsigned long long)from);
	return 0;
}

// Moves *at over zeros. Returns 0 or -errno.
static int skip_zeros(const struct initrd_part *p, uint64_t *at, uint64_t end)
{
	char piece[4096];

	while (*at < end) {
		ssize_t n = pread(p->fd, piece, sizeof(piece), (off_t)*at);

		if (n <= 0)
			return n < 0 ? -errno : -EBADMSG;
		for (ssize_t k = 0; k < n; k++, (*at)++)
			if (piece[k] || *at >= end)
				return 0;
	}
	return 0;
}

static int read_part(const struct initrd_part *p, struct cpio_reader *c, struct initrd *i,
		     struct err *err)
{
	uint64_t at = p->offset, end = p->offset + p->size;
	int r = 0;

	while (r == 0) {
		r = skip_zeros(p, &at, end);
		if (r < 0)
			return err_set(err, r, "an initrd cannot be read: %s",
				       strerror(-r));
		if (at >= end)
			break;
		r = read_segment(p, &at, end, c, i, err);
	}
	return r;
}

static int by_path(const void *a, const void *b)
{
	const struct initrd_file *x = a, *y = b;
	int r = strcmp(x->path, y->path);

	return r ? r : (x->order < y->order ? -1 : x->order > y->order);
}

static void sort_files(struct initrd *i)
{
	size_t keep = 0;

	if (i->n)
		qsort(i->files, i->n, sizeof(*i->files), by_path);
	for (size_t k = 0; k < i->n; k++) {
		if (k + 1 < i->n && strcmp(i->files[k].path, i->files[k + 1].path) == 0) {
			free(i->files[k].path);
			free(i->files[k].text);
			continue;
		}
		i->files[keep++] = i->files[k];
	}
	i->n = keep;
}

int initrd_read(const struct initrd_part *parts, size_t n, struct initrd *ret,
		struct err *err)
{
	struct walk w = { .to = ret };
	struct cpio_reader c = { .file = on_file, .content = on_content, .arg = &w };
	int r = 0;

	*ret = (struct initrd){ 0 };
	for (size_t k = 0; k < n && r == 0; k++)
		r = read_part(&parts[k], &c, ret, err);
	end_file(&w);
	cpio_reader_done(&c);
	sort_files(ret);
	return r;
}

void initrd_done(struct initrd *i)
{
	for (size_t k = 0; k < i->n; k++) {
		free(i->files[k].path);
		free(i->files[k].text);
	}
	free(i->files);
	strbuf_done(&i->formats);
	*i = (struct initrd){ 0 };
}
