// SPDX-License-Identifier: GPL-3.0-or-later
// What is mounted and what is swapped to.
#include <string.h>
#include <sys/mount.h>
#include <time.h>

#include "common/clock.h"
#include "common/mem.h"
#include "stack/mounts.h"
#include "stack/node.h"

const struct mountlist_item *mount_at(const struct mountlist *list, const char *dir)
{
	for (size_t i = list->n; i-- > 0;)
		if (strcmp(list->items[i].dir, dir) == 0)
			return &list->items[i];
	return NULL;
}

char **mount_swaps(const char *text)
{
	_cleanup_free_ char *copy = mem_strdup(text);
	char **paths = mem_new(1, sizeof(*paths)), *save = NULL;
	size_t n = 0;

	for (char *line = strtok_r(copy, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		size_t len = strcspn(line, " \t");

		if (line[0] != '/' || line[len] == '\0')
			continue; // the headline
		line[len] = '\0';
		paths = mem_grow(paths, n + 2, sizeof(*paths));
		paths[n++] = mountlist_unescape(line);
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

void mount_describe(const char *dir, struct json_object *to)
{
	_cleanup_mountlist_ struct mountlist list = { 0 };
	const struct mountlist_item *m;

	mountlist_load(&list, "/proc/self/mountinfo");
	m = dir ? mount_at(&list, dir) : NULL;
	if (!m)
		return;
	json_set_str(to, "mounted_at", m->dir);
	json_set_str(to, "fstype", m->fstype);
	json_set_str(to, "mount_options", m->options);
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
