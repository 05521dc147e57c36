// SPDX-License-Identifier: GPL-3.0-or-later
// What is mounted and what is swapped to.
#include <string.h>
#include <sys/mount.h>
#include <sys/sysmacros.h>
#include <time.h>

#include "common/clock.h"
#include "common/io.h"
#include "common/mem.h"
#include "common/number.h"
#include "stack/mounts.h"
#include "stack/node.h"

#define MOUNTINFO_MAX (4u << 20)
#define FIELDS_MAX    32

// The kernel writes blank, tab, newline and backslash as three octal digits.
static char *unescape(const char *s)
{
	char *copy = mem_strdup(s), *to = copy;

	for (; *s; s++) {
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' &&
		    s[2] <= '7' && s[3] >= '0' && s[3] <= '7') {
			*to++ = (char)((s[1] - '0') * 64 + (s[2] - '0') * 8 + s[3] - '0');
			s += 3;
		} else {
			*to++ = *s;
		}
	}
	*to = '\0';
	return copy;
}

static size_t split(char *line, char **fields, size_t max)
{
	char *save = NULL;
	size_t n = 0;

	for (char *f = strtok_r(line, " \t", &save); f && n < max;
	     f = strtok_r(NULL, " \t", &save))
		fields[n++] = f;
	return n;
}

static int parse_devno(char *s, dev_t *ret)
{
	char *colon = strchr(s, ':');
	uint64_t major, minor;

	if (!colon)
		return -EINVAL;
	*colon = '\0';
	if (number_uint(s, &major) < 0 || number_uint(colon + 1, &minor) < 0)
		return -EINVAL;
	*ret = makedev((unsigned)major, (unsigned)minor);
	return 0;
}

// 36 35 98:0 /root /dir rw,noatime master:1 - ext3 /dev/root rw,errors=continue
static void parse_line(struct mount_list *list, char *line)
{
	char *f[FIELDS_MAX];
	size_t n = split(line, f, FIELDS_MAX), dash = 6;
	struct mount *m;
	dev_t devno;

	while (dash < n && strcmp(f[dash], "-") != 0)
		dash++;
	if (n < 7 || dash + 2 >= n || parse_devno(f[2], &devno) < 0)
		return;
	list->items = mem_grow(list->items, list->n + 1, sizeof(*list->items));
	m = &list->items[list->n++];
	m->devno = devno;
	m->dir = unescape(f[4]);
	m->fstype = mem_strdup(f[dash + 1]);
	m->source = unescape(f[dash + 2]);
	m->options = mem_printf("%s;%s", f[5], dash + 3 < n ? f[dash + 3] : "");
}

void mount_parse(struct mount_list *list, const char *text)
{
	_cleanup_free_ char *copy = mem_strdup(text);
	char *save = NULL;

	*list = (struct mount_list){ 0 };
	for (char *line = strtok_r(copy, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		parse_line(list, line);
}

int mount_load(struct mount_list *list)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	int r = io_read_file("/proc/self/mountinfo", &text, MOUNTINFO_MAX);

	mount_parse(list, r < 0 ? "" : strbuf_str(&text));
	return r;
}

const struct mount *mount_at(const struct mount_list *list, const char *dir)
{
	for (size_t i = list->n; i-- > 0;)
		if (strcmp(list->items[i].dir, dir) == 0)
			return &list->items[i];
	return NULL;
}

void mount_list_done(struct mount_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->items[i].dir);
		free(list->items[i].fstype);
		free(list->items[i].source);
		free(list->items[i].options);
	}
	free(list->items);
	*list = (struct mount_list){ 0 };
}

char **mount_swaps(const char *text)
{
	_cleanup_free_ char *copy = mem_strdup(text);
	char **paths = mem_new(1, sizeof(*paths)), *save = NULL;
	size_t n = 0;

	for (char *line = strtok_r(copy, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		char *f[2];

		if (line[0] != '/' || split(line, f, 2) < 2)
			continue; // the headline
		paths = mem_grow(paths, n + 2, sizeof(*paths));
		paths[n++] = unescape(f[0]);
		paths[n] = NULL;
	}
	return paths;
}

void mount_swaps_free(char **paths)
{
	for (size_t i = 0; paths && paths[i]; i++)
		free(paths[i]);
	free(paths);
}

// A tool that was left behind may hold it for a moment. Not lazily: what is detached but
// alive would keep the device busy and unseen.
int mount_remove(const char *dir)
{
	static const struct timespec pause = { .tv_nsec = 100000000 };
	uint64_t deadline = clock_mono_ns() + NODE_PATIENCE;

	while (umount2(dir, UMOUNT_NOFOLLOW) < 0) {
		if (errno == EINVAL || errno == ENOENT)
			return 0; // not mounted (any more)
		if (errno != EBUSY || clock_mono_ns() >= deadline)
			return -errno;
		nanosleep(&pause, NULL);
	}
	return 0;
}
