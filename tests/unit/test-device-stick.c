// SPDX-License-Identifier: GPL-3.0-or-later
// The assay stick: what may be one, what never may, and its dirty flags.
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/io.h"
#include "device/stick-private.h"
#include "unit.h"

static struct device disk(const char *name, const char *transport, bool removable)
{
	return (struct device){
		.name = (char *)(uintptr_t)name,
		.path = (char *)(uintptr_t)name,
		.kind = DEVICE_DISK,
		.transport = (char *)(uintptr_t)transport,
		.removable = removable,
		.size = 1 << 30,
	};
}

static struct device part(const char *name, const char *parent, const char *type)
{
	struct device d = disk(name, NULL, false);

	d.kind = DEVICE_PARTITION;
	d.parent = (char *)(uintptr_t)parent;
	d.content.type = (char *)(uintptr_t)type;
	return d;
}

static bool may(struct device *items, size_t n, size_t which, const char *const *exclude)
{
	const struct device_list list = { .items = items, .n = n };

	return stick_may_be(&list, &items[which], exclude);
}

static void partition_of_usb_disk_is_taken(void **state)
{
	struct device d[] = { disk("sdb", "usb", false), part("sdb1", "sdb", "vfat"),
			      part("sdb2", "sdb", "exfat"), part("sdb3", "sdb", "ext4"),
			      part("sdb4", "sdb", "iso9660") };

	(void)state;
	assert_false(may(d, 5, 0, NULL));
	assert_true(may(d, 5, 1, NULL));
	assert_true(may(d, 5, 2, NULL));
	assert_true(may(d, 5, 3, NULL));
	assert_false(may(d, 5, 4, NULL)); // a hybrid ISO's own partition
}

static void fixed_disk_is_never_taken(void **state)
{
	struct device d[] = { disk("sda", "ata", false), part("sda1", "sda", "vfat") };
	struct device soldered[] = { disk("mmcblk99", "mmc", false),
				     part("mmcblk99p1", "mmcblk99", "vfat") };

	(void)state;
	assert_false(may(d, 2, 1, NULL));
	assert_false(may(soldered, 2, 1, NULL));
	d[0].transport = NULL;
	assert_false(may(d, 2, 1, NULL));
	d[0].removable = true;
	assert_true(may(d, 2, 1, NULL));
}

static void excluded_disk_is_never_taken(void **state)
{
	struct device d[] = { disk("sdb", "usb", true), part("sdb1", "sdb", "vfat") };
	const char *const exclude[] = { "sda", "sdb", NULL };
	const char *const other[] = { "sda", "sdb1", NULL };

	(void)state;
	assert_false(may(d, 2, 1, exclude));
	assert_true(may(d, 2, 1, other)); // names disks, not partitions
}

static void whole_disk_only_without_partitions(void **state)
{
	struct device d[] = { disk("sdb", "usb", true), part("sdb1", "sdb", "ntfs") };
	char vfat[] = "vfat", dos[] = "dos";

	(void)state;
	d[0].content.type = vfat;
	assert_true(may(d, 1, 0, NULL));
	assert_false(may(d, 2, 0, NULL));
	d[0].content.table = dos;
	assert_false(may(d, 1, 0, NULL));
}

static void used_or_empty_device_is_not_taken(void **state)
{
	struct device d[] = { disk("sdb", "usb", true), part("sdb1", "sdb", "ext4") };
	char dm[] = "dm-0", *holders[] = { dm, NULL };

	(void)state;
	d[1].holders = holders;
	assert_false(may(d, 2, 1, NULL));
	d[1].holders = NULL;
	d[1].swap = true;
	assert_false(may(d, 2, 1, NULL));
	d[1].swap = false;
	d[1].size = 0;
	assert_false(may(d, 2, 1, NULL));
}

static void optical_is_not_taken(void **state)
{
	struct device d[] = { disk("sr0", "usb", true) };
	char vfat[] = "vfat";

	(void)state;
	d[0].content.type = vfat;
	d[0].kind = DEVICE_OPTICAL;
	assert_false(may(d, 1, 0, NULL));
}

static void nothing_found_says_what_would_be_one(void **state)
{
	struct device d[] = { disk("sda", "ata", false), part("sda1", "sda", "vfat") };
	const struct device_list list = { .items = d, .n = 2 };
	struct err err = { 0 };
	struct stick s;

	(void)state;
	assert_int_equal(stick_find(&list, NULL, &s, &err), -ENODEV);
	assert_non_null(strstr(err.text, "assay.ini"));
	assert_null(s.device);
}

static void described_for_a_person(void **state)
{
	struct device d[] = { disk("sdb", "usb", true),
			      part("/dev/sdb1", "sdb", "vfat") };
	const struct device_list list = { .items = d, .n = 2 };
	char model[] = "SanDisk Cruzer", serial[] = "1234";
	char *text;

	(void)state;
	d[0].model = model;
	d[0].serial = serial;
	text = stick_describe(&list, &d[1]);
	assert_string_equal(text, "USB stick SanDisk Cruzer, serial 1234, /dev/sdb1");
	free(text);
}

static void write_text(const char *dir, const char *name, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

// Another medium that got the name of a pulled stick must not be mounted for results.
static void another_medium_of_its_name_is_not_the_stick(void **state)
{
	char root[] = "/tmp/assay-stick-XXXXXX", dir[128], name[] = "sdb";
	struct stick s = { .disk = name, .diskseq = 7 };

	(void)state;
	assert_non_null(mkdtemp(root));
	assert_false(stick_is_same(&s, root));
	snprintf(dir, sizeof(dir), "%s/sys/block/sdb", root);
	assert_int_equal(io_make_dirs(dir), 0);
	assert_true(stick_is_same(&s, root)); // a kernel that tells no number
	write_text(dir, "diskseq", "7\n");
	assert_true(stick_is_same(&s, root));
	write_text(dir, "diskseq", "8\n");
	assert_false(stick_is_same(&s, root));
	s.diskseq = 0;
	assert_true(stick_is_same(&s, root));
	assert_int_equal(nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

static void dirty_flags_are_read(void **state)
{
	uint8_t s[STICK_SECTOR] = { 0 };

	(void)state;
	s[0x41] = 1;
	assert_true(stick_fat_dirty(s)); // FAT32
	s[22] = 8;
	assert_false(stick_fat_dirty(s)); // FAT16: elsewhere
	s[0x25] = 1;
	assert_true(stick_fat_dirty(s));
	s[0x25] = 2; // disk errors, not dirty
	assert_false(stick_fat_dirty(s));
	assert_false(stick_exfat_dirty(s));
	s[106] = 2;
	assert_true(stick_exfat_dirty(s));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(partition_of_usb_disk_is_taken),
		cmocka_unit_test(fixed_disk_is_never_taken),
		cmocka_unit_test(excluded_disk_is_never_taken),
		cmocka_unit_test(whole_disk_only_without_partitions),
		cmocka_unit_test(used_or_empty_device_is_not_taken),
		cmocka_unit_test(optical_is_not_taken),
		cmocka_unit_test(nothing_found_says_what_would_be_one),
		cmocka_unit_test(described_for_a_person),
		cmocka_unit_test(another_medium_of_its_name_is_not_the_stick),
		cmocka_unit_test(dirty_flags_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
