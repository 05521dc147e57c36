// SPDX-License-Identifier: GPL-3.0-or-later
// The assay stick: a removable partition (FAT, exFAT or ext4) whose root holds assay.ini
// or a folder assay/. It is mounted only while something is read or written.
#pragma once

#include "common/strbuf.h"
#include "device/device.h"

struct stick {
	char *device; // "/dev/sdb1"
	char *disk;   // kernel name of its whole disk
	char *fstype;
	uint64_t diskseq; // of the medium when it was found; 0 when the kernel lacks it
	char *name;    // for a person: "USB stick SanDisk Cruzer, serial 1234, /dev/sdb1"
	char *dir;     // where it is (to be) mounted
	bool has_plan; // root holds assay.ini
	bool readonly; // write protected
	bool mounted;
	bool writable; // mounted, and for writing
};

// Looks at each removable partition (and superfloppy) that could be the stick, mounting
// it read-only for the look (`list` was scanned with `probe`); `exclude` names disks
// (NULL-terminated kernel names) that are never taken: those the plan may write. Fixed
// disks are never taken. 0 when there is exactly one; -ENODEV when there is none;
// -ENOTUNIQ when there are several, all named in the text.
int stick_find(const struct device_list *list, const char *const *exclude,
	       struct stick *ret, struct err *err);

// Mounts it; for writing a dirty FAT is repaired by fsck first and the device is made
// writable. A mount that a process left when it died is taken away before. Returns 0 or
// -errno; -ENODEV when another medium has taken its name.
int stick_mount(struct stick *s, bool write, struct err *err);

// Syncs and unmounts; also when the stick was pulled. Returns 0 or -errno.
int stick_unmount(struct stick *s, struct err *err);

// Reads a file below its root, mounting it when needed. 0 or -errno.
int stick_read(struct stick *s, const char *name, struct strbuf *to, size_t max,
	       struct err *err);

// Does the kernel still have that very medium under its name? `root` as device_scan's.
bool stick_is_same(const struct stick *s, const char *root);

void stick_done(struct stick *s);
