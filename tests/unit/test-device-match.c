// SPDX-License-Identifier: GPL-3.0-or-later
// Naming a disk: what is taken, what is refused, and that one name is one disk.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/match.h"
#include "unit.h"

#define DATA "tests/data/device/"

static const struct {
	const char *text;
	int code;
	enum match_key key;
	const char *value;
} names[] = {
	{ "serial:WD-1", 0, MATCH_SERIAL, "WD-1" },
	{ " WD-WXA1A23 ", 0, MATCH_SERIAL, "WD-WXA1A23" },
	{ "wwn: 0x50014EE2 ", 0, MATCH_WWN, "0x50014EE2" },
	{ "path:pci-0000:00:1f.2-ata-1", 0, MATCH_PATH, "pci-0000:00:1f.2-ata-1" },
	{ "path:/dev/disk/by-path/pci-0000:00:04.0", 0, MATCH_PATH, "pci-0000:00:04.0" },
	{ "model:WDC WD5003", 0, MATCH_MODEL, "WDC WD5003" },
	{ "size:160GB", 0, MATCH_SIZE, "160GB" },
	{ "serial:sda", 0, MATCH_SERIAL, "sda" }, // said outright, it may be one
	{ "sdcard-7", 0, MATCH_SERIAL, "sdcard-7" },
	{ "md5x", 0, MATCH_SERIAL, "md5x" },
	{ "sda", -EINVAL, 0, NULL },
	{ "sdaa3", -EINVAL, 0, NULL },
	{ "vdb", -EINVAL, 0, NULL },
	{ "nvme0n1", -EINVAL, 0, NULL },
	{ "nvme0n1p2", -EINVAL, 0, NULL },
	{ "mmcblk0", -EINVAL, 0, NULL },
	{ "dm-0", -EINVAL, 0, NULL },
	{ "/dev/sda", -EINVAL, 0, NULL },
	{ "serial:/dev/sda", -EINVAL, 0, NULL },
	{ "/dev/disk/by-id/ata-X", -EINVAL, 0, NULL },
	{ "path:sda", -EINVAL, 0, NULL },
	{ "path:/dev/sda", -EINVAL, 0, NULL },
	{ "size:big", -EINVAL, 0, NULL },
	{ "serial:", -EINVAL, 0, NULL },
	{ "", -EINVAL, 0, NULL },
	{ "  ", -EINVAL, 0, NULL },
};

static void parse(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct err err = { 0 };
		struct match m;
		int r = match_parse(&m, names[i].text, &err);

		if (r != names[i].code)
			fail_msg("%s: %d (%s)", names[i].text, r, err.text);
		if (r < 0) {
			assert_true(err.text[0] != '\0');
			continue;
		}
		assert_int_equal(m.key, names[i].key);
		assert_string_equal(m.value, names[i].value);
		match_done(&m);
	}
}

static const struct {
	const char *machine, *text;
	int code;
	const char *name; // the disk, or a word of the reason
} finds[] = {
	{ "server", "WD-WMAYP0000003", 0, "sdc" },
	{ "server", "serial:wd-wmayp0000003", -ENODEV, "WD-WMAYP0000005" },
	{ "server", "serial:WD-WMAYP000000", -ENODEV, "here are" },
	{ "server", "wwn:0x50014EE200000002", 0, "sdb" },
	{ "server", "wwn:naa.50014ee200000002", 0, "sdb" },
	{ "server", "wwn:50014ee200000002", 0, "sdb" },
	{ "server", "path:pci-0000:00:1f.2-ata-4.0", 0, "sdd" },
	{ "server", "path:pci-0000:00:1f.2-ata-4", 0, "sdd" },
	{ "server", "path:pci-0000:00:1f.2", -ENODEV, "here are" },
	{ "server", "path:pci-0000:00:1f.2-ata-", -ENODEV, "here are" },
	{ "server", "model:WDC WD5003ABYX-01WERA1", -ENOTUNIQ, "matches 5 disks" },
	{ "server", "size:500GB", -ENOTUNIQ, "WD-WMAYP0000004" },
	{ "old-laptop", "size:40GB", 0, "sda" },
	{ "old-laptop", "size:40007761920", 0, "sda" },
	{ "old-laptop", "size:40G", -ENODEV, "MRG201K2H" },
	// A CD drive is no target.
	{ "old-laptop", "model:TOSHIBA DVD-ROM SD-R9012", -ENODEV, "no disk" },
	{ "nvme", "S4EWNX0R123456A", -ENOTUNIQ, "nvme-2" },
	{ "nvme", "wwn:eui.0025385100000001", 0, "nvme0n1" },
	{ "virtual", "path:virtio-pci-0000:00:07.0", 0, "vdd" },
	{ "virtual", "path:pci-0000:00:07.0", 0, "vdd" },
	{ "virtual", "size:20G", 0, "vda" },
	{ "virtual", "wwn:5000c50015ea71aa", -ENOTUNIQ, "/dev/sdb" },
	{ "virtual", "serial:0xa1b2c3d4", 0, "mmcblk0" },
	{ "sticks", "AA00000000000489", -ENOTUNIQ, "matches 2 disks" },
	{ "sticks", "size:0", -ENODEV, "no disk" },
};

static void find(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(finds); i++) {
		char root[64];
		struct device_scan how = { .root = root };
		struct device_list list = { 0 };
		const struct device *d;
		struct err err = { 0 };
		struct match m;
		int r;

		snprintf(root, sizeof(root), DATA "%s", finds[i].machine);
		assert_int_equal(device_scan(&how, &list, &err), 0);
		assert_int_equal(match_parse(&m, finds[i].text, &err), 0);
		r = match_one(&m, &list, &d, &err);
		if (r != finds[i].code)
			fail_msg("%s: %d (%s)", finds[i].text, r, err.text);
		if (r == 0)
			assert_string_equal(d->name, finds[i].name);
		else if (!strstr(err.text, finds[i].name) || d)
			fail_msg("%s: %s", finds[i].text, err.text);
		match_done(&m);
		device_list_done(&list);
	}
}

static void text(void **state)
{
	struct match m;
	char *s;

	(void)state;
	assert_int_equal(match_parse(&m, "WD-1", NULL), 0);
	s = match_text(&m);
	assert_string_equal(s, "serial:WD-1");
	free(s);
	match_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parse),
		cmocka_unit_test(find),
		cmocka_unit_test(text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
