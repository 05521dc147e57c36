// SPDX-License-Identifier: GPL-3.0-or-later
// mountinfo: parsing, escapes, and what must be unmounted at the end, in which order.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/mountlist.h"

static const char text[] =
	"1 1 0:2 / / rw - rootfs none rw\n"
	"20 1 0:5 / /dev rw,nosuid shared:2 master:3 - devtmpfs devtmpfs rw\n"
	"21 1 0:19 / /proc rw - proc proc rw\n"
	"22 1 0:20 / /run rw - tmpfs tmpfs rw\n"
	"30 22 8:17 / /run/assay/my\\040stick rw,noatime - vfat /dev/sdb1 rw,flush\n"
	"31 22 253:1 / /run/assay/target rw - ext4 /dev/mapper/a\\134b rw\n"
	"32 31 253:1 /x /run/assay/target/secret rw - ecryptfs /x rw\n"
	"garbage\n"
	"33 22 8:zz / /run/bad rw - ext4 /dev/sdz rw\n"
	"34 22 8:1 / /run/short rw - ext4\n"
	"36 22 4294967296:1 / /run/wraps rw - ext4 /dev/sda1 rw\n"
	"37 22 8:1x / /run/odd rw - ext4 /dev/sda1 rw\n"
	"38 22 8:1 / /run/nooptions - ext4 /dev/sda1 rw\n"
	"35 22 8:1 / /run/noseparator rw ext4 /dev/sda1 rw\n";

static void lines_are_parsed(void **state)
{
	struct mountlist l;

	(void)state;
	mountlist_parse(&l, text);
	assert_int_equal(l.n, 7);
	assert_string_equal(l.items[1].fstype, "devtmpfs");
	assert_string_equal(l.items[4].dir, "/run/assay/my stick");
	assert_string_equal(l.items[4].source, "/dev/sdb1");
	assert_int_equal(l.items[4].major, 8);
	assert_int_equal(l.items[4].minor, 17);
	assert_string_equal(l.items[4].options, "rw,noatime;rw,flush");
	assert_string_equal(l.items[5].source, "/dev/mapper/a\\b");
	mountlist_done(&l);
}

static void last_mounted_ends_first(void **state)
{
	struct mountlist l;

	(void)state;
	mountlist_parse(&l, text);
	mountlist_keep_ending(&l);
	assert_int_equal(l.n, 3);
	assert_string_equal(l.items[0].dir, "/run/assay/target/secret");
	assert_string_equal(l.items[1].dir, "/run/assay/target");
	assert_string_equal(l.items[2].dir, "/run/assay/my stick");
	mountlist_done(&l);
}

static void nothing_is_an_empty_list(void **state)
{
	struct mountlist l;

	(void)state;
	mountlist_parse(&l, "");
	mountlist_keep_ending(&l);
	assert_int_equal(l.n, 0);
	mountlist_done(&l);
	assert_int_equal(mountlist_load(&l, "/nonexistent/mountinfo"), -ENOENT);
	assert_int_equal(l.n, 0);
}

static void this_machine_has_a_root(void **state)
{
	struct mountlist l;
	int roots = 0;

	(void)state;
	assert_int_equal(mountlist_load(&l, "/proc/self/mountinfo"), 0);
	for (size_t i = 0; i < l.n; i++)
		roots += strcmp(l.items[i].dir, "/") == 0;
	assert_true(roots >= 1);
	mountlist_done(&l);
}

static void escapes_are_undone(void **state)
{
	static const char *const table[][2] = {
		{ "", "" },
		{ "/a\\040b", "/a b" },
		{ "\\011\\012\\134", "\t\n\\" },
		{ "\\134040", "\\040" }, // once only
		{ "\\04", "\\04" },
		{ "\\400\\08x\\", "\\400\\08x\\" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		_cleanup_free_ char *s = mountlist_unescape(table[i][0]);

		assert_string_equal(s, table[i][1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_parsed),
		cmocka_unit_test(escapes_are_undone),
		cmocka_unit_test(last_mounted_ends_first),
		cmocka_unit_test(nothing_is_an_empty_list),
		cmocka_unit_test(this_machine_has_a_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
