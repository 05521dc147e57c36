// SPDX-License-Identifier: GPL-3.0-or-later
// Paths within an initrd: its links are followed as in the booted system.
#include <string.h>

#include "common/mem.h"
#include "kexec/initrd.h"

#define LINKS_MAX 40 // followed for one path, as the kernel does

static const struct initrd_file *exact(const struct initrd *i, const char *path)
{
	size_t low = 0, high = i->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int r = strcmp(i->files[middle].path, path);

		if (r == 0)
			return &i->files[middle];
		if (r < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

// Appends one part of a path, "." and ".." as the kernel takes them.
static void descend(struct strbuf *to, const char *part, size_t len)
{
	if (len == 0 || (len == 1 && part[0] == '.'))
		return;
	if (len == 2 && part[0] == '.' && part[1] == '.') {
		const char *slash = to->len ? strrchr(to->data, '/') : NULL;

		to->len = slash ? (size_t)(slash - to->data) : 0;
		if (to->data)
			to->data[to->len] = '\0';
		return;
	}
	if (to->len)
		strbuf_puts(to, "/");
	strbuf_add(to, part, len);
}

// The path with every link followed, that of the last part only with `last`. NULL when
// the links go round in circles. The caller frees.
static char *resolve(const struct initrd *i, const char *path, bool last)
{
	_cleanup_strbuf_ struct strbuf done = { 0 };
	char *rest = mem_strdup(path);
	unsigned links = 0;

	for (char *at = rest; *at;) {
		size_t before = done.len, len = strcspn(at, "/");
		const struct initrd_file *f;
		char *next = at + len + strspn(at + len, "/");

		descend(&done, at, len);
		f = exact(i, strbuf_str(&done));
		at = next;
		if (!f || !S_ISLNK(f->mode) || !f->text || (!*next && !last))
			continue;
		if (++links > LINKS_MAX) {
			free(rest);
			return NULL;
		}
		// Goes on from the link's folder, or the root, with its target in place.
		done.len = f->text[0] == '/' ? 0 : before;
		if (done.data)
			done.data[done.len] = '\0';
		at = mem_printf("%s%s%s", f->text, *next ? "/" : "", next);
		free(rest);
		rest = at;
		at += strspn(at, "/");
	}
	free(rest);
	return mem_strdup(strbuf_str(&done));
}

const struct initrd_file *initrd_find(const struct initrd *i, const char *path)
{
	_cleanup_free_ char *real = resolve(i, path, false);

	return real ? exact(i, real) : NULL;
}

bool initrd_has(const struct initrd *i, const char *path)
{
	return initrd_find(i, path) != NULL;
}

const char *initrd_text(const struct initrd *i, const char *path)
{
	_cleanup_free_ char *real = resolve(i, path, true);
	const struct initrd_file *f = real ? exact(i, real) : NULL;

	return f && S_ISREG(f->mode) ? f->text : NULL;
}

char *initrd_place(const struct initrd *i, const char *path)
{
	return resolve(i, path, false);
}
