// SPDX-License-Identifier: GPL-3.0-or-later
// Whole files and whole writes.
#include <ctype.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/io.h"
#include "common/mem.h"
#include "common/number.h"

int io_read_file(const char *path, struct strbuf *out, size_t max)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t total = 0;
	char chunk[4096];
	ssize_t n;

	if (fd < 0)
		return -errno;
	while ((n = read(fd, chunk, sizeof(chunk))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		total += (size_t)n;
		if (total > max)
			return -EFBIG;
		strbuf_add(out, chunk, (size_t)n);
	}
	return 0;
}

static char *first_line(const char *path)
{
	_cleanup_strbuf_ struct strbuf b = { 0 };
	char *start, *end;

	if (io_read_file(path, &b, 64 * 1024) < 0 || !b.data)
		return NULL;
	start = b.data;
	while (isspace((unsigned char)*start))
		start++;
	end = start + strcspn(start, "\n");
	while (end > start && isspace((unsigned char)end[-1]))
		end--;
	return mem_strndup(start, (size_t)(end - start));
}

char *io_read_line(const char *fmt, ...)
{
	_cleanup_free_ char *path = NULL;
	va_list ap;

	va_start(ap, fmt);
	path = mem_vprintf(fmt, ap);
	va_end(ap);
	return first_line(path);
}

int64_t io_read_number(int64_t fallback, const char *fmt, ...)
{
	_cleanup_free_ char *path = NULL, *line = NULL;
	int64_t value;
	va_list ap;

	va_start(ap, fmt);
	path = mem_vprintf(fmt, ap);
	va_end(ap);
	line = first_line(path);
	return line && number_int(line, &value) == 0 ? value : fallback;
}

int io_write_all(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len > 0) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

int io_write_file(const char *path, const char *text)
{
	_cleanup_close_ int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	return io_write_all(fd, text, strlen(text));
}

static int sync_folder_of(const char *path)
{
	_cleanup_free_ char *copy = mem_strdup(path);
	_cleanup_close_ int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || fsync(fd) < 0)
		return -errno;
	return 0;
}

int io_replace_file(const char *path, const void *data, size_t len)
{
	_cleanup_free_ char *tmp = mem_printf("%s.new", path);
	_cleanup_close_ int fd =
		open(tmp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	int r;

	if (fd < 0)
		return -errno;
	r = io_write_all(fd, data, len);
	if (r == 0 && fsync(fd) < 0)
		r = -errno;
	if (r == 0 && rename(tmp, path) < 0)
		r = -errno;
	if (r < 0) {
		unlink(tmp);
		return r;
	}
	return sync_folder_of(path);
}

int io_make_dirs(const char *path)
{
	_cleanup_free_ char *copy = mem_strdup(path);

	for (char *p = copy + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		if (mkdir(copy, 0755) < 0 && errno != EEXIST)
			return -errno;
		*p = '/';
	}
	if (mkdir(copy, 0755) < 0 && errno != EEXIST)
		return -errno;
	return 0;
}

bool io_exists(const char *path)
{
	return access(path, F_OK) == 0;
}
