// SPDX-License-Identifier: GPL-3.0-or-later
// Private to this folder: what may be the assay stick, and how its filesystems are
// mounted and repaired.
#pragma once

#include <stdint.h>

#include "device/stick.h"

#define STICK_SECTOR 512

struct stick_fs {
	const char *type;    // as libblkid and mount(2) name it
	const char *options; // for use
	const char *look;    // for a look that must not write, together with MS_RDONLY
	const char *modules[4];
	const char *const *fsck;               // the device's path is added; or NULL
	bool (*dirty)(const uint8_t *sector0); // was it not unmounted cleanly?
};

// The row for a filesystem; NULL when a stick cannot have that one.
const struct stick_fs *stick_fs(const char *type);

bool stick_fat_dirty(const uint8_t *sector0);
bool stick_exfat_dirty(const uint8_t *sector0);

// May this device be the stick, as far as the list tells: on a removable disk that is
// not excluded, with one of our filesystems, not part of something else?
bool stick_may_be(const struct device_list *list, const struct device *d,
		  const char *const *exclude);

// "USB stick SanDisk Cruzer, serial 1234, /dev/sdb1"; the caller frees.
char *stick_describe(const struct device_list *list, const struct device *d);
