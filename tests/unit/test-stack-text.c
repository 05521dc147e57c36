// SPDX-License-Identifier: GPL-3.0-or-later
// Text that the stack reads and writes: lvm reports, mounts, ciphers, tables, mkfs.
#include "unit.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "common/io.h"
#include "common/mem.h"
#include "stack/cipher.h"
#include "stack/devmap.h"
#include "stack/kdf.h"
#include "stack/lvm.h"
#include "stack/mkfs.h"
#include "stack/mounts.h"
#include "stack/tree.h"

static void load(struct strbuf *to, const char *name)
{
	_cleanup_free_ char *path = mem_printf("tests/data/stack/%s", name);

	assert_int_equal(io_read_file(path, to, 1 << 20), 0);
}

static void lvm_reports(void **state)
{
	_cleanup_strbuf_ struct strbuf lvs = { 0 }, vgs = { 0 };
	_cleanup_json_ struct json_object *rows = NULL, *groups = NULL;
	struct json_object *row;
	struct err err = { 0 };
	uint64_t v;

	(void)state;
	load(&lvs, "lvs.json");
	rows = lvm_rows(lvs.data, lvs.len, "lv", &err);
	assert_int_equal(json_object_array_length(rows), 2);
	row = json_object_array_get_idx(rows, 1);
	assert_string_equal(json_get_str(row, "lv_name"), "b");
	assert_int_equal(lvm_uint(row, "lv_size", &v), 0);
	assert_int_equal(v, 1983905792);
	assert_int_equal(lvm_uint(row, "segtype", &v), -EINVAL);
	assert_int_equal(lvm_uint(row, "no_such", &v), -EINVAL);
	load(&vgs, "vgs.json");
	groups = lvm_rows(vgs.data, vgs.len, "vg", &err);
	assert_int_equal(
		lvm_uint(json_object_array_get_idx(groups, 0), "vg_free_count", &v), 0);
	assert_int_equal(v, 511);
	assert_null(lvm_rows(vgs.data, vgs.len, "lv", &err));
	assert_int_equal(err.code, -EBADMSG);
	assert_null(lvm_rows("{}", 2, "lv", &err));
	assert_null(lvm_rows("", 0, "lv", &err));
	assert_null(lvm_rows("{\"report\":[]}", 13, "lv", &err));
}

static void lvm_sees_one_device(void **state)
{
	_cleanup_strbuf_ struct strbuf a = { 0 }, b = { 0 };

	(void)state;
	lvm_config(&(struct lvm){ .device = "/dev/mapper/assay-x.y-1" }, &a);
	assert_non_null(strstr(strbuf_str(&a),
			       " filter=[\"a|^/dev/mapper/assay-x[.]y-1$|\","
			       "\"r|.*|\"]"));
	assert_non_null(strstr(strbuf_str(&a), "global_filter=[\"a|^/dev/mapper/"));
	assert_non_null(strstr(strbuf_str(&a), "metadata_read_only=0"));
	assert_null(strstr(strbuf_str(&a), "read_only_volume_list"));
	lvm_config(&(struct lvm){ .device = "/dev/sda1", .read_only = "v/l" }, &b);
	assert_non_null(strstr(strbuf_str(&b), "read_only_volume_list=[\"v/l\"]"));
	assert_non_null(strstr(strbuf_str(&b), "metadata_read_only=1"));
}

static void lvm_names(void **state)
{
	_cleanup_free_ char *name = lvm_map_name("assay-a-1", "my-data");

	(void)state;
	assert_string_equal(name, "assay--a--1-my--data");
}

