// SPDX-License-Identifier: GPL-3.0-or-later
// A cgroup-v2 folder around one run.
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "common/io.h"
#include "common/mem.h"
#include "common/number.h"
#include "common/strbuf.h"
#include "suite/cgroup.h"

#define WAIT_STEPS 100 // of 100 ms: how long killed processes may take to go

static int write_in(const char *path, const char *file, const char *text)
{
	_cleanup_free_ char *full = mem_printf("%s/%s", path, file);

	return io_write_file(full, text);
}

// Each alone: one that the kernel lacks must not take the others with it.
static void enable_controllers(const char *path)
{
	static const char *const which[] = { "+memory", "+cpu", "+io" };

	for (size_t i = 0; i < ARRAY_SIZE(which); i++)
		write_in(path, "cgroup.subtree_control", which[i]);
}

int cgroup_new(const char *root, const char *name, char **ret, struct err *err)
{
	_cleanup_free_ char *probe = mem_printf("%s/cgroup.controllers", root);
	_cleanup_free_ char *parent = mem_printf("%s/assay", root);
	_cleanup_free_ char *path = mem_printf("%s/%s", parent, name);

	*ret = NULL;
	if (!io_exists(probe))
		return err_set(err, -ENOTSUP, "%s is no cgroup v2", root);
	enable_controllers(root);
	if (mkdir(parent, 0755) < 0 && errno != EEXIST)
		return err_set(err, -errno, "%s: %s", parent, strerror(errno));
	enable_controllers(parent);
	if (mkdir(path, 0755) < 0 && errno != EEXIST)
		return err_set(err, -errno, "%s: %s", path, strerror(errno));
	*ret = TAKE_PTR(path);
	return 0;
}

int cgroup_cap(const char *path, uint64_t bytes, struct err *err)
{
	_cleanup_free_ char *text = mem_printf("%" PRIu64, bytes);
	int r = write_in(path, "memory.max", text);

	if (r < 0)
		return err_set(err, r, "%s/memory.max: %s", path, strerror(-r));
	write_in(path, "memory.swap.max", "0"); // absent where the kernel has no swap
	return 0;
}

// The value of a key in a file of "key value" lines.
static int flat_value(const char *path, const char *file, const char *key, uint64_t *ret)
{
	_cleanup_free_ char *full = mem_printf("%s/%s", path, file);
	_cleanup_strbuf_ struct strbuf text = { 0 };
	char *save = NULL;
	size_t len = strlen(key);

	if (io_read_file(full, &text, 64 * 1024) < 0 || !text.data)
		return -ENOENT;
	for (char *line = strtok_r(text.data, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		if (strncmp(line, key, len) == 0 && line[len] == ' ')
			return number_uint(line + len + 1, ret);
	return -ENOENT;
}

void cgroup_usage(const char *path, struct json_object *to)
{
	static const struct {
		const char *key, *name;
	} times[] = {
		{ "usage_usec", "cpu_s" },
		{ "user_usec", "cpu_user_s" },
		{ "system_usec", "cpu_system_s" },
	};
	int64_t peak = io_read_number(-1, "%s/memory.peak", path);
	uint64_t value;

	for (size_t i = 0; i < ARRAY_SIZE(times); i++)
		if (flat_value(path, "cpu.stat", times[i].key, &value) == 0)
			json_set_double(to, times[i].name, (double)value / 1e6);
	if (peak >= 0)
		json_set_int(to, "memory_peak", peak);
	if (flat_value(path, "memory.events", "oom_kill", &value) == 0 && value)
		json_set_uint(to, "oom_kills", value);
}

// For kernels before 5.14, which have no cgroup.kill.
static void kill_each(const char *path)
{
	_cleanup_free_ char *full = mem_printf("%s/cgroup.procs", path);
	_cleanup_strbuf_ struct strbuf text = { 0 };
	char *save = NULL;
	int64_t pid;

	if (io_read_file(full, &text, 1 << 20) < 0 || !text.data)
		return;
	for (char *line = strtok_r(text.data, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		if (number_int(line, &pid) == 0 && pid > 1)
			kill((pid_t)pid, SIGKILL);
}

int cgroup_free(char *path, struct err *err)
{
	_cleanup_free_ char *own = path;
	const struct timespec step = { .tv_nsec = 100 * 1000 * 1000 };
	uint64_t populated;

	if (!path)
		return 0;
	for (int i = 0; i < WAIT_STEPS; i++) {
		if (flat_value(path, "cgroup.events", "populated", &populated) < 0 ||
		    !populated)
			break;
		if (write_in(path, "cgroup.kill", "1") < 0)
			kill_each(path);
		nanosleep(&step, NULL);
	}
	if (rmdir(path) < 0 && errno != ENOENT)
		return err_set(err, -errno, "%s: %s", own, strerror(errno));
	return 0;
}
