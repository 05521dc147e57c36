// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of the table of layer kinds, each defined in its own layer-*.c.
#pragma once

#include "stack/layer.h"

extern const struct layer_ops layer_null;
extern const struct layer_ops layer_gpt, layer_mbr;
extern const struct layer_ops layer_dmcrypt, layer_luks1, layer_luks2;
extern const struct layer_ops layer_lvm;
extern const struct layer_ops layer_raid0, layer_raid1, layer_raid10;
extern const struct layer_ops layer_ext2, layer_ext3, layer_ext4, layer_xfs, layer_vfat;
extern const struct layer_ops layer_btrfs, layer_f2fs, layer_exfat;
extern const struct layer_ops layer_swap;
extern const struct layer_ops layer_linear, layer_delay, layer_zero;
extern const struct layer_ops layer_null_blk, layer_brd;
extern const struct layer_ops layer_integrity, layer_tcrypt, layer_loopaes;
extern const struct layer_ops layer_ecryptfs, layer_fscrypt;
