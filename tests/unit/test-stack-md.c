// SPDX-License-Identifier: GPL-3.0-or-later
// md arrays as sysfs shows them: names, layouts, waiting.
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/clock.h"
#include "common/io.h"
#include "common/mem.h"
#include "stack/md.h"

static char dir[] = "/tmp/assay-md-XXXXXX";

static void put(const char *file, const char *text)
{
	_cleanup_free_ char *path = mem_printf("%s/%s", dir, file);

	assert_int_equal(io_replace_file(path, text, strlen(text)), 0);
}

static int make_dir(void **state)
{
	_cleanup_free_ char *member = NULL;

	(void)state;
	if (!mkdtemp(dir))
		return -1;
	member = mem_printf("%s/dev-sdb", dir);
	return mkdir(member, 0755);
}

static int remove_dir(void **state)
{
	static const char *const files[] = {
		"dev-sdb/slot", "dev-sdb/state", "dev-sdb/offset", "dev-sdb/size",
		"dev-sdb",      "sync_action",   "sync_completed", "level",
		"layout",       "raid_disks",    "chunk_size",     "metadata_version",
		"array_state",  "degraded",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		_cleanup_free_ char *path = mem_printf("%s/%s", dir, files[i]);

		remove(path);
	}
	return rmdir(dir);
}

static void names_fit_the_kernel(void **state)
{
	_cleanup_free_ char *plain = md_kernel_name("assay-plain-1");
	_cleanup_free_ char *a = md_kernel_name("assay-an-arm-with-a-long-name-of-32-1");
	_cleanup_free_ char *b = md_kernel_name("assay-an-arm-with-a-long-name-of-32-2");

	(void)state;
	assert_string_equal(plain, "md_assay-plain-1");
	assert_int_equal(strlen(a), 31);
	assert_int_equal(strncmp(a, "md_assay-an-arm-with-", 21), 0);
	assert_string_not_equal(a, b);
}

// Numbers of arrays that mdadm 4.2 made with these layouts.
static void layouts(void **state)
{
	static const struct {
		uint64_t number;
		const char *text;
	} rows[] = { { 0x102, "n2" }, { 0x103, "n3" },   { 0x201, "f2" },
		     { 0x301, "f3" }, { 0x10201, "o2" }, { 0, "" } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_strbuf_ struct strbuf text = { 0 };

		md_layout_text(rows[i].number, &text);
		assert_string_equal(strbuf_str(&text), rows[i].text);
	}
}

static void waiting_is_bounded(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_int_equal(md_wait_idle(dir, CLOCK_SECOND, &err), 0); // no redundancy
	put("sync_action", "resync\n");
	put("sync_completed", "1024 / 65536\n");
	assert_int_equal(md_wait_idle(dir, CLOCK_SECOND / 10, &err), -ETIMEDOUT);
	assert_non_null(strstr(err.text, "it does resync, sectors done 1024 / 65536"));
	put("sync_action", "idle\n");
	assert_int_equal(md_wait_idle(dir, CLOCK_SECOND, &err), 0);
}

static void described(void **state)
{
	_cleanup_json_ struct json_object *o = json_new();
	struct json_object *member;

	(void)state;
	put("level", "raid10\n");
	put("layout", "513\n");
	put("raid_disks", "4\n");
	put("chunk_size", "262144\n");
	put("metadata_version", "1.2\n");
	put("sync_action", "idle\n");
	put("array_state", "clean\n");
	put("degraded", "0\n");
	put("dev-sdb/slot", "1\n");
	put("dev-sdb/state", "in_sync\n");
	put("dev-sdb/offset", "2048\n");
	put("dev-sdb/size", "522240\n");
	md_describe(dir, o);
	assert_string_equal(json_get_str(o, "layout"), "f2");
	assert_int_equal(json_get_int(o, "chunk", 0), 262144);
	assert_int_equal(json_get_int(o, "raid_disks", 0), 4);
	assert_string_equal(json_get_str(o, "sync_action"), "idle");
	assert_int_equal(json_get_int(o, "degraded", -1), 0);
	member = json_object_array_get_idx(json_get(o, "members"), 0);
	assert_string_equal(json_get_str(member, "device"), "sdb");
	assert_int_equal(json_get_int(member, "data_offset", 0), 1 << 20);
	assert_int_equal(json_get_int(member, "size", 0), 510 << 20);
}

static void no_array_to_stop(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_int_equal(md_stop("md_assay-of-a-test", &err), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_fit_the_kernel), cmocka_unit_test(layouts),
		cmocka_unit_test(waiting_is_bounded),   cmocka_unit_test(described),
		cmocka_unit_test(no_array_to_stop),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
