// SPDX-License-Identifier: GPL-3.0-or-later
// The machine at one moment, as far as it may disturb a run.
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>

#include "common/clock.h"
#include "common/io.h"
#include "common/mem.h"
#include "common/number.h"
#include "result/machine-moving.h"
#include "suite/watch.h"

// The value of "name 123" in /proc/vmstat; 0 when there is none.
static uint64_t counter(const char *text, const char *name)
{
	size_t len = strlen(name);
	uint64_t value = 0;

	for (const char *l = text; l && *l; l = strchr(l, '\n'), l = l ? l + 1 : NULL) {
		_cleanup_free_ char *word = NULL;

		if (strncmp(l, name, len) != 0 || l[len] != ' ')
			continue;
		word = mem_strndup(l + len + 1, strcspn(l + len + 1, "\n"));
		number_uint(word, &value);
	}
	return value;
}

static void take_memory(struct watch *w, const char *root)
{
	_cleanup_free_ char *path = mem_printf("%s/proc/vmstat", root);
	_cleanup_strbuf_ struct strbuf text = { 0 };
	const char *t;

	io_read_file(path, &text, 1 << 20);
	t = strbuf_str(&text);
	w->swapped = counter(t, "pswpin") + counter(t, "pswpout");
	w->dirty = (counter(t, "nr_dirty") + counter(t, "nr_writeback")) *
		   (uint64_t)sysconf(_SC_PAGESIZE);
}

static void take_cpu(struct watch *w, const char *root)
{
	_cleanup_json_ struct json_object *o = json_new();
	const char *governor;
	int64_t core, package;

	machine_cpu_moving(root, o);
	core = json_get_int(o, "core_throttle_count", -1);
	package = json_get_int(o, "package_throttle_count", -1);
	w->throttles = core < 0 && package < 0
			       ? -1
			       : (core > 0 ? core : 0) + (package > 0 ? package : 0);
	governor = json_get_str(o, "governor");
	w->governor = mem_strdup(governor);
}

// Arrays that resynchronise, check or reshape, whoever owns them: they use the bus.
static char *syncing(const char *root)
{
	_cleanup_free_ char *path = mem_printf("%s/sys/block", root);
	struct strbuf text = { 0 };
	struct dirent *e;
	DIR *dir = opendir(path);

	while (dir && (e = readdir(dir))) {
		_cleanup_free_ char *action = NULL;

		if (strncmp(e->d_name, "md", 2) != 0)
			continue;
		action = io_read_line("%s/%s/md/sync_action", path, e->d_name);
		if (action && strcmp(action, "idle") != 0 &&
		    strcmp(action, "frozen") != 0)
			strbuf_printf(&text, "%s%s (%s)", text.len ? ", " : "", e->d_name,
				      action);
	}
	if (dir)
		closedir(dir);
	return text.len ? strbuf_take(&text) : NULL;
}

static int64_t clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (int64_t)t.tv_sec * (int64_t)CLOCK_SECOND + t.tv_nsec;
}

void watch_take(struct watch *w, const char *root)
{
	_cleanup_json_ struct json_object *supplies = json_new();

	*w = (struct watch){ .kernel_log = -1 };
	diskstats_load(&w->disks, root);
	take_memory(w, root);
	take_cpu(w, root);
	w->wall_offset_ns = clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC);
	w->power = machine_power_source(root, supplies);
	w->syncing = syncing(root);
	if (*root)
		return;
	w->kernel_log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (w->kernel_log >= 0)
		lseek(w->kernel_log, 0, SEEK_END);
}

void watch_done(struct watch *w)
{
	diskstats_done(&w->disks);
	free(w->governor);
	free(w->syncing);
	json_object_put(w->smart);
	if (w->kernel_log >= 0)
		close(w->kernel_log);
	*w = (struct watch){ .kernel_log = -1 };
}
