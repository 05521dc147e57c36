// SPDX-License-Identifier: GPL-3.0-or-later
// Walking sysfs: links, parents, folders, and lists of names.
#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <string.h>

#include "common/mem.h"
#include "device/sysfs.h"

static size_t count(char *const *list)
{
	size_t n = 0;

	while (list && list[n])
		n++;
	return n;
}

void names_add(char ***list, const char *name)
{
	size_t n = count(*list);

	if (names_has(*list, name))
		return;
	*list = mem_grow(*list, n + 2, sizeof(char *));
	(*list)[n] = mem_strdup(name);
	(*list)[n + 1] = NULL;
}

bool names_has(char *const *list, const char *name)
{
	for (; list && *list; list++)
		if (strcmp(*list, name) == 0)
			return true;
	return false;
}

void names_free(char **list)
{
	for (char **p = list; p && *p; p++)
		free(*p);
	free(list);
}

char *sysfs_link(const char *dir, const char *name)
{
	_cleanup_free_ char *path = mem_printf("%s/%s", dir, name);
	char target[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof(target) - 1);
	const char *slash;

	if (n <= 0)
		return NULL;
	target[n] = '\0';
	slash = strrchr(target, '/');
	return mem_strdup(slash ? slash + 1 : target);
}

bool sysfs_up(char *dir)
{
	static const char top[] = "/sys/devices/";
	char *slash = strrchr(dir, '/');
	const char *below = strstr(dir, top);

	if (!slash || !below || slash < below + sizeof(top) - 1)
		return false;
	*slash = '\0';
	return true;
}

static int by_name(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

static void dir_close(DIR **d)
{
	if (*d)
		closedir(*d);
}

char **sysfs_names(const char *dir)
{
	_cleanup_(dir_close) DIR *d = opendir(dir);
	const struct dirent *entry;
	char **list = NULL;
	size_t n = 0;

	// No call of names_add(): a folder's names are distinct, and may be many.
	while (d && (entry = readdir(d))) {
		if (entry->d_name[0] == '.')
			continue;
		list = mem_grow(list, n + 2, sizeof(char *));
		list[n++] = mem_strdup(entry->d_name);
		list[n] = NULL;
	}
	if (n)
		qsort(list, n, sizeof(char *), by_name);
	return list;
}

char *sysfs_clean(const void *text, size_t len)
{
	const unsigned char *s = text;
	char *out;

	// Pages are padded with NULs as well as with blanks.
	while (len && (s[0] == '\0' || isspace(s[0])))
		s++, len--;
	while (len && (s[len - 1] == '\0' || isspace(s[len - 1])))
		len--;
	if (len == 0)
		return NULL;
	out = mem_new(len + 1, 1);
	for (size_t i = 0; i < len; i++)
		out[i] = s[i] >= 0x20 && s[i] < 0x7f ? (char)s[i] : '?';
	return out;
}
