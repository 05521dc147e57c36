// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of /proc/self/mountinfo: what is mounted where.
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "common/mem.h"
#include "device/mountinfo.h"

void mount_unescape(char *s)
{
	char *to = s;

	while (*s) {
		bool octal = s[0] == '\\';

		for (int i = 1; octal && i <= 3; i++)
			octal = s[i] >= '0' && s[i] <= '7';
		if (octal) {
			*to++ = (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 |
				       (s[3] - '0'));
			s += 4;
		} else {
			*to++ = *s++;
		}
	}
	*to = '\0';
}

// id parent major:minor root where options [tags...] - type source options
static bool parse_line(char *line, struct mount_line *m)
{
	char *fields[5], *rest = line, *word, *where;
	unsigned major_no, minor_no;
	size_t n = 0;

	while (n < ARRAY_SIZE(fields) && (word = strsep(&rest, " ")))
		fields[n++] = word;
	if (n < ARRAY_SIZE(fields) ||
	    sscanf(fields[2], "%u:%u", &major_no, &minor_no) != 2)
		return false;
	where = fields[4];
	while ((word = strsep(&rest, " ")) && strcmp(word, "-") != 0)
		;
	if (!word || !strsep(&rest, " ") || !(word = strsep(&rest, " ")))
		return false;
	mount_unescape(where);
	mount_unescape(word);
	m->devno = makedev(major_no, minor_no);
	m->where = mem_strdup(where);
	m->source = mem_strdup(word);
	return true;
}

void mount_table_parse(struct mount_table *t, const char *text)
{
	_cleanup_free_ char *copy = mem_strdup(text);
	char *rest = copy, *line;

	while ((line = strsep(&rest, "\n"))) {
		struct mount_line m;

		if (!parse_line(line, &m))
			continue;
		t->items = mem_grow(t->items, t->n + 1, sizeof(m));
		t->items[t->n++] = m;
	}
}

void mount_table_done(struct mount_table *t)
{
	for (size_t i = 0; i < t->n; i++) {
		free(t->items[i].where);
		free(t->items[i].source);
	}
	free(t->items);
	*t = (struct mount_table){ 0 };
}
