// SPDX-License-Identifier: GPL-3.0-or-later
// Discards and fills SSDs before the first block.
#include "suite/precondition.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>

#include "common/clock.h"
#include "common/mem.h"
#include "common/process.h"
#include "suite/run.h"

#define PASSES     2
#define SLOWEST    UINT64_C(2000000) // bytes a second; slower is broken
#define TICK_EVERY (30 * CLOCK_SECOND)

struct filling {
	struct runner *runner;
	const char *name;
	uint64_t start, next;
};

static void tick(void *arg)
{
	struct filling *f = arg;
	uint64_t now = clock_mono_ns();

	if (now < f->next)
		return;
	runner_say(f->runner, "preconditioning %s: %" PRIu64 " s", f->name,
		   (now - f->start) / CLOCK_SECOND);
	f->next = now + TICK_EVERY;
}

static bool discard(const char *path, uint64_t size)
{
	_cleanup_close_ int fd = open(path, O_WRONLY | O_EXCL | O_CLOEXEC);
	uint64_t range[2] = { 0, size };

	return fd >= 0 && ioctl(fd, BLKDISCARD, range) == 0;
}

// fio's own random data: they cannot be compressed by the disk.
static int fill(struct filling *f, const char *path, uint64_t size, uint64_t seed,
		struct err *err)
{
	_cleanup_free_ char *file = mem_printf("--filename=%s", path);
	_cleanup_free_ char *random = mem_printf("--randseed=%" PRIu64, seed >> 1);
	_cleanup_free_ char *loops = mem_printf("--loops=%d", PASSES);
	const char *const argv[] = { "fio",
				     "--name=precondition",
				     file,
				     random,
				     loops,
				     "--rw=write",
				     "--bs=128k",
				     "--direct=1",
				     "--ioengine=psync",
				     "--refill_buffers=1",
				     "--end_fsync=1",
				     "--eta=never",
				     NULL };
	struct process p = {
		.argv = argv,
		.dir = run_tmp_dir,
		.timeout_ns = (60 + PASSES * size / SLOWEST) * CLOCK_SECOND,
		.tick = tick,
		.tick_arg = f,
	};
	uint64_t deadline = f->runner->suite->deadline_ns;
	int r;

	if (deadline && deadline < f->start + p.timeout_ns)
		p.timeout_ns = deadline > f->start ? deadline - f->start : 1;
	r = process_run(&p, err);
	process_done(&p);
	return r;
}

static void record(struct runner *r, struct json_object *o)
{
	struct json_object *design = campaign_design(r->suite->campaign), *copy = NULL;
	struct json_object *list = json_get(design, "precondition");
	struct err err = { 0 };

	if (!list) {
		list = json_new_array();
		json_set(design, "precondition", list);
	}
	if (json_object_deep_copy(o, &copy, NULL) == 0)
		json_append(list, copy);
	if (store_record(r->suite->store, o, &err) < 0)
		campaign_warn(r->suite->campaign, "a record was lost: %s", err.text);
}

static int one_target(struct runner *r, const struct target *t)
{
	static const char *const none[] = { NULL };
	const struct device *d = target_device(t);
	_cleanup_free_ char *name = device_title(d);
	struct filling f = { .runner = r, .name = name, .start = clock_mono_ns() };
	struct json_object *o = json_new();
	struct err err = { 0 };
	bool discarded = false;
	int res = target_writable(t) ? guard_recheck(t, none, &err)
				     : err_set(&err, -EROFS, "it may only be read");

	f.next = f.start + TICK_EVERY;
	runner_say(r, "preconditioning %s: %d times %" PRIu64 " MB", name, PASSES,
		   d->size / 1000000);
	if (res == 0) {
		discarded = discard(target_path(t), d->size);
		res = fill(&f, target_path(t), d->size, r->suite->plan->seed, &err);
	}
	json_set_str(o, "kind", "precondition");
	json_set_str(o, "device", name);
	json_set_bool(o, "discarded", discarded);
	json_set_uint(o, "bytes", res < 0 ? 0 : PASSES * d->size);
	json_set_double(o, "seconds", (double)(clock_mono_ns() - f.start) / 1e9);
	json_set_str(o, "outcome",
		     outcome_name(res < 0 ? OUTCOME_ABORTED : OUTCOME_PASSED));
	json_set_str(o, "why", res < 0 ? err.text : NULL);
	record(r, o);
	if (res < 0 && !r->stop)
		r->stop =
			mem_printf("%s could not be preconditioned: %s", name, err.text);
	return res < 0 ? -EIO : 0;
}

int precondition(struct runner *r)
{
	for (size_t i = 0; i < r->suite->n_targets; i++)
		if (one_target(r, r->suite->targets[i]) < 0)
			return -EIO;
	return 0;
}
