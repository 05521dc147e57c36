// SPDX-License-Identifier: GPL-3.0-or-later
// The scan of recorded machines: identity, place, use, order; and of this very host.
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "common/io.h"
#include "common/json.h"
#include "device/device.h"
#include "device/sysfs.h"
#include "recorded.h"
#include "unit.h"

static const struct device *get(const char *name)
{
	const struct device *d = device_find(&list, name);

	if (!d)
		fail_msg("%s is missing", name);
	return d;
}

static void has(char *const *names, const char *name)
{
	for (; names && *names; names++)
		if (strcmp(*names, name) == 0)
			return;
	fail_msg("%s is not listed", name);
}

static const struct {
	const char *machine, *name, *model, *serial, *wwn, *path, *transport;
} disks[] = {
	{ "old-laptop", "sda", "IC25N040ATMR04-0 HITACHI", "MRG201K2H", NULL,
	  "pci-0000:00:1f.1-ata-1.0", "ata" },
	{ "old-laptop", "sr0", "TOSHIBA DVD-ROM SD-R9012", NULL, NULL,
	  "pci-0000:00:1f.1-ata-2.0", "ata" },
	{ "server", "sda", "WDC WD5003ABYX-01WERA1", "WD-WMAYP0000001",
	  "naa.50014ee200000001", "pci-0000:00:1f.2-ata-1.0", "sata" },
	{ "server", "sdc", "WDC WD5003ABYX-01WERA1", "WD-WMAYP0000003",
	  "naa.50014ee200000003", "pci-0000:00:1f.2-ata-3.0", "sata" },
	{ "nvme", "nvme0n2", "Samsung SSD 970 EVO Plus 1TB", "S4EWNX0R123456A",
	  "eui.0025385100000002", "pci-0000:01:00.0-nvme-2", "nvme" },
	{ "virtual", "vda", NULL, "VIRT-1", NULL, "pci-0000:00:04.0", "virtio" },
	{ "virtual", "vdd", NULL, NULL, NULL, "pci-0000:00:07.0", "virtio" },
	{ "virtual", "mmcblk0", "BJTD4R", "0xa1b2c3d4", NULL, NULL, "mmc" },
	{ "virtual", "nullb0", NULL, NULL, NULL, NULL, NULL },
	{ "virtual", "sda", "QEMU HARDDISK", NULL, "naa.5000c50015ea71aa",
	  "pci-0000:00:0b.0-scsi-0:0:0:0", "scsi" },
	{ "virtual", "sdaa", "QEMU HARDDISK", "LUN-1", NULL,
	  "pci-0000:00:0c.0-scsi-0:0:0:1", "scsi" },
	{ "sticks", "sdb", "SanDisk Cruzer Blade", "AA00000000000489", NULL,
	  "pci-0000:00:14.0-usb-0:2:1.0-scsi-0:0:0:0", "usb" },
	{ "rack", "sda", "SEAGATE ST4000NM0023", "Z1Z00001", "naa.5000c50080000002",
	  "pci-0000:03:00.0-sas-phy2-lun-0", "scsi" },
	{ "rack", "sdb", "SEAGATE ST4000NM0023", "Z1Z00002", "naa.5000c50080000005",
	  "pci-0000:03:00.0-sas-exp0x500304800000003f-phy5-lun-0", "scsi" },
	{ "rack", "sdc", "ST2000DM001-1CH1", "Z1E00003", NULL,
	  "pci-0000:00:17.0-ata-3.1.0", "sata" },
	{ "rack", "sdd", "AVAGO MR9361-8i", NULL, "naa.600605b00d000001",
	  "pci-0000:04:00.0-scsi-0:0:0:0", "scsi" },
	{ "rack", "nvme0n1", "Micron_9300_MTFDHAL3T8TDP", "19502D000001",
	  "eui.000000000000000100a0750000000001", "pci-0000:05:00.0-nvme-1", "nvme" },
	// Not the serial of the hub above it.
	{ "sticks", "sdc", "SanDisk Cruzer Blade", NULL, NULL,
	  "pci-0000:00:14.0-usb-0:3.4:1.0-scsi-0:0:0:0", "usb" },
};

static void same(const char *have, const char *want)
{
	if (!want)
		assert_null(have);
	else if (!have)
		fail_msg("nothing instead of %s", want);
	else
		assert_string_equal(have, want);
}

static void identity(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(disks); i++) {
		const struct device *d;

		scan(disks[i].machine);
		d = get(disks[i].name);
		same(d->model, disks[i].model);
		same(d->serial, disks[i].serial);
		same(d->wwn, disks[i].wwn);
		same(d->by_path, disks[i].path);
		same(d->transport, disks[i].transport);
	}
}

