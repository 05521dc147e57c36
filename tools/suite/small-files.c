// SPDX-License-Identifier: GPL-3.0-or-later
// Many small files, in folders of a thousand.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "common/clock.h"
#include "common/io.h"
#include "common/mem.h"
#include "suite/order.h"
#include "suite/small-files.h"
#include "suite/work.h"

#define PER_DIR     1000 // folders with more files measure how a filesystem looks up
#define TELL_EVERY  4096 // files between two words on progress
#define NAME_MAX_   64
#define STAT_PASSES 10000 // at most: a pass over ten files in a cache takes microseconds

struct round {
	const struct small_files *f;
	int dir, out;
	uint64_t n, told;
	uint32_t *order; // in which they are looked at and deleted
	char *content;
	unsigned passes;
	double create_s, stat_s, delete_s;
};

static double seconds_since(uint64_t start)
{
	return (double)(clock_mono_ns() - start) / 1e9;
}

static void dir_name(char *to, uint64_t i)
{
	snprintf(to, NAME_MAX_, "d%06" PRIu64, i / PER_DIR);
}

static void file_name(char *to, uint64_t i)
{
	snprintf(to, NAME_MAX_, "d%06" PRIu64 "/f%03" PRIu64, i / PER_DIR, i % PER_DIR);
}

// Progress counts the three phases as equal.
static void tell(struct round *r)
{
	if (++r->told % TELL_EVERY == 0)
		work_progress(r->out, r->told < 3 * r->n ? r->told : 3 * r->n, 3 * r->n);
}

static int fail(const struct round *r, const char *what, const char *name)
{
	return work_fail(r->out, -errno, "%s %s/%s: %s", what, r->f->dir, name,
			 strerror(errno));
}

