// SPDX-License-Identifier: GPL-3.0-or-later
// Known content, written with barriers and looked for again.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>

#include "common/clock.h"
#include "common/io.h"
#include "common/mem.h"
#include "common/splitmix.h"
#include "stack/node.h"
#include "suite/powercut-log.h"
#include "suite/work.h"

#define FOLDER     "assay-powercut"
#define KINDS      3               // of steps on a filesystem
#define SLOTS_MAX  UINT64_C(16384) // steps of one kind: 64 MiB
#define LOOK_AHEAD 3000            // steps behind the last acknowledged one
#define NAME_MAX_  32
#define TELL_EVERY 256

enum kind { KIND_APPEND, KIND_CREATE, KIND_WITHIN };

enum found { FOUND_WHOLE, FOUND_NOTHING, FOUND_TORN };

struct places {
	const struct powercut_log *log;
	int out;
	int dir, append, within; // on a filesystem
	int device;              // or this one
	uint64_t steps;          // that there are places for
};

void powercut_block(uint64_t seed, uint64_t n, char to[POWERCUT_BLOCK])
{
	uint64_t state = seed ^ (n * UINT64_C(0xd1b54a32d192ed03)), word;

	for (size_t i = 0; i < POWERCUT_BLOCK; i += sizeof(word)) {
		word = splitmix_next(&state);
		memcpy(to + i, &word, sizeof(word));
	}
}

static enum kind kind_of(uint64_t n)
{
	return (enum kind)((n - 1) % KINDS);
}

// Steps of one kind are numbered from 0.
static uint64_t number_of(uint64_t n)
{
	return (n - 1) / KINDS;
}

static off_t offset_of(const struct places *p, uint64_t n)
{
	return (off_t)((p->device >= 0 ? n - 1 : number_of(n)) * POWERCUT_BLOCK);
}

static void file_name(char *to, uint64_t n)
{
	snprintf(to, NAME_MAX_, "step-%06" PRIu64, n);
}

static const char zeros[POWERCUT_BLOCK];

static int fail(const struct places *p, const char *what)
{
	return work_fail(p->out, -errno, "%s on %s: %s", what,
			 p->log->dir ? p->log->dir : p->log->device, strerror(errno));
}

static void close_places(struct places *p)
{
	cleanup_close(&p->dir);
	cleanup_close(&p->append);
	cleanup_close(&p->within);
	cleanup_close(&p->device);
}

// How many steps of each kind there is room for: an eighth of it for each.
static uint64_t slots_for(int dir)
{
	struct statvfs s;
	uint64_t slots;

	if (fstatvfs(dir, &s) < 0)
		return 1;
	slots = (uint64_t)s.f_bavail * s.f_frsize / 8 / POWERCUT_BLOCK;
	if (s.f_files && s.f_favail / 2 < slots)
		slots = s.f_favail / 2;
	return slots < 1 ? 1 : slots < SLOTS_MAX ? slots : SLOTS_MAX;
}

// Opens them; with `make` they are made, and all of it is on the medium afterwards.
static int open_files(struct places *p, bool make)
{
	_cleanup_free_ char *path = mem_printf("%s/" FOLDER, p->log->dir);
	int flags = make ? O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC : O_RDONLY | O_CLOEXEC;

	if (make && mkdir(path, 0700) < 0)
		return fail(p, "cannot make a folder");
	p->dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (p->dir >= 0) {
		p->append = openat(p->dir, "append", flags, 0600);
		p->within = openat(p->dir, "within", flags, 0600);
	}
	if (!make)
		return 0; // what is not there is what we look for
	if (p->dir < 0 || p->append < 0 || p->within < 0)
		return fail(p, "cannot make files");
	p->steps = KINDS * slots_for(p->dir);
	for (uint64_t i = 0; i < p->steps / KINDS; i++)
		if (io_write_all(p->within, zeros, sizeof(zeros)) < 0)
			return fail(p, "cannot write");
	if (fsync(p->within) < 0 || fsync(p->append) < 0 || fsync(p->dir) < 0 ||
	    syncfs(p->dir) < 0)
		return fail(p, "cannot sync");
	return 0;
}

static int open_device(struct places *p, bool make)
{
	struct err err = { 0 };
	uint64_t size;

	if (node_size(p->log->device, &size, &err) < 0)
		return work_fail(p->out, -ENODEV, "%s", err.text);
	p->steps = size / POWERCUT_BLOCK;
	p->device = open(p->log->device, (make ? O_RDWR : O_RDONLY) | O_CLOEXEC);
	return p->device < 0 ? fail(p, "cannot open the device") : 0;
}

static int open_places(struct places *p, const struct powercut_log *log, bool make,
		       int out)
{
	*p = (struct places){ .log = log,
			      .out = out,
			      .dir = -1,
			      .append = -1,
			      .within = -1,
			      .device = -1,
			      .steps = UINT64_MAX };
	return log->dir ? open_files(p, make) : open_device(p, make);
}