// A program that stands for lvm: it prints what it was asked, or fails.
static void lvm_runs(void **state)
{
	static const char script[] =
		"#!/bin/sh\nfor a; do echo \"$a\"; done\n"
		"[ \"$1\" = vgs ] || { echo 'no such group' >&2; exit 5; }\n";
	char dir[] = "/tmp/assay-test-XXXXXX";
	_cleanup_free_ char *path = NULL, *old = mem_strdup(getenv("PATH")), *new = NULL;
	_cleanup_strbuf_ struct strbuf out = { 0 };
	const struct lvm lvm = { .device = "/dev/sda1" };
	struct err err = { 0 };

	(void)state;
	assert_non_null(mkdtemp(dir));
	path = mem_printf("%s/lvm", dir);
	assert_int_equal(io_replace_file(path, script, sizeof(script) - 1), 0);
	assert_int_equal(chmod(path, 0755), 0);
	new = mem_printf("%s:%s", dir, old);
	setenv("PATH", new, 1);
	assert_int_equal(
		lvm_run(&lvm, (const char *const[]){ "vgs", "x", NULL }, &out, &err), 0);
	assert_int_equal(strncmp(strbuf_str(&out), "vgs\n--config\n", 13), 0);
	assert_string_equal(strbuf_str(&out) + out.len - 3, "\nx\n");
	assert_int_equal(lvm_run(&lvm, (const char *const[]){ "lvs", NULL }, NULL, &err),
			 -EIO);
	assert_non_null(strstr(err.text, "lvm lvs on /dev/sda1"));
	assert_non_null(strstr(err.text, "no such group"));
	setenv("PATH", old, 1);
	unlink(path);
	rmdir(dir);
}

static void mounts(void **state)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	_cleanup_mountlist_ struct mountlist list = { 0 };
	const struct mountlist_item *m;
	char **swaps;

	(void)state;
	load(&text, "mountinfo");
	mountlist_parse(&list, strbuf_str(&text));
	assert_int_equal(list.n, 4); // three lines are damaged
	m = mount_at(&list, "/run/assay/mnt/a b");
	assert_string_equal(m->fstype, "xfs"); // the later one hides the earlier
	assert_int_equal(m->major, 254);
	assert_int_equal(m->minor, 3);
	assert_string_equal(list.items[2].options, "rw,noatime;rw,data=writeback");
	assert_string_equal(list.items[2].source, "/dev/vda2");
	assert_null(mount_at(&list, "/y"));
	swaps = mount_swaps("Filename\t\tType\t\tSize\tUsed\tPriority\n"
			    "/dev/dm-1 partition 1024 0 -2\n/a\\040b file 8 0 -3\n");
	assert_string_equal(swaps[0], "/dev/dm-1");
	assert_string_equal(swaps[1], "/a b");
	assert_null(swaps[2]);
	mount_swaps_free(swaps);
}