static int create_one(struct round *r, uint64_t i)
{
	_cleanup_close_ int fd = -1;
	char name[NAME_MAX_];

	file_name(name, i);
	fd = openat(r->dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return fail(r, "cannot create", name);
	errno = 0;
	if (r->f->size && io_write_all(fd, r->content, r->f->size) < 0)
		return fail(r, "cannot write", name);
	return 0;
}

static int create_all(struct round *r)
{
	uint64_t start = clock_mono_ns();

	for (uint64_t i = 0; i < r->n; i++) {
		char name[NAME_MAX_];
		int e;

		dir_name(name, i);
		if (i % PER_DIR == 0 && mkdirat(r->dir, name, 0700) < 0)
			return fail(r, "cannot make the folder", name);
		e = create_one(r, i);
		if (e < 0)
			return e;
		tell(r);
	}
	if (syncfs(r->dir) < 0)
		return fail(r, "cannot sync", "");
	r->create_s = seconds_since(start);
	return 0;
}

static int stat_all(struct round *r)
{
	uint64_t start = clock_mono_ns();

	do {
		for (uint64_t i = 0; i < r->n; i++) {
			char name[NAME_MAX_];
			struct stat st;

			file_name(name, r->order[i]);
			if (fstatat(r->dir, name, &st, 0) < 0)
				return fail(r, "cannot look at", name);
			if ((uint64_t)st.st_size != r->f->size)
				return work_fail(r->out, -EIO,
						 "%s/%s has %lld bytes, not %" PRIu64,
						 r->f->dir, name, (long long)st.st_size,
						 r->f->size);
			tell(r);
		}
		r->passes++;
		r->stat_s = seconds_since(start);
	} while (r->stat_s < r->f->least_s && r->passes < STAT_PASSES);
	return 0;
}

static int delete_all(struct round *r)
{
	uint64_t start = clock_mono_ns();

	for (uint64_t i = 0; i < r->n; i++) {
		char name[NAME_MAX_];

		file_name(name, r->order[i]);
		if (unlinkat(r->dir, name, 0) < 0)
			return fail(r, "cannot delete", name);
		tell(r);
	}
	for (uint64_t i = 0; i < r->n; i += PER_DIR) {
		char name[NAME_MAX_];

		dir_name(name, i);
		if (unlinkat(r->dir, name, AT_REMOVEDIR) < 0)
			return fail(r, "cannot remove the folder", name);
	}
	if (syncfs(r->dir) < 0)
		return fail(r, "cannot sync", "");
	r->delete_s = seconds_since(start);
	return 0;
}

// Fisher-Yates, as suite_order(); the bias of a plain remainder does not matter here.
static void shuffle(struct round *r)
{
	uint64_t state = r->f->seed;

	for (uint64_t i = 0; i < r->n; i++)
		r->order[i] = (uint32_t)i;
	for (uint64_t i = r->n; i > 1; i--) {
		uint64_t j = order_next(&state) % i;
		uint32_t kept = r->order[i - 1];

		r->order[i - 1] = r->order[j];
		r->order[j] = kept;
	}
}

static int run_round(struct round *r)
{
	_cleanup_free_ uint32_t *order = mem_new(r->n, sizeof(*order));
	int e;

	r->order = order;
	r->told = 0;
	r->passes = 0;
	shuffle(r);
	e = create_all(r);
	if (e == 0)
		e = stat_all(r);
	return e == 0 ? delete_all(r) : e;
}

uint64_t small_files_next(uint64_t files, double shortest_s, double least_s)
{
	double factor = shortest_s > 0 ? least_s / shortest_s * 4 / 3 : 16;

	if (factor < 2)
		factor = 2;
	if (factor > 16)
		factor = 16;
	return (uint64_t)((double)files * factor);
}

// Why there cannot be `n` files; NULL when there can.
static const char *no_room(const struct round *r, uint64_t n)
{
	struct statvfs s;

	if (n > r->f->most)
		return "there would be more files than `most` allows";
	if (fstatvfs(r->dir, &s) < 0)
		return "the filesystem does not tell how much room it has";
	if (s.f_files && s.f_favail < n + n / PER_DIR + 16)
		return "the filesystem has no inodes for more files";
	if ((uint64_t)s.f_bavail * s.f_frsize / 2 < n * (r->f->size + SMALL_FILES_COST))
		return "the filesystem has no room for more files";
	return NULL;
}

static void say_result(const struct round *r, unsigned rounds, const char *limited)
{
	struct json_object *o = json_new();

	json_set_uint(o, "files", r->n);
	json_set_uint(o, "rounds", rounds);
	json_set_uint(o, "stat_passes", r->passes);
	json_set_double(o, "create_s", r->create_s);
	json_set_double(o, "stat_s", r->stat_s);
	json_set_double(o, "delete_s", r->delete_s);
	if (limited)
		json_set_str(o, "limited", limited);
	work_say(r->out, o);
}

int small_files_run(const struct small_files *f, int out)
{
	_cleanup_free_ char *content = mem_new(f->size + 1, 1);
	struct round r = { .f = f, .out = out, .n = f->files, .content = content };
	_cleanup_close_ int dir = -1;
	const char *limited = NULL;
	unsigned rounds = 0;
	uint64_t state = f->seed;

	for (size_t i = 0; i < f->size; i++)
		content[i] = (char)order_next(&state);
	if (mkdir(f->dir, 0700) < 0)
		return work_fail(out, -errno, "cannot make the folder %s: %s", f->dir,
				 strerror(errno));
	r.dir = dir = open(f->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return work_fail(out, -errno, "cannot open the folder %s: %s", f->dir,
				 strerror(errno));
	for (;;) {
		int e = run_round(&r);
		double shortest = r.create_s < r.delete_s ? r.create_s : r.delete_s;
		uint64_t next = small_files_next(r.n, shortest, f->least_s);

		if (e < 0)
			return e;
		rounds++;
		if (shortest >= f->least_s || (limited = no_room(&r, next)))
			break;
		r.n = next;
	}
	say_result(&r, rounds, limited);
	return 0;
}
