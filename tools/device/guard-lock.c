// SPDX-License-Identifier: GPL-3.0-or-later
// Every disk that is no target is read-only in the kernel.
#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>

#include "common/bounded.h"
#include "common/clock.h"
#include "common/mem.h"
#include "device/guard-internal.h"

#define PATIENCE (10 * CLOCK_SECOND)

static bool among(const char *const *names, const char *name)
{
	for (; names && *names; names++)
		if (strcmp(*names, name) == 0)
			return true;
	return false;
}

// A partition cannot be written when its disk is read-only.
static bool has_part_among(const struct device_list *list, const char *const *names,
			   const struct device *disk)
{
	for (; names && *names; names++) {
		const struct device *d = device_find(list, *names);

		if (d && d->parent && strcmp(d->parent, disk->name) == 0)
			return true;
	}
	return false;
}

bool guard_locks(const struct device_list *list, const char *const *targets,
		 const char *const *except, const struct device *d)
{
	const struct device *disk = device_disk(list, d);

	if (!disk || d->size == 0)
		return false;
	// Beside disks only what has hardware of its own: an eMMC's boot areas.
	if (disk->kind != DEVICE_DISK && !(disk->kind == DEVICE_OTHER && disk->transport))
		return false;
	if (among(targets, disk->name) || among(except, disk->name) ||
	    among(except, d->name))
		return false;
	return d != disk || !has_part_among(list, except, d);
}

static int set_readonly(void *path, int out _unused_)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	int on = 1;

	if (fd < 0 || ioctl(fd, BLKROSET, &on) < 0)
		return -errno;
	return 0;
}

// In a child that can be left behind: a dying disk may not even let itself be opened.
static int lock_one(const struct device *d)
{
	return d->readonly ? 0 : bounded_run(set_readonly, d->path, PATIENCE, NULL);
}

size_t guard_lock_others(const struct device_list *list, struct target *const *targets,
			 size_t n, const char *const *except, struct strbuf *why)
{
	_cleanup_free_ const char **names = mem_new(n + 1, sizeof(char *));
	size_t failed = 0, m = 0;

	// Another disk that got the name of a vanished target is no target.
	for (size_t i = 0; i < n; i++)
		if (guard_still_there(list, target_device(targets[i])))
			names[m++] = target_device(targets[i])->name;
	for (size_t i = 0; i < list->n; i++) {
		const struct device *d = &list->items[i];
		_cleanup_free_ char *title = device_title(d);
		struct err err = { 0 };
		int r;

		if (!guard_locks(list, names, except, d))
			continue;
		// Taking a mounted disk from under its filesystem would do the harm that
		// this is to prevent (on a workstation: to the system's own disk).
		r = guard_check_use(list, device_disk(list, d), NULL, false, &err);
		if (r == 0) {
			r = lock_one(d);
			if (r == 0)
				continue;
			err_set(&err, r, "%s: cannot be set read-only: %s", title,
				strerror(-r));
		}
		failed++;
		strbuf_printf(why, "%s\n", err.text);
	}
	return failed;
}
