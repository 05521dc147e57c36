// SPDX-License-Identifier: GPL-3.0-or-later
// Reads files of a filesystem without leaving it, whatever its links say.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "common/mem.h"
#include "kexec/tree.h"

void tree_add(struct tree_list *list, int root, const char *device, const char *uuid,
	      const char *label)
{
	list->items = mem_grow(list->items, list->n + 1, sizeof(*list->items));
	list->items[list->n++] = (struct tree){
		.device = mem_strdup(device),
		.uuid = mem_strdup(uuid),
		.label = mem_strdup(label),
		.root = root,
	};
}

void tree_list_done(struct tree_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		struct tree *t = &list->items[i];

		free(t->device);
		free(t->uuid);
		free(t->label);
		if (t->root >= 0)
			close(t->root);
	}
	free(list->items);
	*list = (struct tree_list){ 0 };
}

// O_NONBLOCK: a FIFO of that name must not hold us up.
static int open_below(const struct tree *t, const char *path, int flags)
{
	struct open_how how = {
		.flags = (uint64_t)(flags | O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK),
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	long fd = syscall(SYS_openat2, t->root, path, &how, sizeof(how));

	return fd < 0 ? -errno : (int)fd;
}

int tree_open(const struct tree *t, const char *path)
{
	_cleanup_close_ int fd = open_below(t, path, 0);
	struct stat st;

	if (fd < 0)
		return TAKE_FD(fd);
	if (fstat(fd, &st) < 0)
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	return S_ISREG(st.st_mode) ? TAKE_FD(fd) : -EINVAL;
}

int tree_read(const struct tree *t, const char *path, struct strbuf *to, size_t max)
{
	_cleanup_close_ int fd = tree_open(t, path);
	size_t before = to->len;
	char part[4096];
	ssize_t n;

	if (fd < 0)
		return fd;
	while ((n = read(fd, part, sizeof(part))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (to->len - before + (size_t)n > max)
			return -EFBIG;
		strbuf_add(to, part, (size_t)n);
	}
	return 0;
}

bool tree_is_file(const struct tree *t, const char *path)
{
	_cleanup_close_ int fd = tree_open(t, path);

	return fd >= 0;
}

bool tree_is_dir(const struct tree *t, const char *path)
{
	_cleanup_close_ int fd = open_below(t, path, O_DIRECTORY);

	return fd >= 0;
}

int64_t tree_size(const struct tree *t, const char *path)
{
	_cleanup_close_ int fd = tree_open(t, path);
	struct stat st;

	if (fd < 0)
		return fd;
	return fstat(fd, &st) < 0 ? -errno : st.st_size;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

char **tree_names(const struct tree *t, const char *dir)
{
	int fd = open_below(t, dir, O_DIRECTORY);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	char **names;
	size_t n = 0;

	if (!d) {
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	names = mem_new(1, sizeof(*names));
	while ((entry = readdir(d))) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		names = mem_grow(names, n + 2, sizeof(*names));
		names[n++] = mem_strdup(entry->d_name);
		names[n] = NULL;
	}
	closedir(d);
	qsort(names, n, sizeof(*names), by_name);
	return names;
}

void tree_names_free(char **names)
{
	for (size_t i = 0; names && names[i]; i++)
		free(names[i]);
	free(names);
}

char *tree_join(const char *dir, const char *name)
{
	size_t len = strlen(dir);

	while (len > 0 && dir[len - 1] == '/')
		len--;
	return mem_printf("%.*s/%s", (int)len, dir, name + strspn(name, "/"));
}
