// SPDX-License-Identifier: GPL-3.0-or-later
// The table of layer kinds: a new kind is a new file and one row here.
#include <string.h>

#include "stack/kinds.h"

const struct layer_ops *const layer_kinds[] = {
	&layer_gpt,     &layer_mbr,                  // partition tables
	&layer_raid0,   &layer_raid1, &layer_raid10, // several disks
	&layer_dmcrypt, &layer_luks1, &layer_luks2,  // encryption
	&layer_lvm,                                  // volumes
	&layer_ext2,    &layer_ext3,  &layer_ext4,   &layer_xfs,
	&layer_vfat,    &layer_swap,  &layer_null,   NULL,
};

const struct layer_ops *layer_find(const char *kind)
{
	for (const struct layer_ops *const *k = layer_kinds; *k; k++)
		if (strcmp((*k)->kind, kind) == 0)
			return *k;
	return NULL;
}