static void facts(void **state)
{
	const struct device *d;

	(void)state;
	scan("server");
	d = get("/dev/sda");
	assert_string_equal(d->name, "sda");
	assert_int_equal(d->size, 500107862016);
	assert_int_equal(d->logical_sector, 512);
	assert_int_equal(d->physical_sector, 4096);
	assert_true(d->rotational);
	assert_false(d->readonly);
	assert_false(d->removable);
	assert_int_equal(d->devno, makedev(8, 0));
	assert_int_equal(d->diskseq, 1);
	assert_string_equal(d->firmware, "01.01S02");
	assert_true(get("sdd")->readonly);
	d = get("sda2");
	assert_int_equal(d->kind, DEVICE_PARTITION);
	assert_string_equal(d->parent, "sda");
	assert_ptr_equal(device_disk(&list, d), get("sda"));
	assert_int_equal(d->physical_sector, 4096);
	assert_null(device_find(&list, "sdz"));
}

static void kinds(void **state)
{
	static const struct {
		const char *name;
		enum device_kind kind;
	} want[] = {
		{ "vda", DEVICE_DISK },           { "vda1", DEVICE_PARTITION },
		{ "loop0", DEVICE_LOOP },         { "nullb0", DEVICE_DISK },
		{ "zram0", DEVICE_OTHER },        { "mmcblk0", DEVICE_DISK },
		{ "mmcblk0boot0", DEVICE_OTHER }, { "mmcblk0p1", DEVICE_PARTITION },
	};

	(void)state;
	scan("virtual");
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		assert_int_equal(get(want[i].name)->kind, want[i].kind);
	scan("server");
	assert_int_equal(get("md0")->kind, DEVICE_MD);
	assert_int_equal(get("dm-0")->kind, DEVICE_DM);
	scan("rack");
	assert_null(device_find(&list, "nvme0c0n1")); // hidden: a path, not a disk
	scan("old-laptop");
	assert_int_equal(get("sr0")->kind, DEVICE_OPTICAL);
}

static void links(void **state)
{
	(void)state;
	scan("server");
	has(get("sda1")->holders, "md0");
	has(get("md0")->slaves, "sda1");
	has(get("md0")->slaves, "sdb1");
	has(get("dm-1")->slaves, "dm-0");
	assert_string_equal(get("dm-0")->alias, "cryptroot");
	has(get("dm-1")->mounts, "/");
	assert_true(get("dm-2")->swap);
	assert_false(get("dm-1")->swap);
	assert_null(get("sdc")->holders);
	scan("virtual");
	// The loop device is above the disk that its file is on; /run is in memory.
	has(get("loop0")->slaves, "vda1");
	has(get("vda1")->holders, "loop0");
	assert_null(get("loop2")->slaves);
	// btrfs: an anonymous device number, and a second disk that no mount names.
	has(get("vdb")->mounts, "/data");
	has(get("vdc")->mounts, "/data");
	scan("sticks");
	has(get("sde1")->mounts, "/run/my stick");
	assert_int_equal(get("sdd")->size, 0);
}

static size_t place(const char *name)
{
	return (size_t)(get(name) - list.items);
}

static void order(void **state)
{
	(void)state;
	scan("virtual");
	assert_true(place("sda") < place("sdb"));
	assert_true(place("sdb") < place("sdaa"));
	assert_int_equal(place("vda1"), place("vda") + 1);
	assert_true(place("vdd") < place("loop0"));
}

static void json(void **state)
{
	struct json_object *all, *o;

	(void)state;
	scan("sticks");
	all = device_json(&list);
	assert_int_equal(json_object_array_length(all), list.n);
	o = json_object_array_get_idx(all, place("sde1"));
	assert_string_equal(json_get_str(o, "name"), "sde1");
	assert_string_equal(json_get_str(o, "kind"), "partition");
	assert_string_equal(json_get_str(o, "devno"), "8:65");
	assert_int_equal(json_get_int(o, "size", 0), 31000000000);
	assert_string_equal(json_line(json_get(o, "mounts")), "[\"/run/my stick\"]");
	json_object_put(all);
}

static void table(void **state)
{
	struct strbuf b = { 0 };
	char *rest, *line;

	(void)state;
	scan("sticks");
	device_print(&list, &b);
	assert_non_null(strstr(strbuf_str(&b), "4C530001"));
	assert_non_null(strstr(strbuf_str(&b), "no medium or no capacity"));
	assert_null(strstr(strbuf_str(&b), "may be written"));
	rest = b.data;
	while ((line = strsep(&rest, "\n")))
		assert_true(strlen(line) < 80);
	strbuf_done(&b);
}

