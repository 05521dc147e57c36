// SPDX-License-Identifier: GPL-3.0-or-later
// What block devices are in this machine, read from sysfs below a given root, so that a
// recorded tree serves as well as the live one. No udev database is used.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/err.h"
#include "common/json.h"
#include "common/strbuf.h"

enum device_kind {
	DEVICE_DISK,
	DEVICE_PARTITION,
	DEVICE_DM,
	DEVICE_MD,
	DEVICE_LOOP,
	DEVICE_OPTICAL,
	DEVICE_FLOPPY,
	DEVICE_OTHER, // ram, zram, nbd, ...
};

// What libblkid found at the start of a device; all NULL when there is nothing.
struct device_content {
	char *type;  // "ext4", "crypto_LUKS", "LVM2_member", "linux_raid_member", ...
	char *usage; // "filesystem", "raid", "crypto", "other"
	char *table; // partition table: "gpt", "dos"
	char *uuid, *label;
};

// One block device. Strings are NULL where the machine does not tell.
struct device {
	char *name;   // kernel name, "sda1"
	char *path;   // "/dev/sda1"
	char *parent; // name of the whole disk for a partition, else NULL
	dev_t devno;
	enum device_kind kind;
	char *model, *serial, *wwn, *firmware;
	char *alias;     // dm: its own name ("cryptroot"); loop: the file it shows
	char *by_path;   // "pci-0000:00:01.1-ata-1.0", as udev's path_id names it
	char *transport; // "ata", "sata", "nvme", "usb", "virtio", "scsi", "mmc"
	uint64_t size;   // bytes; 0: no medium, locked, or a sector size Linux refuses
	unsigned logical_sector, physical_sector; // bytes
	bool rotational, removable, readonly;
	uint64_t diskseq; // grows with each medium; 0 when the kernel lacks it
	uint64_t seen_ns; // monotonic time at which it was first seen; 0 unknown
	char **holders;   // names of the devices right above it, NULL-terminated
	char **slaves;    // names right below (dm, md, loop's backing disk)
	char **mounts;    // where it is mounted, NULL-terminated
	bool swap;        // is active swap
	bool stuck;       // did not answer when it was read: slow or broken
	struct device_content content;
};

struct device_list {
	struct device *items; // disks first seen first; partitions after their disk
	size_t n;
};

// A storage controller that no driver serves: why a disk may be missing.
struct device_orphan {
	char *address; // "0000:00:1f.2"
	char *id;      // "8086:2822"
	char *kind;    // "RAID controller", "NVMe", "SATA controller", "USB controller"
	char *hint;    // what to do, or NULL: "switch the firmware from RAID to AHCI"
};

struct device_orphan_list {
	struct device_orphan *items;
	size_t n;
};

// Where to look. `root` is "" for the live machine, or the folder that holds recorded
// sys/ proc/ trees. With `probe`, libblkid reads the start of each device (live only).
struct device_scan {
	const char *root;
	bool probe;
};

// Fills `list`; what it held before is freed. Returns 0 or -errno with `err`.
int device_scan(const struct device_scan *how, struct device_list *list, struct err *err);

// Storage controllers without a driver. Returns 0 or -errno.
int device_scan_orphans(const char *root, struct device_orphan_list *list);

// One line for each, with what to do about it.
void device_orphans_print(const struct device_orphan_list *list, struct strbuf *to);

// [{"address":..,"id":..,"kind":..,"hint":..}]
struct json_object *device_orphans_json(const struct device_orphan_list *list);

// The device of that kernel name or path, or NULL.
const struct device *device_find(const struct device_list *list, const char *name);

// The whole disk that carries `d` (itself for a disk).
const struct device *device_disk(const struct device_list *list, const struct device *d);

// "/dev/sda (WDC WD1600BEVT, serial WD-1)", as error sentences name a device; the caller
// frees.
char *device_title(const struct device *d);

// Devices as a table for a person, and as the documented JSON array.
void device_print(const struct device_list *list, struct strbuf *to);
struct json_object *device_json(const struct device_list *list);
struct json_object *device_to_json(const struct device *d);

void device_list_done(struct device_list *list);
void device_orphan_list_done(struct device_orphan_list *list);
