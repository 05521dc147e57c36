// SPDX-License-Identifier: GPL-3.0-or-later
// A stick made from assay.img grows.
#include <fcntl.h>
#include <linux/blkpg.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>

#include "common/mem.h"
#include "device/stick-grow.h"

#define LEAST_GAIN ((16 << 20) / GROW_SECTOR)
#define ALIGN      ((1 << 20) / GROW_SECTOR)

// Fields of the MBR, and of its first entry
#define MBR_NUMBER 440
#define MBR_ENTRY  446
#define ENTRY_SIZE 16
#define ENTRY_TYPE (MBR_ENTRY + 4)
#define ENTRY_BASE (MBR_ENTRY + 8)
#define ENTRY_LEN  (MBR_ENTRY + 12)
#define TYPE_FAT32 0x0c
#define SIGNATURE  510

// Fields of a FAT32 boot sector (Microsoft, FAT32 File System Specification 1.03)
#define BPB_BYTES    11
#define BPB_CLUSTER  13
#define BPB_RESERVED 14
#define BPB_FATS     16
#define BPB_TOTAL16  19
#define BPB_FAT16    22
#define BPB_HIDDEN   28
#define BPB_TOTAL    32
#define BPB_FAT32    36
#define BPB_INFO     48
#define BPB_BACKUP   50
#define BPB_NUMBER   67

// The information sector: free clusters, and where to look for one; all ones: unknown.
#define INFO_FREE    488
#define INFO_LENGTH  8
#define PER_SECTOR   (GROW_SECTOR / 4) // entries of a FAT32 table
#define FIRST_USABLE 2                 // clusters are counted from here

static uint16_t le16(const uint8_t *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}

static uint32_t le32(const uint8_t *p)
{
	return le16(p) | (uint32_t)le16(p + 2) << 16;
}

static void put32(uint8_t *p, uint32_t n)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(n >> 8 * i);
}

static bool signed_sector(const uint8_t *p)
{
	return p[SIGNATURE] == 0x55 && p[SIGNATURE + 1] == 0xaa;
}

static bool one_partition(const uint8_t *mbr)
{
	static const uint8_t none[3 * ENTRY_SIZE];

	return signed_sector(mbr) && mbr[ENTRY_TYPE] == TYPE_FAT32 &&
	       memcmp(mbr + MBR_ENTRY + ENTRY_SIZE, none, sizeof(none)) == 0;
}

static bool plain_fat32(const uint8_t *boot)
{
	uint8_t cluster = boot[BPB_CLUSTER];

	return signed_sector(boot) && le16(boot + BPB_BYTES) == GROW_SECTOR && cluster &&
	       (cluster & (cluster - 1)) == 0 && boot[BPB_FATS] == 2 &&
	       le16(boot + BPB_TOTAL16) == 0 && le16(boot + BPB_FAT16) == 0 &&
	       le16(boot + BPB_INFO) && le16(boot + BPB_BACKUP) > le16(boot + BPB_INFO) &&
	       (uint32_t)le16(boot + BPB_BACKUP) + le16(boot + BPB_INFO) <
		       le16(boot + BPB_RESERVED);
}

// How many sectors its tables can serve.
static uint64_t capacity(const uint8_t *boot)
{
	uint64_t table = le32(boot + BPB_FAT32);
	uint64_t clusters = table * PER_SECTOR;

	if (clusters <= FIRST_USABLE)
		return 0;
	return le16(boot + BPB_RESERVED) + 2 * table +
	       (clusters - FIRST_USABLE) * boot[BPB_CLUSTER];
}

bool grow_decide(const uint8_t *mbr, const uint8_t *boot, uint64_t disk_sectors,
		 struct grow *ret)
{
	uint32_t start = le32(mbr + ENTRY_BASE), length = le32(mbr + ENTRY_LEN);
	uint32_t total = le32(boot + BPB_TOTAL);
	uint64_t room;

	if (!one_partition(mbr) || !plain_fat32(boot) ||
	    le32(mbr + MBR_NUMBER) != le32(boot + BPB_NUMBER) ||
	    le32(boot + BPB_HIDDEN) != start || total > length)
		return false;
	if (disk_sectors > UINT32_MAX)
		disk_sectors = UINT32_MAX; // more, an MBR cannot say
	if (disk_sectors <= start)
		return false;
	room = disk_sectors - start;
	if (room > capacity(boot))
		room = capacity(boot);
	room -= room % ALIGN;
	if (room < length || room < (uint64_t)total + LEAST_GAIN)
		return false;
	*ret = (struct grow){ start, (uint32_t)room, total };
	return true;
}