static void no_sysfs(void **state)
{
	struct device_scan how = { .root = DATA "nowhere" };
	struct err err = { 0 };

	(void)state;
	scan("sticks");
	assert_int_equal(device_scan(&how, &list, &err), -ENOENT);
	assert_int_equal(list.n, 0); // no old list to decide by
	assert_non_null(strstr(err.text, "sysfs"));
}

static void orphans(void **state)
{
	static const struct {
		const char *id, *kind, *hint;
	} want[] = {
		{ "8086:9a0b", "RAID controller", "disable VMD" },
		{ "8086:282a", "RAID controller", "from RAID to AHCI" },
		{ "8086:a102", "NVMe behind SATA RAID mode", "from RAID to AHCI" },
		{ "15ad:07c0", "SAS controller", "no driver for this controller" },
		{ "8086:a36d", "USB controller", "no driver for this controller" },
	};
	struct device_orphan_list found = { 0 };

	(void)state;
	assert_int_equal(device_scan_orphans(DATA "nvme", &found), 0);
	assert_int_equal(found.n, ARRAY_SIZE(want));
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		size_t k = 0;

		while (k < found.n && strcmp(found.items[k].id, want[i].id) != 0)
			k++;
		assert_true(k < found.n);
		assert_string_equal(found.items[k].kind, want[i].kind);
		assert_non_null(strstr(found.items[k].hint, want[i].hint));
	}
	assert_int_equal(device_scan_orphans(DATA "server", &found), 0);
	assert_int_equal(found.n, 0);
	device_orphan_list_done(&found);
}

// libblkid reads a file like a device: a swap area, written by hand.
static void content(void **state)
{
	static const char magic[] = "SWAPSPACE2";
	char path[] = "/tmp/assay-test-XXXXXX", area[64 * 1024] = { 0 };
	struct device d = { .path = path, .kind = DEVICE_DISK };
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	area[1024] = 1;                   // version
	area[1028] = 15;                  // last page
	memset(area + 1036, 0x11, 16);    // UUID
	memcpy(area + 1052, "SWAP-A", 6); // label
	memcpy(area + 4096 - 10, magic, 10);
	assert_int_equal(write(fd, area, sizeof(area)), sizeof(area));
	close(fd);
	content_probe(&d);
	unlink(path);
	same(d.content.type, "swap");
	same(d.content.usage, "other");
	same(d.content.label, "SWAP-A");
	same(d.content.uuid, "11111111-1111-1111-1111-111111111111");
	same(d.content.table, NULL);
	d.path = NULL;
	device_done(&d);
}

// Read-only: whatever this host has, the scan ends well and contradicts itself nowhere.
static void live(void **state)
{
	struct device_scan how = { .root = "" };
	struct err err = { 0 };

	(void)state;
	if (device_scan(&how, &list, &err) < 0)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < list.n; i++) {
		const struct device *d = &list.items[i];

		assert_ptr_equal(device_find(&list, d->name), d);
		assert_non_null(device_disk(&list, d));
		assert_memory_equal(d->path, "/dev/", 5);
		assert_true(d->devno != 0);
	}
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

// What cannot be seen to be mounted must not count as free.
static void mounts_must_be_readable(void **state)
{
	char root[] = "/tmp/assay-scan-XXXXXX", dir[128];
	struct device_scan how = { .root = root };
	struct err err = { 0 };

	(void)state;
	assert_non_null(mkdtemp(root));
	snprintf(dir, sizeof(dir), "%s/sys/block", root);
	assert_int_equal(io_make_dirs(dir), 0);
	assert_int_equal(device_scan(&how, &list, &err), 0);
	snprintf(dir, sizeof(dir), "%s/proc/self/mountinfo", root);
	assert_int_equal(io_make_dirs(dir), 0); // a folder: EISDIR
	assert_int_equal(device_scan(&how, &list, &err), -EISDIR);
	assert_int_equal(list.n, 0);
	assert_int_equal(nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(identity), cmocka_unit_test(facts),
		cmocka_unit_test(kinds),    cmocka_unit_test(links),
		cmocka_unit_test(order),    cmocka_unit_test(json),
		cmocka_unit_test(table),    cmocka_unit_test(no_sysfs),
		cmocka_unit_test(orphans),  cmocka_unit_test(content),
		cmocka_unit_test(live),     cmocka_unit_test(mounts_must_be_readable),
	};

	return cmocka_run_group_tests(tests, NULL, done);
}
