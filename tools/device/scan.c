// SPDX-License-Identifier: GPL-3.0-or-later
// The scan: every block device of sysfs, in an order that stays.
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "common/io.h"
#include "common/mem.h"
#include "device/driver.h"
#include "device/sysfs.h"

#define SECTOR 512 // the unit of sysfs' `size`, whatever the disk's own sectors are

// Kinds by kernel name; a digit follows. What is not here is a disk when it has hardware
// behind it.
static const struct {
	const char *prefix;
	enum device_kind kind;
} kinds[] = {
	{ "dm-", DEVICE_DM },         { "md", DEVICE_MD },     { "loop", DEVICE_LOOP },
	{ "sr", DEVICE_OPTICAL },     { "fd", DEVICE_FLOPPY }, { "nullb", DEVICE_DISK },
	{ "mtdblock", DEVICE_OTHER }, { "nbd", DEVICE_OTHER },
};

static enum device_kind kind_of(const char *name, const char *dir)
{
	_cleanup_free_ char *device = mem_printf("%s/device", dir);
	_cleanup_free_ char *md = mem_printf("%s/md", dir);

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		size_t len = strlen(kinds[i].prefix);

		if (strncmp(name, kinds[i].prefix, len) == 0 && name[len] >= '0' &&
		    name[len] <= '9')
			return kinds[i].kind;
	}
	if (io_exists(md))
		return DEVICE_MD; // "md_home"
	// An eMMC's boot areas are beside the disk, not on it, and share its serial.
	if (strncmp(name, "mmcblk", 6) == 0 && strstr(name, "boot"))
		return DEVICE_OTHER;
	return io_exists(device) ? DEVICE_DISK : DEVICE_OTHER;
}

static void read_names(const char *dir, const char *what, char ***to)
{
	_cleanup_free_ char *path = mem_printf("%s/%s", dir, what);

	*to = sysfs_names(path);
}

// What disks and partitions have alike.
static void read_common(struct device *d, const char *dir, const char *name)
{
	_cleanup_free_ char *dev = io_read_line("%s/dev", dir);
	unsigned major_no, minor_no;

	d->name = mem_strdup(name);
	d->path = mem_printf("/dev/%s", name);
	for (char *p = d->path; *p; p++)
		if (*p == '!') // sysfs' stand-in for a slash
			*p = '/';
	if (dev && sscanf(dev, "%u:%u", &major_no, &minor_no) == 2)
		d->devno = makedev(major_no, minor_no);
	d->size = (uint64_t)io_read_number(0, "%s/size", dir) * SECTOR;
	d->readonly = io_read_number(0, "%s/ro", dir) == 1;
	read_names(dir, "holders", &d->holders);
	read_names(dir, "slaves", &d->slaves);
}

static void read_disk(struct device *d, const char *dir, const char *name)
{
	read_common(d, dir, name);
	d->kind = kind_of(name, dir);
	d->logical_sector =
		(unsigned)io_read_number(SECTOR, "%s/queue/logical_block_size", dir);
	d->physical_sector = (unsigned)io_read_number(
		d->logical_sector, "%s/queue/physical_block_size", dir);
	d->rotational = io_read_number(0, "%s/queue/rotational", dir) == 1;
	d->removable = io_read_number(0, "%s/removable", dir) == 1;
	d->diskseq = (uint64_t)io_read_number(0, "%s/diskseq", dir);
	if (d->kind == DEVICE_DM)
		d->alias = io_read_line("%s/dm/name", dir);
	else if (d->kind == DEVICE_LOOP)
		d->alias = io_read_line("%s/loop/backing_file", dir);
	path_id(d, dir);
	identity_read(d, dir);
}

static void read_partition(struct device *d, const struct device *disk, const char *dir,
			   const char *name)
{
	read_common(d, dir, name);
	d->kind = DEVICE_PARTITION;
	d->parent = mem_strdup(disk->name);
	d->logical_sector = disk->logical_sector;
	d->physical_sector = disk->physical_sector;
	d->rotational = disk->rotational;
	d->removable = disk->removable;
	d->readonly = d->readonly || disk->readonly;
	d->diskseq = disk->diskseq;
	d->seen_ns = disk->seen_ns;
}

