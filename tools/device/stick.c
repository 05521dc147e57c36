// SPDX-License-Identifier: GPL-3.0-or-later
// The assay stick: found, mounted, repaired, unmounted.
#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "common/clock.h"
#include "common/io.h"
#include "common/mem.h"
#include "common/process.h"
#include "device/driver.h"
#include "device/stick-private.h"

#define LOOK_DIR  "/run/assay/look"
#define STICK_DIR "/run/assay/stick"
#define LEFT_MAX  8 // mounts that died with their processes, one above the other
#define FLAGS     (MS_NOATIME | MS_NODEV | MS_NOSUID | MS_NOEXEC)

// Mounts; loads the filesystem's modules and tries again when the kernel lacks them.
static int mount_fs(const char *device, const char *dir, const struct stick_fs *fs,
		    bool write)
{
	unsigned long flags = FLAGS | (write ? 0 : MS_RDONLY);
	const char *options = write ? fs->options : fs->look;
	int r = io_make_dirs(dir);

	if (r < 0)
		return r;
	if (mount(device, dir, fs->type, flags, options) == 0)
		return 0;
	if (errno != ENODEV && errno != EINVAL)
		return -errno;
	for (size_t i = 0; i < ARRAY_SIZE(fs->modules) && fs->modules[i]; i++)
		driver_load(fs->modules[i], NULL);
	return mount(device, dir, fs->type, flags, options) < 0 ? -errno : 0;
}

struct look {
	bool has_plan, has_folder;
};

static void look_into(const char *dir, struct look *look)
{
	_cleanup_free_ char *plan = mem_printf("%s/assay.ini", dir);
	_cleanup_free_ char *folder = mem_printf("%s/assay", dir);
	struct stat st;

	look->has_plan = stat(plan, &st) == 0 && S_ISREG(st.st_mode);
	look->has_folder = stat(folder, &st) == 0 && S_ISDIR(st.st_mode);
}

// What does its root hold? Returns 0 or -errno.
static int look_at(const struct device *d, struct look *look)
{
	int r;

	*look = (struct look){ 0 };
	if (d->mounts && d->mounts[0]) {
		look_into(d->mounts[0], look);
		return 0;
	}
	r = mount_fs(d->path, LOOK_DIR, stick_fs(d->content.type), false);
	if (r < 0)
		return r;
	look_into(LOOK_DIR, look);
	if (umount2(LOOK_DIR, UMOUNT_NOFOLLOW) < 0 &&
	    umount2(LOOK_DIR, UMOUNT_NOFOLLOW | MNT_DETACH) < 0)
		return -errno;
	return 0;
}

static uint64_t diskseq_now(const char *root, const char *disk)
{
	return (uint64_t)io_read_number(0, "%s/sys/block/%s/diskseq", root, disk);
}

// The number is read anew: opening the device for the look may have made the kernel
// notice that its medium is a new one.
static void fill(struct stick *s, const struct device_list *list, const struct device *d,
		 const struct look *look)
{
	const char *disk = device_disk(list, d)->name;

	*s = (struct stick){
		.device = mem_strdup(d->path),
		.disk = mem_strdup(disk),
		.diskseq = diskseq_now("", disk),
		.fstype = mem_strdup(d->content.type),
		.name = stick_describe(list, d),
		.dir = mem_strdup(STICK_DIR),
		.has_plan = look->has_plan,
		.readonly = d->readonly,
	};
}

static int none_found(const struct strbuf *others, struct err *err)
{
	return err_set(
		err, -ENODEV,
		"there is no assay stick. It is a USB stick or card (FAT, exFAT or "
		"ext4) whose root holds assay.ini or a folder named assay.%s%s",
		others->len ? " Looked at and not taken: " : "", strbuf_str(others));
}

int stick_find(const struct device_list *list, const char *const *exclude,
	       struct stick *ret, struct err *err)
{
	_cleanup_strbuf_ struct strbuf others = { 0 }, names = { 0 };
	unsigned found = 0;

	*ret = (struct stick){ 0 };
	for (size_t i = 0; i < list->n; i++) {
		const struct device *d = &list->items[i];
		_cleanup_free_ char *name = NULL;
		struct look look;
		int r;

		if (!stick_may_be(list, d, exclude))
			continue;
		name = stick_describe(list, d);
		r = look_at(d, &look);
		if (r < 0 || (!look.has_plan && !look.has_folder)) {
			strbuf_printf(&others, "%s%s (%s)", others.len ? "; " : "", name,
				      r < 0 ? strerror(-r) : "holds neither");
			continue;
		}
		strbuf_printf(&names, "%s%s", found ? " and " : "", name);
		if (found++ == 0)
			fill(ret, list, d, &look);
	}
	if (found == 1)
		return 0;
	stick_done(ret);
	if (found == 0)
		return none_found(&others, err);
	return err_set(err, -ENOTUNIQ,
		       "there are %u assay sticks: %s. Leave only one plugged in.", found,
		       strbuf_str(&names));
}

bool stick_is_same(const struct stick *s, const char *root)
{
	_cleanup_free_ char *dir = mem_printf("%s/sys/block/%s", root, s->disk);
	uint64_t now = diskseq_now(root, s->disk);

	return io_exists(dir) && (!s->diskseq || !now || now == s->diskseq);
}