void grow_mbr(uint8_t *mbr, const struct grow *g)
{
	// The old addresses by cylinder cannot say so much; all ones is the custom.
	memset(mbr + MBR_ENTRY + 5, 0xff, 3);
	mbr[MBR_ENTRY + 5] = 0xfe;
	put32(mbr + ENTRY_LEN, g->partition);
}

void grow_boot(uint8_t *boot, const struct grow *g)
{
	put32(boot + BPB_TOTAL, g->partition);
}

static int read_sector(int fd, uint64_t n, uint8_t *to)
{
	ssize_t r = pread(fd, to, GROW_SECTOR, (off_t)(n * GROW_SECTOR));

	return r == GROW_SECTOR ? 0 : r < 0 ? -errno : -EIO;
}

// Returns when it is on the medium.
static int write_sector(int fd, uint64_t n, const uint8_t *from)
{
	ssize_t r = pwrite(fd, from, GROW_SECTOR, (off_t)(n * GROW_SECTOR));

	if (r != GROW_SECTOR)
		return r < 0 ? -errno : -EIO;
	return fsync(fd) < 0 ? -errno : 0;
}

static int tell_kernel(int disk, const struct grow *g)
{
	struct blkpg_partition part = {
		.start = (long long)g->start * GROW_SECTOR,
		.length = (long long)g->partition * GROW_SECTOR,
		.pno = 1,
	};
	struct blkpg_ioctl_arg arg = { .op = BLKPG_RESIZE_PARTITION,
				       .datalen = sizeof(part),
				       .data = &part };

	return ioctl(disk, BLKPG, &arg) < 0 ? -errno : 0;
}

static int forget_free(int part, uint64_t sector)
{
	uint8_t info[GROW_SECTOR];
	int r = read_sector(part, sector, info);

	if (r < 0)
		return r;
	memset(info + INFO_FREE, 0xff, INFO_LENGTH);
	return write_sector(part, sector, info);
}

static int grow_filesystem(int part, uint8_t *boot, const struct grow *g)
{
	uint64_t info = le16(boot + BPB_INFO), backup = le16(boot + BPB_BACKUP);
	int r = forget_free(part, info);

	if (r == 0)
		r = forget_free(part, backup + info);
	grow_boot(boot, g);
	if (r == 0)
		r = write_sector(part, backup, boot);
	if (r == 0)
		r = write_sector(part, 0, boot);
	return r;
}

// The disk's part of it. 1 when the filesystem is to follow, 0 when nothing is to do.
static int grow_partition(int disk, uint8_t *boot, struct grow *g)
{
	uint8_t mbr[GROW_SECTOR];
	uint64_t size;
	int r = read_sector(disk, 0, mbr);

	if (r < 0 || ioctl(disk, BLKGETSIZE64, &size) < 0)
		return r < 0 ? r : -errno;
	if (!one_partition(mbr))
		return 0;
	r = read_sector(disk, le32(mbr + ENTRY_BASE), boot);
	if (r < 0 || !grow_decide(mbr, boot, size / GROW_SECTOR, g))
		return r;
	grow_mbr(mbr, g);
	r = write_sector(disk, 0, mbr);
	if (r == 0)
		r = tell_kernel(disk, g);
	return r < 0 ? r : 1;
}

int64_t stick_grow(const struct stick *s, struct err *err)
{
	_cleanup_free_ char *whole = mem_printf("/dev/%s", s->disk);
	int fd = open(whole, O_RDWR | O_EXCL | O_CLOEXEC);
	uint8_t boot[GROW_SECTOR] = { 0 };
	struct grow g = { 0 };
	int r;

	if (fd < 0 && (errno == EROFS || errno == EACCES || errno == EBUSY))
		return 0; // protected or in use: it stays as it is
	if (fd < 0)
		return err_set(err, -errno, "%s cannot be opened: %s", s->name,
			       strerror(errno));
	r = grow_partition(fd, boot, &g);
	close(fd);
	if (r == 0)
		return 0;
	if (r > 0) {
		// By the partition's own node: its cache is another than the disk's.
		fd = open(s->device, O_RDWR | O_EXCL | O_CLOEXEC);
		r = fd < 0 ? -errno : grow_filesystem(fd, boot, &g);
		if (fd >= 0)
			close(fd);
	}
	if (r < 0)
		return err_set(err, r, "%s could not grow to its real size: %s", s->name,
			       strerror(-r));
	return (int64_t)g.partition * GROW_SECTOR;
}
