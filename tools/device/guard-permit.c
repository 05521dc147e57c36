// SPDX-License-Identifier: GPL-3.0-or-later
// The gate itself: proves with the kernel what guard.c decided, and makes the target.
#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "common/mem.h"
#include "device/guard-internal.h"
#include "device/sysfs.h"

#ifndef BLKGETDISKSEQ
#define BLKGETDISKSEQ _IOR(0x12, 128, uint64_t) // Linux 5.15
#endif

static int cannot_open(const char *title, int code, struct err *err)
{
	static const struct {
		int code;
		const char *text;
	} reasons[] = {
		{ -EBUSY, "the kernel says that something holds it" },
		{ -EROFS, "read-only (write protected)" },
		{ -EACCES, "no permission, or set read-only" },
		{ -EPERM, "no permission, or set read-only" },
		{ -ENOMEDIUM, "no medium in it" },
		{ -ENXIO, "it does not answer" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		if (reasons[i].code == code)
			return err_set(err, code, "%s: %s", title, reasons[i].text);
	return err_set(err, code, "%s: cannot be opened for writing: %s", title,
		       strerror(-code));
}

// Opens the disk exclusively, which fails when anything holds it or a partition of it,
// even in ways that sysfs does not show (ZFS, another mount namespace). It is closed
// again: kept, it would shut out our own layers as well.
static int prove(struct device *d, struct err *err)
{
	_cleanup_free_ char *title = device_title(d);
	_cleanup_close_ int fd = open(d->path, O_RDWR | O_EXCL | O_CLOEXEC);
	uint64_t size, seq;
	struct stat st;
	int ro;

	if (fd < 0)
		return cannot_open(title, -errno, err);
	if (fstat(fd, &st) < 0 || !S_ISBLK(st.st_mode) || st.st_rdev != d->devno)
		return err_set(err, -ESTALE, "%s: the node leads to another device",
			       title);
	if (ioctl(fd, BLKROGET, &ro) == 0 && ro)
		return cannot_open(title, -EROFS, err);
	if (ioctl(fd, BLKGETSIZE64, &size) < 0 || size != d->size)
		return err_set(err, -ESTALE, "%s: its size has changed just now", title);
	if (ioctl(fd, BLKGETDISKSEQ, &seq) < 0)
		return 0; // an old kernel: devno and identity have to do
	if (d->diskseq && d->diskseq != seq)
		return err_set(err, -ESTALE, "%s: its medium was changed just now",
			       title);
	d->diskseq = seq;
	return 0;
}

static struct target *target_new(const struct guard_rules *rules,
				 const struct device *disk)
{
	struct target *t = mem_new(1, sizeof(*t));

	device_copy(disk, &t->device);
	for (char *const *p = rules->boot_media; p && *p; p++)
		names_add(&t->boot_media, *p);
	t->results_medium = mem_strdup(rules->results_medium);
	return t;
}

int guard_look(const struct guard_rules *rules, const struct device_list *list,
	       const struct match *which, struct target **ret, struct err *err)
{
	const struct device *disk;
	int r = match_one(which, list, &disk, err);

	*ret = NULL;
	if (r == 0)
		r = guard_check_media(rules, list, disk, err);
	if (r == 0)
		r = guard_check_use(list, disk, NULL, true, err);
	if (r < 0)
		return r;
	*ret = target_new(rules, disk);
	(*ret)->look_only = true;
	return 0;
}

int guard_permit_again(const struct guard_rules *rules, const struct device_list *list,
		       const struct match *which, const char *erase, struct target **ret,
		       struct err *err)
{
	const struct device *disk;
	int r = guard_decide_again(rules, list, which, erase, &disk, err);

	*ret = r < 0 ? NULL : target_new(rules, disk);
	return r; // it is in use by us: opening it exclusively would prove nothing
}

int guard_look_again(const struct guard_rules *rules, const struct device_list *list,
		     const struct match *which, struct target **ret, struct err *err)
{
	const struct device *disk;
	int r = guard_decide_look_again(rules, list, which, &disk, err);

	*ret = NULL;
	if (r < 0)
		return r;
	*ret = target_new(rules, disk);
	(*ret)->look_only = true;
	return 0;
}

int guard_permit(const struct guard_rules *rules, const struct device_list *list,
		 const struct match *which, const char *erase, struct target **ret,
		 struct err *err)
{
	const struct device *disk;
	struct target *t;
	int r = guard_decide(rules, list, which, erase, &disk, err);

	*ret = NULL;
	if (r < 0)
		return r;
	t = target_new(rules, disk);
	r = prove(&t->device, err);
	if (r < 0)
		target_free(t);
	else
		*ret = t;
	return r;
}

int guard_adopt(const char *path, struct target **ret, struct err *err)
{
	const struct device_scan how = { .root = "" };
	const struct guard_rules none = { 0 };
	struct device_list list = { 0 };
	const struct device *d = NULL;
	int r = device_scan(&how, &list, err);
	struct stat st;

	*ret = NULL;
	if (r == 0 && stat(path, &st) == 0 && S_ISBLK(st.st_mode))
		for (size_t i = 0; i < list.n; i++)
			if (list.items[i].devno == st.st_rdev)
				d = &list.items[i];
	if (r == 0 && (!d || !guard_is_own(d)))
		r = err_set(err, -EACCES, "%s is no device that Assay has made", path);
	if (r == 0)
		r = guard_check_use(&list, d, NULL, true, err);
	if (r == 0)
		*ret = target_new(&none, d);
	device_list_done(&list);
	return r;
}

int guard_recheck(const struct target *t, const char *const *ours, struct err *err)
{
	struct device_scan how = { .root = "" };
	struct device_list list = { 0 };
	struct device copy;
	int r = device_scan(&how, &list, err);

	if (r == 0)
		r = guard_verify(t, &list, ours, err);
	device_list_done(&list);
	if (r < 0 || t->look_only || (ours && *ours))
		return r; // read only, or our own layers hold it: nothing to prove by
			  // opening
	device_copy(&t->device, &copy);
	r = prove(&copy, err);
	device_done(&copy);
	return r;
}

bool target_writable(const struct target *t)
{
	return !t->look_only;
}

const char *target_path(const struct target *t)
{
	return t->device.path;
}

const struct device *target_device(const struct target *t)
{
	return &t->device;
}

void target_free(struct target *t)
{
	if (!t)
		return;
	device_done(&t->device);
	names_free(t->boot_media);
	free(t->results_medium);
	free(t);
}
