// SPDX-License-Identifier: GPL-3.0-or-later
// The store's medium: proven before anything is destroyed, and filled up after it was
// away. It is open only while something is written.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "common/io.h"
#include "common/mem.h"
#include "result/past.h"
#include "result/store-private.h"

#define PROBE      "probe.new"
#define PROBE_SIZE 65536u // bytes; a whole number of any sector or cluster

static const char *medium_name(const struct store *s)
{
	return s->medium.name ? s->medium.name : "results medium";
}

static char *campaign_dir(const struct store *s, const char *root)
{
	return mem_printf("%s/%s", root, s->path);
}

// Makes the campaign's folder on the medium, exclusively, and notes that it is the
// newest: names sort by a clock that may be wrong.
static int make_folder(struct store *s, const char *root)
{
	_cleanup_free_ char *old = mem_strdup(s->path), *made = NULL;
	int r = place_make(root, &s->path);

	if (r < 0)
		return r;
	if (strcmp(old, s->path) != 0) { // the RAM's copy goes by the same name
		char *ram = mem_printf("%s/%s", s->ram_dir, s->path);

		if (rename(s->ram_path, ram) == 0) {
			free(s->ram_path);
			s->ram_path = TAKE_PTR(ram);
		}
		free(ram);
	}
	made = campaign_dir(s, root);
	s->medium_made = true;
	return past_mark_newest(made);
}

int medium_open(struct store *s, char **dir, struct err *err)
{
	const char *root = NULL;
	int r = s->medium.open(s->medium.arg, &root, err);

	if (r < 0)
		return r;
	*dir = campaign_dir(s, root);
	if (!s->medium_made) {
		r = make_folder(s, root);
		free(*dir);
		*dir = campaign_dir(s, root);
	}
	if (r < 0) {
		free(TAKE_PTR(*dir));
		err_set(err, r, "%s: cannot create %s: %s", medium_name(s), s->path,
			strerror(-r));
		s->medium.close(s->medium.arg, NULL);
	}
	return r;
}

int medium_close(struct store *s, int r, struct err *err)
{
	struct err close_err = { 0 };
	int closed = s->medium.close(s->medium.arg, &close_err);

	if (r == 0 && closed < 0) {
		if (err)
			*err = close_err;
		r = closed;
	}
	return r;
}

static void fill_probe(char *to)
{
	uint32_t x = 0x9e3779b9; // any pattern that a stuck line cannot imitate

	for (size_t i = 0; i < PROBE_SIZE; i++) {
		x = x * 1664525 + 1013904223;
		to[i] = (char)(x >> 24);
	}
}

// The buffer is aligned for O_DIRECT.
static int read_with(const char *path, char *to, int flags)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | flags);
	size_t at = 0;

	if (fd < 0)
		return -errno;
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	while (at < PROBE_SIZE) {
		ssize_t n = read(fd, to + at, PROBE_SIZE - at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			return -EIO;
		at += (size_t)n;
	}
	return 0;
}

// Reads past the page cache where the filesystem can; else after asking the kernel to
// drop it.
static int read_probe(const char *path, char *to)
{
	int r = read_with(path, to, O_DIRECT);

	return r == -EINVAL ? read_with(path, to, 0) : r;
}

static int write_probe(const char *path, const char *data)
{
	_cleanup_close_ int fd =
		open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	int r;

	if (fd < 0)
		return -errno;
	r = io_write_all(fd, data, PROBE_SIZE);
	if (r == 0 && fsync(fd) < 0)
		r = -errno;
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	return r;
}

static int probe(const struct store *s, const char *dir, struct err *err)
{
	_cleanup_free_ char *path = mem_printf("%s/" PROBE, dir);
	_cleanup_free_ char *wanted = mem_new(PROBE_SIZE, 1);
	_cleanup_free_ void *got = NULL;
	int r;

	if (posix_memalign(&got, 4096, PROBE_SIZE) != 0)
		return err_set(err, -ENOMEM, "out of memory");
	memset(got, 0, PROBE_SIZE);
	fill_probe(wanted);
	r = write_probe(path, wanted);
	if (r < 0) {
		unlink(path);
		return err_set(err, r,
			       "%s: cannot be written: %s; nothing was done to any disk; "
			       "use another stick",
			       medium_name(s), strerror(-r));
	}
	r = read_probe(path, got);
	if (unlink(path) < 0 && r == 0)
		r = -errno;
	if (r < 0)
		return err_set(err, r, "%s: what was written cannot be read back: %s",
			       medium_name(s), strerror(-r));
	if (memcmp(got, wanted, PROBE_SIZE) != 0)
		return err_set(err, -EIO,
			       "%s: reads back other bytes than were written; it is "
			       "broken or smaller than it says; use another stick",
			       medium_name(s));
	return 0;
}

static int check_space(const struct store *s, const char *dir, uint64_t need,
		       struct err *err)
{
	struct statvfs st;
	uint64_t room;

	if (statvfs(dir, &st) < 0)
		return err_set(err, -errno, "%s: free space is not known: %s",
			       medium_name(s), strerror(errno));
	room = (uint64_t)st.f_bavail * st.f_frsize;
	if (st.f_flag & ST_RDONLY)
		return err_set(err, -EROFS,
			       "%s: is mounted read-only; is it write "
			       "protected?",
			       medium_name(s));
	if (room >= need + PROBE_SIZE)
		return 0;
	return err_set(err, -ENOSPC,
		       "%s: %llu bytes are free, the results need %llu; make room on it "
		       "or use another stick",
		       medium_name(s), (unsigned long long)room,
		       (unsigned long long)need + PROBE_SIZE);
}

// Copies what the medium lacks, unless `r` says that it already failed, and closes it.
static int fill_and_close(struct store *s, const char *dir, int r, struct err *err)
{
	if (r == 0) {
		r = place_copy(s->ram_path, dir);
		if (r == 0) // another stick than before has no such note yet
			r = past_mark_newest(dir);
		if (r < 0)
			err_set(err, r, "%s: cannot be written: %s", medium_name(s),
				strerror(-r));
	}
	r = medium_close(s, r, err);
	if (r == 0)
		s->medium_failed = false;
	return r;
}

int store_prove(struct store *s, uint64_t need, struct err *err)
{
	_cleanup_free_ char *dir = NULL;
	int r;

	if (!s->medium.open)
		return 0;
	r = medium_open(s, &dir, err);
	if (r < 0)
		return r;
	r = check_space(s, dir, need, err);
	if (r == 0)
		r = probe(s, dir, err);
	return fill_and_close(s, dir, r, err);
}

int store_catch_up(struct store *s, const struct store_medium *medium, struct err *err)
{
	_cleanup_free_ char *dir = NULL;
	int r;

	if (medium)
		s->medium = *medium;
	if (!s->medium.open)
		return 0;
	r = medium_open(s, &dir, err);
	if (r < 0)
		return r;
	return fill_and_close(s, dir, 0, err);
}
