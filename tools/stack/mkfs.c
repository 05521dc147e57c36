// SPDX-License-Identifier: GPL-3.0-or-later
// How each filesystem is made and mounted.
#include <string.h>

#include "common/macro.h"
#include "common/number.h"
#include "stack/mkfs.h"

// Nothing is left for later (lazy initialisation would write during the tests), and
// nothing is discarded: discard does not reach the disk through every layer, so the arms
// would not begin alike.
#define EXT_NOW "lazy_itable_init=0,lazy_journal_init=0,nodiscard"

static const char *const ext2_args[] = { "-t", "ext2", "-F", "-q", "-E", EXT_NOW, NULL };
static const char *const ext3_args[] = { "-t", "ext3", "-F", "-q", "-E", EXT_NOW, NULL };
static const char *const ext4_args[] = { "-t", "ext4", "-F", "-q", "-E", EXT_NOW, NULL };
static const char *const xfs_args[] = { "-f", "-q", "-K", NULL };
static const char *const btrfs_args[] = { "-f", "-q", "-K", NULL };
static const char *const f2fs_args[] = { "-f", "-q", "-t", "0", NULL };
static const char *const vfat_args[] = { "-F", "32", NULL };
static const char *const exfat_args[] = { NULL };

#define MIB (UINT64_C(1) << 20)

// xfs: xfsprogs refuses less than 300 MB since 5.19. vfat: FAT32 wants 65525 clusters,
// which mkfs.fat can give from 33 MB on with 512-byte sectors; 4096-byte ones need 8 x
// that. ext: a journal of its own wants 2048 blocks at least, and tests want room.
static const struct mkfs table[] = {
	{ "ext2", "mkfs.ext4", ext2_args, "", 4096, "-V", 8 * MIB, "" },
	{ "ext3", "mkfs.ext4", ext3_args, "", 4096, "-V", 32 * MIB, "noload" },
	{ "ext4", "mkfs.ext4", ext4_args, "", 4096, "-V", 32 * MIB, "noload" },
	{ "xfs", "mkfs.xfs", xfs_args, "size=", 4096, "-V", 300 * MIB, "norecovery" },
	{ "btrfs", "mkfs.btrfs", btrfs_args, NULL, 4096, "-V", 128 * MIB,
	  "rescue=nologreplay" },
	{ "f2fs", "mkfs.f2fs", f2fs_args, NULL, 4096, "-V", 64 * MIB, "norecovery" },
	{ "vfat", "mkfs.vfat", vfat_args, NULL, 0, "--help", 34 * MIB, "" },
	{ "exfat", "mkfs.exfat", exfat_args, NULL, 0, "-V", 8 * MIB, "" },
};

const struct mkfs *mkfs_find(const char *kind)
{
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (strcmp(table[i].kind, kind) == 0)
			return &table[i];
	return NULL;
}

int mkfs_check(const struct mkfs *m, uint64_t size, unsigned sector, unsigned block,
	       struct err *err)
{
	_cleanup_strbuf_ struct strbuf have = { 0 }, need = { 0 };
	uint64_t min = m->min_size;

	if (!m->block && sector > 512) // FAT counts in sectors
		min = min / 512 * sector;
	if (!block)
		block = m->block;
	if (block && block < sector)
		return err_set(err, -EINVAL,
			       "%s with blocks of %u bytes cannot be on a device with "
			       "sectors of %u: give block-size=%u or more, or a smaller "
			       "sector-size below",
			       m->kind, block, sector, sector);
	if (size >= min)
		return 0;
	number_format_bytes(&have, size);
	number_format_bytes(&need, min);
	return err_set(err, -ENOSPC, "%s needs a device of at least %s; this one has %s",
		       m->kind, strbuf_str(&need), strbuf_str(&have));
}

void mkfs_argv(const struct mkfs *m, const char *device, unsigned block,
	       const char *features, const char **argv, struct strbuf *options)
{
	size_t n = 0;

	argv[n++] = m->program;
	for (const char *const *a = m->args; *a; a++)
		argv[n++] = *a;
	if (m->block_prefix) {
		strbuf_printf(options, "%s%u", m->block_prefix, block ? block : m->block);
		argv[n++] = "-b";
		argv[n++] = strbuf_str(options);
	}
	if (features) {
		argv[n++] = "-O";
		argv[n++] = features;
	}
	argv[n++] = device;
	argv[n] = NULL;
}

uint64_t mkfs_timeout_ns(uint64_t size)
{
	// ext's tables are 1/64 of the device; a slow disk writes them at 5 MB/s.
	return (UINT64_C(300) + size / 64 / 5000000) * 1000000000;
}
