// SPDX-License-Identifier: GPL-3.0-or-later
// The guard's decisions on recorded machines. A row that says yes where it should say no
// is a lost disk, so each refusal is checked with its reason.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "device/guard-internal.h"
#include "device/sysfs.h"
#include "recorded.h"
#include "unit.h"

static const struct {
	const char *machine, *disk, *boot, *results;
	int code;
	const char *why;
} writes[] = {
	{ "old-laptop", "sda", "sr0", NULL, 0, NULL },
	{ "old-laptop", "sr0", NULL, NULL, -EINVAL, "no whole disk" },
	{ "old-laptop", "sda1", NULL, NULL, -EINVAL, "no whole disk" },
	// Mounted or swap through any depth: md, dm-crypt under LVM, LVM.
	{ "server", "sda", NULL, NULL, -EBUSY, "mounted at /boot through sda1, md0" },
	{ "server", "sdb", NULL, NULL, -EBUSY, "mounted at /boot through sdb1, md0" },
	{ "server", "sde", NULL, NULL, -EBUSY, "in use by dm-3 (backup)" },
	{ "server", "sdc", NULL, NULL, 0, NULL },
	{ "server", "sdd", NULL, NULL, -EROFS, "read-only" },
	{ "server", "dm-0", NULL, NULL, -EINVAL, "no whole disk" },
	// The boot and results medium, named by any of their devices.
	{ "server", "sdc", "sdc", NULL, -EBUSY, "started from" },
	{ "server", "sdc", "/dev/sdc", NULL, -EBUSY, "started from" },
	{ "server", "sdc", NULL, "sdc", -EBUSY, "takes the results" },
	{ "server", "sdc", "sdd", "sde", 0, NULL },
	{ "server", "sda", "dm-1", NULL, -EBUSY, "started from" },
	{ "server", "sdb", NULL, "md0", -EBUSY, "takes the results" },
	{ "server", "sdc", "dm-1", "md0", 0, NULL },
	{ "virtual", "vda", "loop0", NULL, -EBUSY, "started from" },
	{ "virtual", "vda", NULL, NULL, -EBUSY, "mounted at / through vda1" },
	{ "virtual", "vdb", NULL, NULL, -EBUSY, "mounted at /data" },
	{ "virtual", "vdc", NULL, NULL, -EBUSY, "mounted at /data" },
	{ "virtual", "vdd", NULL, NULL, 0, NULL },
	{ "virtual", "mmcblk0", NULL, NULL, 0, NULL },
	// The same disk twice, and two disks of one serial.
	{ "virtual", "sda", NULL, NULL, -ENOTUNIQ, "/dev/sdb" },
	{ "virtual", "sdaa", NULL, NULL, 0, NULL },
	{ "sticks", "sda", NULL, NULL, -ENOTUNIQ, "/dev/sdb (SanDisk Cruzer Blade, ser" },
	{ "sticks", "sdb", "sda1", NULL, -ENOTUNIQ, "/dev/sda" },
	{ "sticks", "sda", "sda1", NULL, -EBUSY, "started from" },
	{ "sticks", "sdd", NULL, NULL, -ENOMEDIUM, "no medium" },
	{ "sticks", "sde", NULL, NULL, -EBUSY, "mounted at /run/my stick through sde1" },
	// Two namespaces of one drive are two disks: their WWNs differ.
	{ "nvme", "nvme0n1", NULL, NULL, 0, NULL },
	{ "nvme", "nvme0n1", "nvme0n2", NULL, 0, NULL },
};

static void may_write(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(writes); i++) {
		_cleanup_free_ char *boot = mem_strdup(writes[i].boot);
		char *media[] = { boot, NULL };
		struct guard_rules rules = { media, writes[i].results };
		const struct device *d;
		struct err err = { 0 };
		int r;

		scan(writes[i].machine);
		d = device_find(&list, writes[i].disk);
		assert_non_null(d);
		r = guard_may_write(&rules, &list, d, &err);
		if (r != writes[i].code)
			fail_msg("%s %s: %d (%s)", writes[i].machine, writes[i].disk, r,
				 err.text);
		if (r < 0 && (!strstr(err.text, writes[i].why) ||
			      strncmp(err.text, d->path, strlen(d->path)) != 0))
			fail_msg("%s %s: %s", writes[i].machine, writes[i].disk,
				 err.text);
	}
}

