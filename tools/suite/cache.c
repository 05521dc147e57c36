// SPDX-License-Identifier: GPL-3.0-or-later
// Empties the caches between a test and the last one.
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/fs.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/wait.h>

#include "common/io.h"
#include "suite/cache.h"

#define PATIENCE_MS (120 * 1000)

static void flush_device(const char *path)
{
	_cleanup_close_ int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	if (fd >= 0)
		ioctl(fd, BLKFLSBUF, 0);
}

static int drop(const struct stack *stack)
{
	int r;

	sync(); // first, because dirty pages cannot be dropped
	for (size_t i = stack->n_up; i > 0; i--)
		flush_device(stack->layers[i - 1].path);
	for (size_t i = 0; i < stack->n_targets; i++)
		flush_device(target_path(stack->targets[i]));
	r = io_write_file("/proc/sys/vm/drop_caches", "3\n");
	return r < 0 ? -r : 0;
}

int cache_drop(const struct stack *stack, struct err *err)
{
	_cleanup_close_ int fd = -1;
	struct pollfd p = { .events = POLLIN };
	pid_t pid = fork();
	int status;

	if (pid < 0)
		return err_set(err, -errno, "caches not dropped: %s", strerror(errno));
	if (pid == 0) {
		close_range(3, ~0U, 0); // a child left behind must hold nothing busy
		_exit(drop(stack));
	}
	fd = pidfd_open(pid, 0);
	p.fd = fd;
	if (fd >= 0 && poll(&p, 1, PATIENCE_MS) == 0) {
		kill(pid, SIGKILL);
		if (poll(&p, 1, 1000) == 0)
			return err_set(
				err, -ETIMEDOUT,
				"caches not dropped: a sync hangs; a disk does not "
				"take its data");
	}
	if (waitpid(pid, &status, 0) != pid)
		return err_set(err, -errno, "caches not dropped: %s", strerror(errno));
	if (!WIFEXITED(status))
		return err_set(err, -ETIMEDOUT, "caches not dropped within %d s",
			       PATIENCE_MS / 1000);
	if (WEXITSTATUS(status))
		return err_set(err, -WEXITSTATUS(status), "caches not dropped: %s",
			       strerror(WEXITSTATUS(status)));
	return 0;
}