static int write_at(const struct places *p, int fd, uint64_t n, const char *block)
{
	ssize_t done = pwrite(fd, block, POWERCUT_BLOCK, offset_of(p, n));

	if (done != POWERCUT_BLOCK || fdatasync(fd) < 0)
		return fail(p, "cannot write");
	return 0;
}

static int create(const struct places *p, uint64_t n, const char *block)
{
	_cleanup_close_ int fd = -1;
	char name[NAME_MAX_];

	file_name(name, n);
	fd = openat(p->dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return fail(p, "cannot make a file");
	if (io_write_all(fd, block, POWERCUT_BLOCK) < 0 || fsync(fd) < 0 ||
	    fsync(p->dir) < 0)
		return fail(p, "cannot write a file");
	return 0;
}

static int step(const struct places *p, uint64_t n)
{
	char block[POWERCUT_BLOCK];

	powercut_block(p->log->seed, n, block);
	if (p->device >= 0)
		return write_at(p, p->device, n, block);
	switch (kind_of(n)) {
	case KIND_APPEND:
		return write_at(p, p->append, n, block);
	case KIND_CREATE:
		return create(p, n, block);
	case KIND_WITHIN:
		break;
	}
	return write_at(p, p->within, n, block);
}

int powercut_write(const struct powercut_log *log, int out)
{
	const struct timespec rest = { .tv_sec = 1 };
	struct places p;
	int r = open_places(&p, log, true, out);

	for (uint64_t n = 1; r == 0 && n <= p.steps; n++) {
		struct json_object *o;

		r = step(&p, n);
		if (r < 0)
			break;
		o = json_new();
		json_set_uint(o, "acknowledged", n);
		work_say(out, o);
	}
	close_places(&p);
	if (r < 0)
		return r;
	for (;;) // full: the power is still to be cut
		nanosleep(&rest, NULL);
}

static enum found compare(const char *have, ssize_t len, const char *want)
{
	if (len == POWERCUT_BLOCK && memcmp(have, want, POWERCUT_BLOCK) == 0)
		return FOUND_WHOLE;
	for (ssize_t i = 0; i < len; i++)
		if (have[i])
			return FOUND_TORN;
	return FOUND_NOTHING;
}

static enum found look_in(const struct places *p, int fd, uint64_t n, const char *want)
{
	char have[POWERCUT_BLOCK];

	return compare(have, fd < 0 ? 0 : pread(fd, have, sizeof(have), offset_of(p, n)),
		       want);
}

static enum found look_at_file(const struct places *p, uint64_t n, const char *want)
{
	_cleanup_close_ int fd = -1;
	char name[NAME_MAX_], have[POWERCUT_BLOCK];

	file_name(name, n);
	fd = p->dir < 0 ? -1 : openat(p->dir, name, O_RDONLY | O_CLOEXEC);
	return compare(have, fd < 0 ? 0 : read(fd, have, sizeof(have)), want);
}

static enum found look(const struct places *p, uint64_t n)
{
	char want[POWERCUT_BLOCK];

	powercut_block(p->log->seed, n, want);
	if (p->device >= 0)
		return look_in(p, p->device, n, want);
	if (kind_of(n) == KIND_CREATE)
		return look_at_file(p, n, want);
	return look_in(p, kind_of(n) == KIND_WITHIN ? p->within : p->append, n, want);
}

// The place of a step, for a person.
static const char *place_of(const struct places *p, uint64_t n)
{
	static const char *const kinds[] = { "a block appended to a file", "a new file",
					     "a block within a file" };

	return p->device >= 0 ? "a block" : kinds[kind_of(n)];
}

int powercut_verify(const struct powercut_log *log, uint64_t acknowledged, int out)
{
	struct json_object *o = json_new();
	struct places p;
	int r = open_places(&p, log, false, out);
	uint64_t end = acknowledged + LOOK_AHEAD, lost = 0, survived = 0, torn = 0;

	for (uint64_t n = 1; r == 0 && n <= end && n <= p.steps; n++) {
		enum found f = look(&p, n);

		if (n % TELL_EVERY == 0)
			work_progress(out, n, end);
		if (n > acknowledged) {
			survived += f == FOUND_WHOLE;
			torn += f == FOUND_TORN;
		} else if (f != FOUND_WHOLE && lost++ == 0) {
			json_set_uint(o, "first_lost", n);
			json_set_str(o, "what", place_of(&p, n));
		}
	}
	close_places(&p);
	json_set_uint(o, "acknowledged", acknowledged);
	json_set_uint(o, "lost", lost);
	json_set_uint(o, "survived", survived);
	json_set_uint(o, "torn", torn);
	if (r == 0)
		work_say(out, o);
	else
		json_object_put(o);
	return r;
}
