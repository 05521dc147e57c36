// SPDX-License-Identifier: GPL-3.0-or-later
// Finds what a unified kernel image holds.
#include <fnmatch.h>
#include <string.h>

#include "common/mem.h"
#include "kexec/uki.h"
#include "kexec/version.h"

#define PE_OFFSET_AT 0x3c // of the PE signature, in the DOS header
#define COFF_SIZE    24   // signature and file header
#define SECTION_SIZE 40
#define SECTIONS_MAX 96 // Windows' own limit; UKIs have about ten
#define UKI_TEXT_MAX ((size_t)64 << 10)

static const char *const part_names[UKI_PARTS] = {
	".linux", ".initrd", ".ucode", ".cmdline", ".osrel", ".uname",
};

static uint32_t get16(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static uint32_t get32(const unsigned char *p)
{
	return get16(p) | get16(p + 2) << 16;
}

// The data lies in the file up to the smaller of both sizes: VirtualSize is what it
// holds, SizeOfRawData is rounded up.
static int take_section(const unsigned char *s, uint64_t file_size, struct uki *ret)
{
	uint64_t size = get32(s + 8), raw = get32(s + 16), offset = get32(s + 20);

	if (size == 0 || size > raw)
		size = raw;
	for (size_t i = 0; i < UKI_PARTS; i++) {
		if (strncmp((const char *)s, part_names[i], 8) != 0 || ret->part[i].size)
			continue;
		if (offset > file_size || size > file_size - offset)
			return -EBADMSG;
		ret->part[i].offset = offset;
		ret->part[i].size = size;
	}
	return 0;
}

int uki_parse(const void *data, size_t len, uint64_t file_size, struct uki *ret)
{
	const unsigned char *d = data;
	size_t at, sections, table;

	*ret = (struct uki){ 0 };
	if (len < 64 || d[0] != 'M' || d[1] != 'Z')
		return -EBADMSG;
	at = get32(d + PE_OFFSET_AT);
	if (at > len || len - at < COFF_SIZE || memcmp(d + at, "PE\0\0", 4) != 0)
		return -EBADMSG;
	sections = get16(d + at + 6);
	table = at + COFF_SIZE + get16(d + at + 20);
	if (sections > SECTIONS_MAX || table > len ||
	    (len - table) / SECTION_SIZE < sections)
		return -EBADMSG;
	for (size_t i = 0; i < sections; i++) {
		const unsigned char *s = d + table + i * SECTION_SIZE;

		if (strncmp((const char *)s, ".profile", 8) == 0 &&
		    ret->part[UKI_LINUX].size)
			break; // what follows changes the base for another profile
		if (take_section(s, file_size, ret) < 0)
			return -EBADMSG;
	}
	return ret->part[UKI_LINUX].size ? 0 : -EBADMSG;
}

// Up to `max` bytes at an offset. Returns 0 or -errno.
static int read_part(const struct tree *t, const char *path, uint64_t offset, size_t max,
		     struct strbuf *to)
{
	_cleanup_close_ int fd = tree_open(t, path);
	char part[4096];

	if (fd < 0)
		return fd;
	while (max) {
		size_t want = max < sizeof(part) ? max : sizeof(part);
		ssize_t n = pread(fd, part, want, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		strbuf_add(to, part, (size_t)n);
		offset += (uint64_t)n;
		max -= (size_t)n;
	}
	return 0;
}

int uki_read(const struct tree *t, const char *path, struct uki *ret, struct err *err)
{
	_cleanup_strbuf_ struct strbuf head = { 0 };
	int64_t size = tree_size(t, path);
	int r;

	*ret = (struct uki){ 0 };
	r = size < 0 ? (int)size : read_part(t, path, 0, UKI_HEAD, &head);

	if (r == 0)
		r = uki_parse(strbuf_str(&head), head.len, (uint64_t)size, ret);
	return r < 0 ? err_set(err, r, "%s on %s: %s", path, t->device,
			       r == -EBADMSG ? "no unified kernel image" : strerror(-r))
		     : 0;
}

bool uki_is(const struct tree *t, const char *path)
{
	struct uki u;

	return uki_read(t, path, &u, NULL) == 0;
}

char *uki_text(const struct tree *t, const char *path, const struct uki *u,
	       enum uki_part part)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	uint64_t size = u->part[part].size;
	size_t len;

	if (size == 0 || size > UKI_TEXT_MAX ||
	    read_part(t, path, u->part[part].offset, (size_t)size, &text) < 0)
		return NULL;
	len = strnlen(strbuf_str(&text), text.len);
	while (len && strchr(" \t\r\n", text.data[len - 1]))
		len--;
	return mem_strndup(strbuf_str(&text), len);
}

char *uki_osrel(const char *text, const char *key)
{
	size_t len = strlen(key);

	for (const char *line = text; line && *line;
	     line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		const char *value = line + len + 1;
		size_t n;

		if (strncmp(line, key, len) != 0 || line[len] != '=')
			continue;
		if (*value == '"' || *value == '\'')
			return mem_strndup(
				value + 1,
				strcspn(value + 1, *value == '"' ? "\"\n" : "'\n"));
		n = strcspn(value, " \t\r\n");
		return mem_strndup(value, n);
	}
	return NULL;
}

void uki_describe(const struct tree_list *trees, struct entry *e)
{
	const struct tree *t = &trees->items[e->kernel.tree];
	_cleanup_free_ char *osrel = NULL, *name = NULL, *options = NULL;
	struct uki u;

	if (uki_read(t, e->kernel.path, &u, NULL) < 0)
		return;
	osrel = uki_text(t, e->kernel.path, &u, UKI_OSREL);
	name = osrel ? uki_osrel(osrel, "PRETTY_NAME") : NULL;
	if (!e->version)
		e->version = uki_text(t, e->kernel.path, &u, UKI_UNAME);
	if (!e->title && name)
		e->title = e->version ? mem_printf("%s (%s)", name, e->version)
				      : TAKE_PTR(name);
	// Options beside the image are taken only where it has none of its own.
	options = uki_text(t, e->kernel.path, &u, UKI_CMDLINE);
	if (options) {
		free(e->options);
		e->options = TAKE_PTR(options);
	}
}

static int newest_first(const void *a, const void *b)
{
	return version_compare(*(const char *const *)b, *(const char *const *)a);
}

void uki_load_dir(const struct tree_list *trees, size_t tree, const char *dir,
		  struct entry_list *to)
{
	const struct tree *t = &trees->items[tree];
	char **names = tree_names(t, dir);
	size_t n = 0;

	while (names && names[n])
		n++;
	if (n)
		qsort(names, n, sizeof(*names), newest_first);
	for (size_t i = 0; i < n; i++) {
		struct entry e = { .kind = ENTRY_UKI };

		if (fnmatch("?*.[eE][fF][iI]", names[i], 0) != 0)
			continue;
		e.kernel.tree = tree;
		e.kernel.path = tree_join(dir, names[i]);
		e.id = mem_strdup(names[i]);
		e.source = mem_printf("%s on %s", e.kernel.path, t->device);
		if (uki_is(t, e.kernel.path)) {
			uki_describe(trees, &e);
			if (!entry_known(to, &e)) {
				entry_add(to, &e);
				continue;
			}
		}
		entry_done(&e);
	}
	tree_names_free(names);
}
