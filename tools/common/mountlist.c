// SPDX-License-Identifier: GPL-3.0-or-later
// What is mounted. The format is in the kernel's Documentation/filesystems/proc.rst, 3.5:
// id parent major:minor root dir options [optional...] - fstype source super-options
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "common/mountlist.h"
#include "common/number.h"

char *mountlist_unescape(const char *s)
{
	char *copy = mem_strdup(s), *to = copy;

	while (*s) {
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' &&
		    s[2] <= '7' && s[3] >= '0' && s[3] <= '7') {
			*to++ = (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 |
				       (s[3] - '0'));
			s += 4;
		} else {
			*to++ = *s++;
		}
	}
	*to = '\0';
	return copy;
}

static int parse_devno(char *s, struct mountlist_item *m)
{
	char *colon = strchr(s, ':');
	uint64_t major, minor;

	if (!colon)
		return -EINVAL;
	*colon = '\0';
	if (number_uint(s, &major) < 0 || number_uint(colon + 1, &minor) < 0 ||
	    major > UINT_MAX || minor > UINT_MAX)
		return -EINVAL;
	m->major = (unsigned)major;
	m->minor = (unsigned)minor;
	return 0;
}

static void add_line(struct mountlist *list, char *line)
{
	char *field[6], *save = NULL, *word, *fstype, *source, *super;
	struct mountlist_item m = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(field); i++) {
		field[i] = strtok_r(i == 0 ? line : NULL, " ", &save);
		if (!field[i])
			return;
	}
	if (parse_devno(field[2], &m) < 0)
		return;
	do {
		word = strtok_r(NULL, " ", &save);
	} while (word && strcmp(word, "-") != 0);
	fstype = strtok_r(NULL, " ", &save);
	source = fstype ? strtok_r(NULL, " ", &save) : NULL;
	if (!word || !source)
		return;
	super = strtok_r(NULL, " ", &save);
	m.dir = mountlist_unescape(field[4]);
	m.fstype = mem_strdup(fstype);
	m.source = mountlist_unescape(source);
	m.options = mem_printf("%s;%s", field[5], super ?: "");
	list->items = mem_grow(list->items, list->n + 1, sizeof(m));
	list->items[list->n++] = m;
}

void mountlist_parse(struct mountlist *list, const char *text)
{
	_cleanup_free_ char *copy = mem_strdup(text);
	char *save = NULL;

	*list = (struct mountlist){ 0 };
	for (char *line = strtok_r(copy, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		add_line(list, line);
}

int mountlist_load(struct mountlist *list, const char *path)
{
	_cleanup_strbuf_ struct strbuf b = { 0 };
	int r = io_read_file(path, &b, 4 << 20);

	*list = (struct mountlist){ 0 };
	if (r == 0)
		mountlist_parse(list, strbuf_str(&b));
	return r;
}

static bool of_the_kernel(const struct mountlist_item *m)
{
	static const char *const types[] = {
		"rootfs",    "ramfs",    "tmpfs",   "proc",      "sysfs",   "devpts",
		"devtmpfs",  "cgroup2",  "mqueue",  "hugetlbfs", "debugfs", "securityfs",
		"selinuxfs", "efivarfs", "tracefs", "bpf",       "pstore",  "configfs",
	};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (strcmp(m->fstype, types[i]) == 0)
			return true;
	return false;
}

static void free_one(struct mountlist_item *m)
{
	free(m->dir);
	free(m->fstype);
	free(m->source);
	free(m->options);
}

void mountlist_keep_ending(struct mountlist *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->n; i++) {
		struct mountlist_item *m = &list->items[i];

		if (strcmp(m->dir, "/") == 0 || of_the_kernel(m))
			free_one(m);
		else
			list->items[kept++] = *m;
	}
	list->n = kept;
	for (size_t i = 0; i < kept / 2; i++) {
		struct mountlist_item m = list->items[i];

		list->items[i] = list->items[kept - 1 - i];
		list->items[kept - 1 - i] = m;
	}
}

void mountlist_done(struct mountlist *list)
{
	for (size_t i = 0; i < list->n; i++)
		free_one(&list->items[i]);
	free(list->items);
	*list = (struct mountlist){ 0 };
}
