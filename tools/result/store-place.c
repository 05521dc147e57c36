// SPDX-License-Identifier: GPL-3.0-or-later
// Files of a campaign below one folder: append, replace, copy; each synced.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/io.h"
#include "common/mem.h"
#include "result/store-private.h"

#define NAMES_MAX 1000       // campaigns with one and the same date and run id
#define FILE_MAX  (1u << 30) // bytes; results live in RAM, none is larger

static int sync_dir(const char *dir)
{
	_cleanup_close_ int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 || fsync(fd) < 0 ? -errno : 0;
}

static char *dir_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return mem_strndup(path, slash ? (size_t)(slash - path) : 0);
}

int place_append(const char *dir, const char *path, const void *data, size_t len)
{
	_cleanup_free_ char *full = mem_printf("%s/%s", dir, path);
	_cleanup_close_ int fd = -1;
	bool is_new = !io_exists(full);
	int r;

	fd = open(full, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		return -errno;
	r = io_write_all(fd, data, len);
	if (r == 0 && fsync(fd) < 0)
		r = -errno;
	if (r == 0 && is_new)
		r = sync_dir(dir);
	return r;
}

// Creates the folders above a file and syncs each new one's entry.
static int make_dirs(const char *dir)
{
	_cleanup_free_ char *above = NULL;
	int r;

	if (io_exists(dir))
		return 0;
	above = dir_of(dir);
	r = *above ? make_dirs(above) : 0;
	if (r == 0 && mkdir(dir, 0755) < 0 && errno != EEXIST)
		r = -errno;
	if (r == 0 && *above)
		r = sync_dir(above);
	return r;
}

int place_file(const char *dir, const char *path, const void *data, size_t len)
{
	_cleanup_free_ char *full = mem_printf("%s/%s", dir, path);
	_cleanup_free_ char *above = dir_of(full);
	int r = make_dirs(above);

	return r < 0 ? r : io_replace_file(full, data, len);
}

int place_make(const char *dir, char **path)
{
	_cleanup_free_ char *full = mem_printf("%s/%s", dir, *path);
	_cleanup_free_ char *above = dir_of(full);
	int r = make_dirs(above);

	for (int i = 1; r == 0 && i <= NAMES_MAX; i++) {
		_cleanup_free_ char *name =
			i == 1 ? mem_strdup(*path) : mem_printf("%s-%d", *path, i);
		_cleanup_free_ char *made = mem_printf("%s/%s", dir, name);

		if (mkdir(made, 0755) == 0) {
			free(*path);
			*path = TAKE_PTR(name);
			return sync_dir(above);
		}
		if (errno != EEXIST)
			r = -errno;
	}
	return r < 0 ? r : -EEXIST;
}

static bool same_content(const char *path, const struct strbuf *data)
{
	_cleanup_strbuf_ struct strbuf old = { 0 };

	return io_read_file(path, &old, data->len) == 0 && old.len == data->len &&
	       memcmp(strbuf_str(&old), strbuf_str(data), data->len) == 0;
}

static int copy_file(const char *from, const char *to, const char *name)
{
	_cleanup_free_ char *source = mem_printf("%s/%s", from, name);
	_cleanup_free_ char *target = mem_printf("%s/%s", to, name);
	_cleanup_strbuf_ struct strbuf data = { 0 };
	int r = io_read_file(source, &data, FILE_MAX);

	if (r < 0 || same_content(target, &data))
		return r;
	return io_replace_file(target, strbuf_str(&data), data.len);
}

int place_copy(const char *from, const char *to)
{
	DIR *dir = opendir(from);
	struct dirent *e;
	int r;

	if (!dir)
		return -errno;
	r = make_dirs(to);
	while (r == 0 && (e = readdir(dir))) {
		_cleanup_free_ char *sub = mem_printf("%s/%s", from, e->d_name);
		struct stat st;

		if (e->d_name[0] == '.' || lstat(sub, &st) < 0)
			continue;
		if (S_ISDIR(st.st_mode)) {
			_cleanup_free_ char *sub_to = mem_printf("%s/%s", to, e->d_name);

			r = place_copy(sub, sub_to);
		} else if (S_ISREG(st.st_mode)) {
			r = copy_file(from, to, e->d_name);
		}
	}
	closedir(dir);
	return r;
}
