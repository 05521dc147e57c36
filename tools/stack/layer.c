// SPDX-License-Identifier: GPL-3.0-or-later
// The table of layer kinds: a new kind is a new file and one row here.
#include <string.h>

#include "stack/kinds.h"

const struct layer_ops *const layer_kinds[] = {
	// partition tables
	&layer_gpt,
	&layer_mbr,
	// several disks
	&layer_raid0,
	&layer_raid1,
	&layer_raid10,
	// encryption and integrity
	&layer_dmcrypt,
	&layer_luks1,
	&layer_luks2,
	&layer_tcrypt,
	&layer_loopaes,
	&layer_integrity,
	// volumes
	&layer_lvm,
	// filesystems, and what stands on them
	&layer_ext2,
	&layer_ext3,
	&layer_ext4,
	&layer_xfs,
	&layer_btrfs,
	&layer_f2fs,
	&layer_vfat,
	&layer_exfat,
	&layer_ecryptfs,
	&layer_fscrypt,
	&layer_swap,
	// controls and calibration
	&layer_linear,
	&layer_delay,
	&layer_zero,
	&layer_null_blk,
	&layer_brd,
	&layer_null,
	NULL,
};

const struct layer_ops *layer_find(const char *kind)
{
	for (const struct layer_ops *const *k = layer_kinds; *k; k++)
		if (strcmp((*k)->kind, kind) == 0)
			return *k;
	return NULL;
}
