// SPDX-License-Identifier: GPL-3.0-or-later
// Wipes what older tenants left.
#include <blkid/blkid.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

#include "common/clock.h"
#include "common/macro.h"
#include "common/mem.h"
#include "stack/node.h"
#include "stack/tree.h"
#include "stack/wipe.h"

// LUKS2's header with its keyslots is 16 MiB; md 0.90/1.0, GPT's copy and RAID BIOS
// formats lie within the last 2 MiB.
#define WIPE_HEAD (UINT64_C(16) << 20)
#define WIPE_TAIL (UINT64_C(2) << 20)
#define CHUNK     (1u << 20)

// More than any device can hold; ends a loop over a device that ignores writes.
#define SIGNATURES_MAX 64

static bool is_target(struct target *const *targets, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(target_device(targets[i])->name, name) == 0)
			return target_writable(targets[i]);
	return false;
}

int wipe_allowed(struct target *const *targets, size_t n, const char *path,
		 struct err *err)
{
	_cleanup_free_ char *name = node_kernel_name(path);
	_cleanup_tree_ struct tree leaves = { 0 };

	if (!name)
		return err_set(err, -ENODEV, "%s is no block device", path);
	tree_leaves("", name, &leaves);
	for (size_t i = 0; i < leaves.n; i++)
		if (!is_target(targets, n, leaves.names[i]))
			return err_set(err, -EACCES,
				       "%s lies on /dev/%s, which the plan does not give "
				       "consent to write; nothing was written",
				       path, leaves.names[i]);
	if (leaves.n == 0)
		return err_set(err, -ENODEV, "%s: cannot tell which disk it is on", path);
	if (node_is_readonly(path))
		return err_set(err, -EROFS,
			       "%s is read-only: look for a lock switch, or "
			       "the disk has failed into read-only",
			       path);
	return 0;
}

static int zero_range(int fd, uint64_t from, uint64_t len)
{
	_cleanup_free_ char *zeros = mem_new(1, CHUNK);

	while (len > 0) {
		size_t want = len < CHUNK ? (size_t)len : CHUNK;
		ssize_t n = pwrite(fd, zeros, want, (off_t)from);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		from += (uint64_t)n;
		len -= (uint64_t)n;
	}
	return 0;
}

static int zero_ends(int fd, uint64_t size)
{
	int r;

	if (size <= WIPE_HEAD + WIPE_TAIL)
		return zero_range(fd, 0, size);
	r = zero_range(fd, 0, WIPE_HEAD);
	return r < 0 ? r : zero_range(fd, size - WIPE_TAIL, WIPE_TAIL);
}

// What lies outside the zeroed ends, e.g. copies of a superblock that libblkid knows.
static int wipe_signatures(int fd)
{
	blkid_probe pr = blkid_new_probe();
	int r = pr ? 0 : -ENOMEM;

	if (r == 0 && blkid_probe_set_device(pr, fd, 0, 0) != 0)
		r = -EIO;
	if (r == 0) {
		blkid_probe_enable_superblocks(pr, 1);
		blkid_probe_set_superblocks_flags(pr, BLKID_SUBLKS_MAGIC |
							      BLKID_SUBLKS_BADCSUM);
		blkid_probe_enable_partitions(pr, 1);
		blkid_probe_set_partitions_flags(pr, BLKID_PARTS_MAGIC |
							     BLKID_PARTS_FORCE_GPT);
	}
	for (int i = 0; r == 0 && blkid_do_probe(pr) == 0; i++)
		if (i >= SIGNATURES_MAX || blkid_do_wipe(pr, 0) != 0)
			r = -EIO;
	blkid_free_probe(pr);
	return r;
}

// A whole disk's partitions go; a device that cannot have any says EINVAL or ENOTTY.
static int forget_partitions(int fd)
{
	static const struct timespec pause = { .tv_nsec = 50000000 };
	uint64_t deadline = clock_mono_ns() + NODE_PATIENCE;

	while (ioctl(fd, BLKRRPART) < 0) {
		if (errno == EINVAL || errno == ENOTTY)
			return 0;
		if (errno != EBUSY || clock_mono_ns() >= deadline)
			return -errno;
		nanosleep(&pause, NULL);
	}
	return 0;
}

int wipe_device(struct target *const *targets, size_t n, const char *path,
		struct err *err)
{
	_cleanup_close_ int fd = -1;
	uint64_t size;
	int r = wipe_allowed(targets, n, path, err);

	if (r < 0)
		return r;
	fd = open(path, O_RDWR | O_EXCL | O_CLOEXEC);
	if (fd < 0)
		return err_set(err, -errno, "%s: cannot open it for wiping: %s", path,
			       errno == EBUSY ? "it is in use" : strerror(errno));
	r = node_size(path, &size, err);
	if (r < 0)
		return r;
	r = zero_ends(fd, size);
	if (r == 0)
		r = wipe_signatures(fd);
	if (fsync(fd) < 0 && r == 0)
		r = -errno;
	if (r < 0)
		return err_set(err, r, "%s: wiping old signatures failed: %s", path,
			       strerror(-r));
	r = forget_partitions(fd);
	return r == 0 ? 0
		      : err_set(err, r,
				"%s: the kernel does not let go of old partitions: %s",
				path, strerror(-r));
}
