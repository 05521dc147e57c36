// SPDX-License-Identifier: GPL-3.0-or-later
// What disturbed a run: two looks at the machine compared.
#include <string.h>

#include "common/clock.h"
#include "common/io.h"
#include "common/mem.h"
#include "common/number.h"
#include "suite/gate.h"
#include "suite/health.h"
#include "suite/watch.h"

// Other disks may be asked for a sector or two (a stick that was just unmounted).
#define OTHER_LEAST ((uint64_t)1 << 20) // bytes
#define OTHER_PART  0.01                // of what the run's own disks moved

#define DIRTY_LEAST ((uint64_t)16 << 20) // bytes, after a sync

// A clock that is slewed moves by 500 parts in a million at most (adjtimex); more is a
// step, and bonnie++ times itself by the wall clock.
#define CLOCK_SLACK (CLOCK_SECOND / 100)
#define CLOCK_PART  1000

static bool is_own(const char *const *own, const char *name)
{
	for (; *own; own++)
		if (strcmp(*own, name) == 0)
			return true;
	return false;
}

static struct json_object *moved_json(const struct diskstats_item *d)
{
	struct json_object *o = json_new();

	json_set_uint(o, "reads", d->reads);
	json_set_uint(o, "read_bytes", d->read_bytes);
	json_set_uint(o, "writes", d->writes);
	json_set_uint(o, "write_bytes", d->write_bytes);
	if (d->discard_bytes)
		json_set_uint(o, "discard_bytes", d->discard_bytes);
	json_set_double(o, "busy_s", (double)d->busy_ms / 1000);
	return o;
}

static uint64_t bytes_of(const struct diskstats_item *d)
{
	return d->read_bytes + d->write_bytes + d->discard_bytes;
}

static bool is_partition(const char *root, const char *name)
{
	_cleanup_free_ char *mark =
		mem_printf("%s/sys/class/block/%s/partition", root, name);

	return io_exists(mark);
}

static void compare_disks(struct run *run, const struct watch *before,
			  const struct watch *after, const char *const *own,
			  const char *root)
{
	struct json_object *mine = json_new(), *others = json_new();
	uint64_t moved = 0;

	for (size_t i = 0; own[i]; i++) {
		struct diskstats_item d =
			diskstats_since(&before->disks, &after->disks, own[i]);

		json_set(mine, own[i], moved_json(&d));
		moved += bytes_of(&d);
	}
	for (size_t i = 0; i < after->disks.n; i++) {
		const char *name = after->disks.items[i].name;
		struct diskstats_item d =
			diskstats_since(&before->disks, &after->disks, name);
		_cleanup_strbuf_ struct strbuf size = { 0 };
		uint64_t bytes = bytes_of(&d);

		if (is_own(own, name) || bytes == 0 || is_partition(root, name))
			continue;
		json_set(others, name, moved_json(&d));
		if (bytes < OTHER_LEAST || (double)bytes < (double)moved * OTHER_PART)
			continue;
		number_format_bytes(&size, bytes);
		gate_trip(run, "other-disk",
			  "%s, which is not part of this arm, moved %s during the run",
			  name, strbuf_str(&size));
	}
	json_set(run->detail, "devices", mine);
	json_set(run->detail, "other_disks", others);
}

static bool has_swap(const struct run *run)
{
	for (size_t i = 0; i < run->arm->n; i++)
		if (strcmp(run->arm->layers[i].kind, "swap") == 0 ||
		    plan_param(run->arm->layers[i].params, run->arm->layers[i].n, "swap"))
			return true;
	return false;
}

static void compare_memory(struct run *run, const struct watch *before,
			   const struct watch *after)
{
	uint64_t pages = after->swapped - before->swapped;
	_cleanup_strbuf_ struct strbuf dirty = { 0 };

	if (after->swapped > before->swapped && !has_swap(run))
		gate_trip(run, "swap", "%llu pages were swapped during the run",
			  (unsigned long long)pages);
	if (before->dirty <= DIRTY_LEAST)
		return;
	number_format_bytes(&dirty, before->dirty);
	gate_trip(run, "writeback",
		  "%s of others' data was still to be written when the run began",
		  strbuf_str(&dirty));
}

static void compare_cpu(struct run *run, const struct watch *before,
			const struct watch *after)
{
	const char *was = before->governor, *is = after->governor;

	if (before->throttles >= 0 && after->throttles > before->throttles)
		gate_trip(run, "throttled",
			  "the CPU was throttled %lld times during the run, because it "
			  "was too hot or drew too much power",
			  (long long)(after->throttles - before->throttles));
	if (was && is && strcmp(was, is) != 0)
		gate_trip(run, "governor",
			  "the rule for CPU frequency changed from %s to %s during the "
			  "run",
			  was, is);
}

static void compare_clock(struct run *run, const struct watch *before,
			  const struct watch *after)
{
	int64_t step = after->wall_offset_ns - before->wall_offset_ns;
	uint64_t size = (uint64_t)(step < 0 ? -step : step);

	if (size <= CLOCK_SLACK + (run->ended_ns - run->started_ns) / CLOCK_PART)
		return;
	gate_trip(run, "clock", "the wall clock was set by %+.3f s during the run",
		  (double)step / CLOCK_SECOND);
}

static void compare_power(struct run *run, const struct watch *before,
			  const struct watch *after)
{
	if (strcmp(before->power, after->power) != 0)
		gate_trip(run, "power", "the machine went from %s to %s during the run",
			  before->power, after->power);
	else if (strcmp(after->power, "mains") != 0)
		gate_flag(run, "power",
			  "the machine runs on %s: firmware may hold its disk and CPU "
			  "back",
			  after->power);
}

// Messages that the kernel itself calls errors; each is "PRIORITY,SEQ,TIME,FLAGS;TEXT".
static void compare_log(struct run *run, const struct watch *before)
{
	_cleanup_free_ char *first = NULL;
	char line[8192];
	unsigned n = 0;
	ssize_t len;

	while (before->kernel_log >= 0 &&
	       ((len = read(before->kernel_log, line, sizeof(line) - 1)) > 0 ||
		(len < 0 && errno == EPIPE))) {
		char *text;

		if (len < 0)
			continue; // some were overwritten before they were read
		line[len] = '\0';
		text = strchr(line, ';');
		// the lowest three bits of the priority are the level, 3 is error
		if (!text || (strtoul(line, NULL, 10) & 7) > 3)
			continue;
		n++;
		if (!first)
			first = mem_strndup(text + 1, strcspn(text + 1, "\n"));
	}
	if (n)
		gate_flag(run, "kernel-log",
			  "the kernel reported %u error%s during the run, first: %s", n,
			  n == 1 ? "" : "s", first);
}

void watch_compare(struct run *run, const struct watch *before, const struct watch *after,
		   const char *const *own, const char *root)
{
	compare_disks(run, before, after, own, root);
	compare_memory(run, before, after);
	compare_cpu(run, before, after);
	compare_clock(run, before, after);
	compare_power(run, before, after);
	if (before->syncing || after->syncing)
		gate_trip(run, "resync", "an array was resynchronising: %s",
			  after->syncing ? after->syncing : before->syncing);
	health_compare(run, before->smart, after->smart);
	compare_log(run, before);
}
