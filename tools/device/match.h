// SPDX-License-Identifier: GPL-3.0-or-later
// Names a disk by an identity that moves with it: "serial:WD-1", "wwn:...", "path:...",
// "model:...", "size:20G". Never by /dev/sdX.
#pragma once

#include "device/device.h"

enum match_key { MATCH_SERIAL, MATCH_WWN, MATCH_PATH, MATCH_MODEL, MATCH_SIZE };

struct match {
	enum match_key key;
	char *value;
};

// Parses "key:value"; a bare word means a serial. "sda" or "/dev/..." is refused with
// the reason. Returns 0 or -EINVAL.
int match_parse(struct match *m, const char *text, struct err *err);

// Does this whole disk match? Comparison is exact after trimming blanks; wwn ignores
// case, a "0x", "naa." or "eui." prefix; path also takes udev's older names ("...-ata-1"
// for both disks of that channel, "virtio-pci-..."); size takes the exact bytes or the
// three digits that the table of devices shows ("160 GB").
bool match_disk(const struct match *m, const struct device *disk);

// Two WWNs compared as match_disk() does; false where one is NULL.
bool match_same_wwn(const char *a, const char *b);

// The one disk that matches. -ENODEV when none does, -ENOTUNIQ when several do; the text
// lists each candidate with model, serial and path. A disk seen through two paths (same
// WWN) counts as two and is refused.
int match_one(const struct match *m, const struct device_list *list,
	      const struct device **ret, struct err *err);

// "serial:WD-1"; the caller frees.
char *match_text(const struct match *m);
void match_done(struct match *m);
