// SPDX-License-Identifier: GPL-3.0-or-later
// Work in a child that can be left behind.
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/bounded.h"
#include "common/clock.h"

#define TEXT_MAX ((size_t)64 << 10)

// The child's side. It holds nothing busy that it might be left behind with.
_Noreturn static void child(int (*work)(void *arg, int out), void *arg, int out)
{
	int r;

	if (dup2(out, 3) < 0 || close_range(4, ~0U, 0) < 0)
		_exit(EIO);
	r = work(arg, 3);
	_exit(r < 0 ? -r : 0);
}

// Reads until the child has closed its end. Returns 0 or -ETIMEDOUT.
static int listen_to(int fd, struct strbuf *text, uint64_t deadline_ns)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char chunk[4096];

	for (;;) {
		ssize_t n;

		if (poll(&p, 1, clock_poll_ms(deadline_ns)) == 0)
			return -ETIMEDOUT;
		n = read(fd, chunk, sizeof(chunk));
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0)
			return 0;
		if (text && text->len + (size_t)n <= TEXT_MAX)
			strbuf_add(text, chunk, (size_t)n);
	}
}

// Its exit status as 0 or -errno; -ETIMEDOUT when it does not end.
static int collect(pid_t pid, uint64_t deadline_ns)
{
	const struct timespec step = { .tv_nsec = 10 * 1000 * 1000 };
	int status;

	for (;;) {
		pid_t ended = waitpid(pid, &status, WNOHANG);

		if (ended < 0 && errno != EINTR)
			return -errno;
		if (ended == pid && WIFEXITED(status))
			return -WEXITSTATUS(status);
		if (ended == pid)
			return -EIO; // a signal: it crashed, or we killed it
		if (clock_mono_ns() >= deadline_ns)
			return -ETIMEDOUT;
		nanosleep(&step, NULL);
	}
}

int bounded_run(int (*work)(void *arg, int out), void *arg, uint64_t timeout_ns,
		struct strbuf *text)
{
	uint64_t deadline = clock_mono_ns() + timeout_ns;
	_cleanup_close_ int in = -1;
	int ends[2], r;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	in = ends[0];
	pid = fork();
	if (pid == 0)
		child(work, arg, ends[1]);
	r = -errno;
	close(ends[1]);
	if (pid < 0)
		return r;
	r = listen_to(in, text, deadline);
	if (r == 0)
		r = collect(pid, deadline + CLOCK_SECOND);
	if (r != -ETIMEDOUT)
		return r;
	kill(pid, SIGKILL);
	collect(pid, clock_mono_ns() + CLOCK_SECOND);
	return -ETIMEDOUT;
}
