// SPDX-License-Identifier: GPL-3.0-or-later
// A stick made from assay.img grows to its real size when it is first used. The image's
// tables are long enough for that from the start (image/media/usb.sh), so that only
// lengths change: the partition's in the MBR and the filesystem's in its boot sector.
#pragma once

#include "device/stick.h"

#define GROW_SECTOR 512

struct grow {
	uint32_t start;     // sector where the partition begins
	uint32_t partition; // sectors that it shall have
	uint32_t total;     // sectors that the filesystem has now
};

// Decides, from the first sectors of the disk and of its partition and the disk's length
// in sectors. True when this is an assay.img (one partition, FAT32, the number of its
// volume in the MBR as well) with at least 16 MiB to gain.
bool grow_decide(const uint8_t *mbr, const uint8_t *boot, uint64_t disk_sectors,
		 struct grow *ret);

// The two sectors as they shall be.
void grow_mbr(uint8_t *mbr, const struct grow *g);
void grow_boot(uint8_t *boot, const struct grow *g);

// Lets the stick (not mounted) grow if it can. One sector at a time, each on the disk
// before the next, and after each the filesystem is whole: first the partition becomes
// longer than the filesystem, the boot sector is last. Returns its new size in bytes, 0
// when there was nothing to do, or -errno.
int64_t stick_grow(const struct stick *s, struct err *err);