struct found {
	struct device disk;
	char *dir; // its real folder in sysfs
};

// First seen first where that is known; then sda before sdb before sdaa, nvme0n2 before
// nvme0n10.
static int by_order(const void *a, const void *b)
{
	const struct device *x = &((const struct found *)a)->disk;
	const struct device *y = &((const struct found *)b)->disk;
	size_t xl = strlen(x->name), yl = strlen(y->name);

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->seen_ns != y->seen_ns)
		return x->seen_ns < y->seen_ns ? -1 : 1;
	if (strncmp(x->name, y->name, 2) == 0 && x->name[1] == 'd' && xl != yl)
		return xl < yl ? -1 : 1;
	return strverscmp(x->name, y->name);
}

static struct device *push(struct device_list *list)
{
	list->items = mem_grow(list->items, list->n + 1, sizeof(struct device));
	list->items[list->n] = (struct device){ 0 };
	return &list->items[list->n++];
}

static void push_with_partitions(struct device_list *list, const struct found *f)
{
	char **names = sysfs_names(f->dir);

	*push(list) = f->disk;
	for (char **p = names; p && *p; p++) {
		_cleanup_free_ char *dir = mem_printf("%s/%s", f->dir, *p);
		_cleanup_free_ char *mark = mem_printf("%s/partition", dir);

		if (io_exists(mark))
			read_partition(push(list), &f->disk, dir, *p);
	}
	names_free(names);
}

// The kernel keeps loop devices ready that nothing is attached to: no devices yet.
static bool is_idle_loop(const char *name, const char *dir)
{
	_cleanup_free_ char *backing = mem_printf("%s/loop/backing_file", dir);

	return kind_of(name, dir) == DEVICE_LOOP && !io_exists(backing) &&
	       io_read_number(0, "%s/size", dir) == 0;
}

static struct found *find_disks(const char *root, char *const *names, size_t *ret_n)
{
	struct found *found = NULL;
	size_t n = 0;

	for (; names && *names; names++) {
		_cleanup_free_ char *link = mem_printf("%s/sys/block/%s", root, *names);
		_cleanup_free_ char *dir = realpath(link, NULL);

		// A path of a multipath NVMe namespace is hidden: no node, no I/O to it.
		if (!dir || io_read_number(0, "%s/hidden", dir) == 1)
			continue;
		if (is_idle_loop(*names, dir))
			continue;
		found = mem_grow(found, n + 1, sizeof(*found));
		found[n] = (struct found){ 0 };
		read_disk(&found[n].disk, dir, *names);
		if (*root == '\0')
			found[n].disk.seen_ns = driver_seen(*names);
		found[n++].dir = TAKE_PTR(dir);
	}
	*ret_n = n;
	return found;
}

static bool worth_probing(const struct device *d)
{
	// A floppy drive without a disk in it takes many seconds to say so.
	return d->size > 0 && d->kind != DEVICE_FLOPPY && d->kind != DEVICE_OTHER;
}

int device_scan(const struct device_scan *how, struct device_list *list, struct err *err)
{
	_cleanup_free_ char *block = mem_printf("%s/sys/block", how->root);
	struct found *found;
	char **names;
	size_t n;
	int r;

	// Emptied first: after a failure nobody shall decide by an old list.
	device_list_done(list);
	if (!io_exists(block))
		return err_set(err, -ENOENT, "%s is missing: sysfs is not mounted",
			       block);
	names = sysfs_names(block);
	found = find_disks(how->root, names, &n);
	names_free(names);
	if (n)
		qsort(found, n, sizeof(*found), by_order);
	for (size_t i = 0; i < n; i++) {
		push_with_partitions(list, &found[i]);
		free(found[i].dir);
	}
	free(found);
	r = usage_read(how->root, list);
	if (r < 0) { // else what is mounted would count as free
		device_list_done(list);
		return err_set(err, r, "what is mounted cannot be read: %s",
			       strerror(-r));
	}
	for (size_t i = 0; how->probe && i < list->n; i++)
		if (worth_probing(&list->items[i]))
			content_probe(&list->items[i]);
	return 0;
}