// The guard sets disks read-only in the kernel that are not targets, whole ones as well
// as partitions, and a stick that comes back under another name is one of them; this one
// takes results. A hardware switch is not overcome by that, and is told.
static int make_writable(struct stick *s, int fd, struct err *err)
{
	_cleanup_free_ char *whole = mem_printf("/dev/%s", s->disk);
	_cleanup_close_ int disk = open(whole, O_RDONLY | O_CLOEXEC);
	const int off = 0;
	int readonly = 1;

	if (disk >= 0)
		ioctl(disk, BLKROSET, &off);
	ioctl(fd, BLKROSET, &off);
	if (ioctl(fd, BLKROGET, &readonly) < 0)
		return err_set(err, -errno, "%s does not answer: %s", s->name,
			       strerror(errno));
	s->readonly = readonly;
	if (readonly)
		return err_set(err, -EROFS,
			       "%s is write protected: move its switch, or use another",
			       s->name);
	return 0;
}

// A mounted filesystem is dirty as a rule, and fsck would damage it.
static bool in_use(const char *device)
{
	_cleanup_close_ int fd = open(device, O_RDONLY | O_EXCL | O_CLOEXEC);

	return fd < 0;
}

// fsck.vfat and fsck.exfat: 0 nothing to do, 1 repaired. A repair that fails does not
// stop the mount: the store proves the stick by writing and reading back.
static void repair(const struct stick *s, const struct stick_fs *fs, int fd)
{
	const char *argv[] = { NULL, NULL, s->device, NULL };
	_cleanup_process_ struct process p = { .argv = argv };
	uint8_t sector[STICK_SECTOR];

	if (!fs->fsck || pread(fd, sector, sizeof(sector), 0) != sizeof(sector) ||
	    !fs->dirty(sector) || in_use(s->device))
		return;
	argv[0] = fs->fsck[0];
	argv[1] = fs->fsck[1];
	process_run(&p, NULL);
	// What fsck wrote through the device, the mount must not read from a stale cache.
	ioctl(fd, BLKFLSBUF, 0);
}

static int prepare_writing(struct stick *s, const struct stick_fs *fs, struct err *err)
{
	_cleanup_close_ int fd = open(s->device, O_RDONLY | O_CLOEXEC);
	int r;

	if (fd < 0)
		return err_set(err, -errno, "%s cannot be opened: %s; was it pulled?",
			       s->name, strerror(errno));
	r = make_writable(s, fd, err);
	if (r == 0)
		repair(s, fs, fd);
	return r;
}

// A process that was killed while the stick was open has left it mounted; a second mount
// on top would be refused, or stay when the first is thought to be gone.
static void unmount_left(const char *dir)
{
	for (int i = 0; i < LEFT_MAX && umount2(dir, UMOUNT_NOFOLLOW) == 0; i++)
		;
}

int stick_mount(struct stick *s, bool write, struct err *err)
{
	const struct stick_fs *fs = stick_fs(s->fstype);
	int r;

	if (s->mounted && (s->writable || !write))
		return 0;
	if (!fs)
		return err_set(err, -EINVAL, "%s has no filesystem that a stick may have",
			       s->name);
	if (s->mounted) {
		r = stick_unmount(s, err);
		if (r < 0)
			return r;
	}
	unmount_left(LOOK_DIR);
	unmount_left(s->dir);
	if (!stick_is_same(s, ""))
		return err_set(err, -ENODEV,
			       "%s was pulled, or another medium is there now", s->name);
	r = write ? prepare_writing(s, fs, err) : 0;
	if (r < 0)
		return r;
	r = mount_fs(s->device, s->dir, fs, write);
	if (r < 0)
		return err_set(err, r, "%s could not be mounted%s: %s", s->name,
			       write ? " for writing" : "", strerror(-r));
	s->mounted = true;
	s->writable = write;
	return 0;
}

// A pulled stick's errors mislead (ENOSPC, ENOENT): whether its node is still there is
// what counts.
static int say_why(const struct stick *s, int r, struct err *err)
{
	if (!io_exists(s->device))
		return err_set(err, -ENODEV,
			       "%s was pulled before everything was written to it",
			       s->name);
	return err_set(err, r, "%s could not be written to the end: %s", s->name,
		       strerror(-r));
}

int stick_unmount(struct stick *s, struct err *err)
{
	int fd, r = 0;

	if (!s->mounted)
		return 0;
	fd = open(s->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || (s->writable && syncfs(fd) < 0))
		r = -errno;
	if (fd >= 0)
		close(fd);
	if (umount2(s->dir, UMOUNT_NOFOLLOW) < 0) {
		if (r == 0)
			r = -errno;
		umount2(s->dir, UMOUNT_NOFOLLOW | MNT_DETACH);
	}
	if (s->writable && !io_exists(s->device) && r == 0)
		r = -ENODEV;
	s->mounted = false;
	s->writable = false;
	return r < 0 ? say_why(s, r, err) : 0;
}

int stick_read(struct stick *s, const char *name, struct strbuf *to, size_t max,
	       struct err *err)
{
	_cleanup_free_ char *path = mem_printf("%s/%s", s->dir, name);
	bool mine = !s->mounted;
	int r = stick_mount(s, false, err);

	if (r < 0)
		return r;
	r = io_read_file(path, to, max);
	if (r < 0)
		err_set(err, r, "%s on %s could not be read: %s", name, s->name,
			r == -EFBIG ? "it is too large" : strerror(-r));
	if (mine)
		stick_unmount(s, NULL);
	return r;
}

void stick_done(struct stick *s)
{
	free(s->device);
	free(s->disk);
	free(s->fstype);
	free(s->name);
	free(s->dir);
	*s = (struct stick){ 0 };
}