// Each way up alone: with the other one taken away.
static void depth(void **state)
{
	struct guard_rules rules = { 0 };
	struct err err = { 0 };
	struct device *md;

	(void)state;
	scan("server");
	for (size_t i = 0; i < list.n; i++) {
		md = &list.items[i];
		if (strcmp(md->name, "md0") == 0) {
			names_free(md->mounts);
			md->mounts = NULL;
		}
	}
	assert_int_equal(guard_may_write(&rules, &list, device_find(&list, "sda"), &err),
			 -EBUSY);
	assert_string_equal(
		err.text, "/dev/sda (WDC WD5003ABYX-01WERA1, serial WD-WMAYP0000001): "
			  "mounted at / through sda2, dm-0 (cryptroot), dm-1 (vg-root)");
	assert_int_equal(guard_may_write(&rules, &list, device_find(&list, "sdb"), &err),
			 -EBUSY);
	assert_non_null(strstr(err.text, "active swap through sdb2, dm-2 (vg2-swap)"));
}

// Links in a circle, as only a broken record has them, end.
static void circle(void **state)
{
	char dm[] = "dm-1", *media[] = { dm, NULL };
	struct guard_rules rules = { .boot_media = media };
	struct err err = { 0 };

	(void)state;
	scan("server");
	for (size_t i = 0; i < list.n; i++) {
		struct device *d = &list.items[i];

		if (strcmp(d->name, "dm-1") == 0) {
			names_add(&d->holders, "dm-0");
			names_free(d->mounts);
			d->mounts = NULL;
		}
		if (strcmp(d->name, "dm-0") == 0)
			names_add(&d->slaves, "dm-1");
	}
	assert_int_equal(guard_may_write(&rules, &list, device_find(&list, "sda"), &err),
			 -EBUSY);
}

static const struct {
	const char *machine, *which, *erase;
	int code;
	const char *why;
} consents[] = {
	{ "server", "WD-WMAYP0000003", "WD-WMAYP0000003", 0, "sdc" },
	{ "server", "WD-WMAYP0000003", "wwn:50014ee200000003", 0, "sdc" },
	{ "server", "wwn:50014ee200000003", "serial:WD-WMAYP0000003", 0, "sdc" },
	{ "server", "WD-WMAYP0000003", "WD-WMAYP0000001, WD-WMAYP0000003", 0, "sdc" },
	{ "server", "WD-WMAYP0000003", NULL, -EACCES, "does not consent" },
	{ "server", "WD-WMAYP0000003", "", -EACCES, "erase = serial:WD-WMAYP0000003" },
	{ "server", "WD-WMAYP0000003", " , ", -EACCES, "does not consent" },
	{ "server", "WD-WMAYP0000003", "WD-WMAYP0000005", -EACCES, "another disk" },
	{ "server", "WD-WMAYP0000003", "yes", -EACCES, "another disk" },
	{ "server", "WD-WMAYP0000003", "/dev/sdc", -EACCES, "kernel's name" },
	{ "server", "WD-WMAYP0000003", "sdc", -EACCES, "kernel's name" },
	{ "server", "WD-WMAYP0000003", "WD-WMAYP0000003,sdc", -EACCES, "kernel's name" },
	{ "server", "WD-WMAYP0000003", "path:pci-0000:00:1f.2-ata-3", -EACCES,
	  "would fit another" },
	{ "server", "WD-WMAYP0000003", "model:WDC WD5003ABYX-01WERA1", -EACCES,
	  "would fit another" },
	{ "server", "WD-WMAYP0000003", "size:500GB", -EACCES, "would fit another" },
	// Consent opens no gate that the guard keeps shut.
	{ "server", "WD-WMAYP0000001", "WD-WMAYP0000001", -EBUSY, "mounted" },
	{ "server", "WD-WMAYP0000004", "WD-WMAYP0000004", -EROFS, "read-only" },
	{ "server", "WD-X", "WD-X", -ENODEV, "no disk matches" },
	// By place or size only where a disk has nothing better.
	{ "virtual", "path:pci-0000:00:07.0", "path:pci-0000:00:07.0", 0, "vdd" },
	{ "virtual", "size:2GB", "size:2GB", 0, "vdd" },
	{ "virtual", "size:4GB", "size:4GB", 0, "nullb0" },
	{ "virtual", "path:pci-0000:00:0b.0-scsi-0:0:0:0", "wwn:5000c50015ea71aa",
	  -ENOTUNIQ, "matches 2" },
	{ "nvme", "wwn:eui.0025385100000001", "wwn:eui.0025385100000001", 0, "nvme0n1" },
	{ "nvme", "wwn:eui.0025385100000001", "S4EWNX0R123456A", -ENOTUNIQ, "matches 2" },
	{ "sticks", "path:pci-0000:00:14.0-usb-0:1:1.0-scsi-0:0:0:0", "AA00000000000489",
	  -ENOTUNIQ, "matches 2" },
	{ "sticks", "size:4GB", "path:pci-0000:00:14.0-usb-0:3.4:1.0-scsi-0:0:0:0", 0,
	  "sdc" },
	{ "sticks", "058F63666485", "058F63666485", -ENOMEDIUM, "no medium" },
};

