// SPDX-License-Identifier: GPL-3.0-or-later
// Decompresses through another program, as a stream: for formats too rare to link a
// library for. The program reads the file itself, to its end.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/wait.h>

#include "common/clock.h"
#include "kexec/unpack-private.h"

#define PROGRAM_PATIENCE (60 * CLOCK_SECOND) // without a byte

static int start(const char *const *argv, int in, int out, pid_t *pid)
{
	static char path[] = "PATH=/usr/sbin:/usr/bin:/sbin:/bin";
	char *env[] = { path, NULL };
	posix_spawn_file_actions_t files;
	int r;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	r = posix_spawnp(pid, argv[0], &files, NULL, (char *const *)(uintptr_t)argv, env);
	posix_spawn_file_actions_destroy(&files);
	return -r;
}

static int drain(int fd, unpack_sink sink, void *arg)
{
	char data[UNPACK_PIECE];

	for (;;) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		int ready =
			poll(&p, 1, clock_poll_ms(clock_mono_ns() + PROGRAM_PATIENCE));
		ssize_t n;
		int r;

		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0)
			return -ETIMEDOUT;
		n = read(fd, data, sizeof(data));
		if (n <= 0)
			return n < 0 ? -errno : 0;
		r = sink(arg, data, (size_t)n);
		if (r)
			return r;
	}
}

int unpack_program(const char *const *argv, struct unpack_in *in, unpack_sink sink,
		   void *arg)
{
	_cleanup_close_ int file = fcntl(in->fd, F_DUPFD_CLOEXEC, 3);
	int pipes[2], status = 0, r;
	uint64_t before = in->offset;
	pid_t pid;

	// The offset is shared with in->fd, which nobody else reads by it.
	if (file < 0 || lseek(file, (off_t)before, SEEK_SET) < 0 ||
	    pipe2(pipes, O_CLOEXEC) < 0)
		return -errno;
	r = start(argv, file, pipes[1], &pid);
	close(pipes[1]);
	if (r == 0) {
		r = drain(pipes[0], sink, arg);
		if (r)
			kill(pid, SIGKILL);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		// Zeros behind the stream are refused by some; what came out counts.
		if (r == 0 && (!WIFEXITED(status) || WEXITSTATUS(status) == 127))
			r = -ENOENT;
	}
	close(pipes[0]);
	in->offset = in->end;
	in->at = in->n = 0;
	return r;
}
