// SPDX-License-Identifier: GPL-3.0-or-later
// The cgroup around a run, on a folder that looks like one.
#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/io.h"
#include "common/mem.h"
#include "suite/cgroup.h"

static char root[] = "/tmp/assay-cgroup-XXXXXX";

static void put(const char *name, const char *text)
{
	_cleanup_free_ char *path = mem_printf("%s/%s", root, name);

	assert_int_equal(io_replace_file(path, text, strlen(text)), 0);
}

static char *get(const char *name)
{
	return io_read_line("%s/%s", root, name);
}

static int set_up(void **state)
{
	_cleanup_free_ char *run = NULL;

	(void)state;
	if (!mkdtemp(root))
		return -1;
	run = mem_printf("%s/assay/run-0001", root);
	return io_make_dirs(run);
}

static int clean_up(void **state)
{
	_cleanup_free_ char *command = mem_printf("%s", root);
	char *argv[] = { (char[]){ "rm" }, (char[]){ "-rf" }, command, NULL };
	pid_t pid = fork();

	(void)state;
	if (pid == 0)
		execvp("rm", argv);
	return 0;
}

static void none_without_cgroup_2(void **state)
{
	char *path = root;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(cgroup_new(root, "run-0001", &path, &err), -ENOTSUP);
	assert_null(path);
}

static void caps_counts_and_fails_with_reason(void **state)
{
	_cleanup_json_ struct json_object *usage = json_new();
	_cleanup_free_ char *max = NULL, *control = NULL;
	struct err err = { 0 };
	char *path;

	(void)state;
	put("cgroup.controllers", "cpu io memory\n");
	put("cgroup.subtree_control", "");
	put("assay/cgroup.subtree_control", "");
	put("assay/run-0001/cpu.stat",
	    "usage_usec 2500000\nuser_usec 2000000\nsystem_usec 500000\n");
	put("assay/run-0001/memory.peak", "33554432\n");
	put("assay/run-0001/memory.events", "low 0\noom 2\noom_kill 1\n");
	assert_int_equal(cgroup_new(root, "run-0001", &path, &err), 0);
	control = get("cgroup.subtree_control");
	assert_non_null(strstr(control, "+io"));
	assert_int_equal(cgroup_cap(path, 64 << 20, &err), -ENOENT); // no memory there
	assert_non_null(strstr(err.text, "memory.max"));
	put("assay/run-0001/memory.max", "max\n");
	assert_int_equal(cgroup_cap(path, 64 << 20, &err), 0);
	max = get("assay/run-0001/memory.max");
	assert_int_equal(strncmp(max, "67108864", 8), 0);
	cgroup_usage(path, usage);
	assert_true(json_get_double(usage, "cpu_s", 0) == 2.5);
	assert_true(json_get_double(usage, "cpu_system_s", 0) == 0.5);
	assert_int_equal(json_get_int(usage, "memory_peak", 0), 32 << 20);
	assert_int_equal(json_get_int(usage, "oom_kills", 0), 1);
	// plain files keep the folder from being removed, as processes would
	assert_int_equal(cgroup_free(path, &err), -ENOTEMPTY);
}

static void removes_what_it_made(void **state)
{
	_cleanup_free_ char *copy = NULL;
	struct err err = { 0 };
	char *path;

	(void)state;
	assert_int_equal(cgroup_new(root, "run-0002", &path, &err), 0);
	copy = mem_strdup(path);
	assert_true(io_exists(copy));
	assert_int_equal(cgroup_free(path, &err), 0);
	assert_false(io_exists(copy));
	assert_int_equal(cgroup_free(NULL, &err), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(none_without_cgroup_2),
		cmocka_unit_test(caps_counts_and_fails_with_reason),
		cmocka_unit_test(removes_what_it_made),
	};

	return cmocka_run_group_tests(tests, set_up, clean_up);
}
