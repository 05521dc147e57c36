// SPDX-License-Identifier: GPL-3.0-or-later
// Empties the caches between a test and the last one.
#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>

#include "common/bounded.h"
#include "common/clock.h"
#include "common/io.h"
#include "suite/cache.h"

#define PATIENCE (120 * CLOCK_SECOND)

static void flush_device(const char *path)
{
	_cleanup_close_ int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	if (fd >= 0)
		ioctl(fd, BLKFLSBUF, 0);
}

static int drop(void *arg, int out _unused_)
{
	const struct stack *stack = arg;

	sync(); // first, because dirty pages cannot be dropped
	for (size_t i = stack->n_up; i > 0; i--)
		flush_device(stack->layers[i - 1].path);
	for (size_t i = 0; i < stack->n_targets; i++)
		flush_device(target_path(stack->targets[i]));
	return io_write_file("/proc/sys/vm/drop_caches", "3\n");
}

int cache_drop(const struct stack *stack, struct err *err)
{
	void *arg = (void *)(uintptr_t)stack;
	int r = bounded_run(drop, arg, PATIENCE, NULL);

	if (r == -ETIMEDOUT)
		return err_set(
			err, r,
			"caches not dropped: a sync hangs; a disk does not take its "
			"data");
	return r < 0 ? err_set(err, r, "caches not dropped: %s", strerror(-r)) : 0;
}