static void consent(void **state)
{
	struct guard_rules rules = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(consents); i++) {
		const struct device *d;
		struct err err = { 0 };
		struct match m;
		int r;

		scan(consents[i].machine);
		assert_int_equal(match_parse(&m, consents[i].which, NULL), 0);
		r = guard_decide(&rules, &list, &m, consents[i].erase, &d, &err);
		if (r != consents[i].code)
			fail_msg("%zu: %d (%s)", i, r, err.text);
		if (r == 0)
			assert_string_equal(d->name, consents[i].why);
		else if (!strstr(err.text, consents[i].why) || d)
			fail_msg("%zu: %s", i, err.text);
		match_done(&m);
	}
}

// Nothing here is the disk that the record names, so the last proof must fail: no target
// comes out of a list alone.
static void permit_needs_the_disk(void **state)
{
	struct guard_rules rules = { 0 };
	struct target *t = (void *)1;
	struct err err = { 0 };
	struct match m;

	(void)state;
	scan("server");
	assert_int_equal(match_parse(&m, "WD-WMAYP0000003", NULL), 0);
	for (size_t i = 0; i < list.n; i++)
		if (strcmp(list.items[i].name, "sdc") == 0) {
			free(list.items[i].path);
			list.items[i].path = strdup("/dev/null");
		}
	assert_int_equal(guard_permit(&rules, &list, &m, "WD-WMAYP0000003", &t, &err),
			 -ESTALE);
	assert_null(t);
	match_done(&m);
}

static void locks(void **state)
{
	static const char *const targets[] = { "vdd", NULL };
	static const char *const except[] = { "mmcblk0p1", NULL };
	static const struct {
		const char *name;
		bool locked;
	} want[] = {
		{ "vdd", false },       { "vda", true },      { "vda1", true },
		{ "sda", true },        { "loop0", false },   { "zram0", false },
		{ "mmcblk0p1", false }, { "mmcblk0", false }, { "mmcblk0boot0", true },
	};

	(void)state;
	scan("virtual");
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		if (guard_locks(&list, targets, except,
				device_find(&list, want[i].name)) != want[i].locked)
			fail_msg("%s", want[i].name);
	scan("sticks");
	assert_false(guard_locks(&list, targets, NULL, device_find(&list, "sdd")));
	assert_true(guard_locks(&list, NULL, NULL, device_find(&list, "sdc")));
	scan("old-laptop");
	assert_false(guard_locks(&list, NULL, NULL, device_find(&list, "sr0")));
	scan("server");
	assert_false(guard_locks(&list, NULL, NULL, device_find(&list, "dm-0")));
}

static void shown(void **state)
{
	char sdc_name[] = "sdc", *media[] = { sdc_name, NULL };
	struct guard_rules rules = { .boot_media = media };
	struct json_object *all, *sdc = NULL;
	struct strbuf b = { 0 };

	(void)state;
	scan("server");
	guard_print(&rules, &list, &b);
	assert_non_null(strstr(strbuf_str(&b), "may be written: no: mounted at /boot "
					       "through sda1, md0\n"));
	assert_non_null(strstr(strbuf_str(&b), "may be written: no: the medium that"));
	strbuf_done(&b);
	all = guard_json(&rules, &list);
	for (size_t i = 0; i < json_object_array_length(all); i++) {
		struct json_object *o = json_object_array_get_idx(all, i);

		if (strcmp(json_get_str(o, "name"), "sdc") == 0)
			sdc = o;
	}
	assert_non_null(sdc);
	assert_false(json_get_bool(sdc, "may_write", true));
	assert_string_equal(json_get_str(sdc, "why_not"),
			    "the medium that Assay was started from, or a copy of it");
	json_object_put(all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(may_write),
		cmocka_unit_test(depth),
		cmocka_unit_test(circle),
		cmocka_unit_test(consent),
		cmocka_unit_test(permit_needs_the_disk),
		cmocka_unit_test(locks),
		cmocka_unit_test(shown),
	};

	return cmocka_run_group_tests(tests, NULL, done);
}