static void keys_are_stripped(void **state)
{
	static const struct {
		const char *target, *args, *shown;
	} table[] = {
		{ "crypt", "aes-xts-plain64 00ff11 0 8:1 4096 1 no_read_workqueue",
		  "aes-xts-plain64 - 0 8:1 4096 1 no_read_workqueue" },
		{ "crypt", "aes-xts-plain64 :64:logon:x 0 8:1 0",
		  "aes-xts-plain64 - 0 8:1 0" },
		{ "crypt", "aes 00ff11", "" },
		{ "linear", "8:1 2048", "8:1 2048" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		_cleanup_strbuf_ struct strbuf b = { 0 };

		devmap_strip_key(table[i].target, table[i].args, &b);
		assert_string_equal(strbuf_str(&b), table[i].shown);
	}
}

static void ciphers(void **state)
{
	_cleanup_strbuf_ struct strbuf a = { 0 }, b = { 0 };
	struct cipher c;

	(void)state;
	assert_int_equal(cipher_parse(&c, "aes-xts-plain64", NULL), 0);
	assert_string_equal(c.name, "aes");
	assert_string_equal(c.mode, "xts-plain64");
	assert_int_equal(cipher_default_key(&c), 512);
	assert_int_equal(cipher_check_key(&c, 256, NULL), 0);
	assert_int_equal(cipher_check_key(&c, 128, NULL), -EINVAL);
	cipher_text(&c, 256, &a);
	assert_string_equal(strbuf_str(&a), "AES-128-XTS (256-bit key)");
	assert_int_equal(cipher_parse(&c, "aes-cbc-essiv:sha256", NULL), 0);
	assert_int_equal(cipher_default_key(&c), 256);
	assert_int_equal(cipher_check_key(&c, 512, NULL), -EINVAL);
	cipher_text(&c, 256, &b);
	assert_string_equal(strbuf_str(&b), "AES-256-CBC (256-bit key)");
	assert_int_equal(cipher_parse(&c, "cipher_null-ecb", NULL), 0);
	assert_int_equal(cipher_default_key(&c), 0);
	assert_int_equal(cipher_parse(&c, "-xts-plain64", NULL), -EINVAL);
	assert_int_equal(cipher_parse(&c, "aes-", NULL), -EINVAL);
}

static void memory(void **state)
{
	static const char info[] = "MemTotal:  1015096 kB\nMemFree:  700000 kB\n"
				   "MemAvailable:   812000 kB\n";
	struct err err = { 0 };

	(void)state;
	assert_int_equal(kdf_parse_available(info), 812000);
	assert_int_equal(kdf_parse_available("MemFree: 5 kB\n"), 5);
	assert_int_equal(kdf_parse_available("XMemFree: 5 kB\n"), 0);
	assert_int_equal(kdf_parse_available(""), 0);
	assert_int_equal(kdf_check_memory("x", 0, 0, &err), 0); // PBKDF2
	assert_int_equal(kdf_check_memory("x", 65536, 65536 + 16385, &err), 0);
	assert_int_equal(kdf_check_memory("x", 65536, 65536 + 16383, &err), -ENOMEM);
	assert_int_equal(
		kdf_check_memory("keyslot 0 of /dev/sda2", 1 << 20, 200000, &err),
		-ENOMEM);
	assert_int_equal(
		strncmp(err.text,
			"keyslot 0 of /dev/sda2 needs 1.07 GB of memory for Argon2,"
			" and 205 MB is free",
			77),
		0);
}

static void mkfs_lines(void **state)
{
	static const struct {
		const char *kind;
		unsigned block;
		const char *line;
	} table[] = {
		{ "ext4", 0,
		  "mkfs.ext4 -t ext4 -F -q -E "
		  "lazy_itable_init=0,lazy_journal_init=0,nodiscard -b 4096 /dev/x " },
		{ "ext2", 1024,
		  "mkfs.ext4 -t ext2 -F -q -E "
		  "lazy_itable_init=0,lazy_journal_init=0,nodiscard -b 1024 /dev/x " },
		{ "xfs", 0, "mkfs.xfs -f -q -K -b size=4096 /dev/x " },
		{ "vfat", 0, "mkfs.vfat -F 32 /dev/x " },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		_cleanup_strbuf_ struct strbuf line = { 0 }, options = { 0 };
		const char *argv[MKFS_ARGS_MAX];

		mkfs_argv(mkfs_find(table[i].kind), "/dev/x", table[i].block, NULL, argv,
			  &options);
		for (const char **a = argv; *a; a++)
			strbuf_printf(&line, "%s ", *a);
		assert_string_equal(strbuf_str(&line), table[i].line);
	}
}

static void mkfs_refuses(void **state)
{
	const struct mkfs *xfs = mkfs_find("xfs"), *ext4 = mkfs_find("ext4");
	const struct mkfs *vfat = mkfs_find("vfat");
	struct err err = { 0 };

	(void)state;
	assert_int_equal(mkfs_check(xfs, 299 << 20, 512, 0, &err), -ENOSPC);
	assert_non_null(strstr(err.text, "at least 315 MB; this one has 314 MB"));
	assert_int_equal(mkfs_check(xfs, 300 << 20, 512, 0, &err), 0);
	assert_int_equal(mkfs_check(ext4, 1 << 30, 4096, 1024, &err), -EINVAL);
	assert_int_equal(mkfs_check(ext4, 1 << 30, 4096, 0, &err), 0);
	assert_int_equal(mkfs_check(vfat, 64 << 20, 512, 0, &err), 0);
	assert_int_equal(mkfs_check(vfat, 64 << 20, 4096, 0, &err), -ENOSPC);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

static void put(const char *root, const char *path, const char *link)
{
	_cleanup_free_ char *full = mem_printf("%s/%s", root, path);

	if (link)
		assert_int_equal(symlink(link, full), 0);
	else
		assert_int_equal(io_make_dirs(full), 0);
}

// sda: sda1 (md0), sda2 (dm-0: luks, dm-1 and dm-2: volumes on it); sdb: sdb1 (md0)
static void walks(void **state)
{
	static const char *const entries[][2] = {
		{ "d/sda/sda1/partition", NULL },
		{ "d/sda/sda1/holders/md0", NULL },
		{ "d/sda/sda2/partition", NULL },
		{ "d/sda/sda2/holders/dm-0", NULL },
		{ "d/sda/holders", NULL },
		{ "d/sdb/sdb1/partition", NULL },
		{ "d/sdb/sdb1/holders/md0", NULL },
		{ "d/md0/slaves/sda1", NULL },
		{ "d/md0/slaves/sdb1", NULL },
		{ "d/dm-0/slaves/sda2", NULL },
		{ "d/dm-0/holders/dm-1", NULL },
		{ "d/dm-0/holders/dm-2", NULL },
		{ "d/dm-1/slaves/dm-0", NULL },
		{ "d/dm-2/slaves/dm-0", NULL },
		{ "sys/class/block", NULL },
		{ "sys/class/block/sda", "../../../d/sda" },
		{ "sys/class/block/sda1", "../../../d/sda/sda1" },
		{ "sys/class/block/sda2", "../../../d/sda/sda2" },
		{ "sys/class/block/sdb", "../../../d/sdb" },
		{ "sys/class/block/sdb1", "../../../d/sdb/sdb1" },
		{ "sys/class/block/md0", "../../../d/md0" },
		{ "sys/class/block/dm-0", "../../../d/dm-0" },
		{ "sys/class/block/dm-1", "../../../d/dm-1" },
		{ "sys/class/block/dm-2", "../../../d/dm-2" },
	};
	char dir[] = "/tmp/assay-test-XXXXXX";
	struct tree t;
	size_t at[3] = { 9, 9, 9 };

	(void)state;
	assert_non_null(mkdtemp(dir));
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++)
		put(dir, entries[i][0], entries[i][1]);
	tree_above(dir, "sda", &t);
	assert_int_equal(t.n, 6);
	assert_true(tree_has(&t, "md0") && tree_has(&t, "sda1"));
	assert_false(tree_has(&t, "sda") || tree_has(&t, "sdb1"));
	for (size_t i = 0; i < t.n; i++) {
		at[0] = strcmp(t.names[i], "dm-2") == 0 ? i : at[0];
		at[1] = strcmp(t.names[i], "dm-0") == 0 ? i : at[1];
		at[2] = strcmp(t.names[i], "sda2") == 0 ? i : at[2];
	}
	assert_true(at[0] < at[1] && at[1] < at[2]); // volumes, then crypt, then disk
	tree_done(&t);
	tree_leaves(dir, "dm-2", &t);
	assert_int_equal(t.n, 1);
	assert_string_equal(t.names[0], "sda");
	tree_done(&t);
	tree_leaves(dir, "md0", &t);
	assert_int_equal(t.n, 2);
	assert_true(tree_has(&t, "sda") && tree_has(&t, "sdb"));
	tree_done(&t);
	tree_leaves(dir, "sdb", &t);
	assert_string_equal(t.names[0], "sdb");
	tree_done(&t);
	assert_int_equal(nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lvm_reports), cmocka_unit_test(lvm_sees_one_device),
		cmocka_unit_test(lvm_names),   cmocka_unit_test(lvm_runs),
		cmocka_unit_test(mounts),      cmocka_unit_test(keys_are_stripped),
		cmocka_unit_test(ciphers),     cmocka_unit_test(memory),
		cmocka_unit_test(mkfs_lines),  cmocka_unit_test(mkfs_refuses),
		cmocka_unit_test(walks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
