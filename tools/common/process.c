// SPDX-License-Identifier: GPL-3.0-or-later
// Runs another program without a shell, with a deadline, in its own process group.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "common/clock.h"
#include "common/io.h"
#include "common/mem.h"
#include "common/process.h"

#define TERM_GRACE (3 * CLOCK_SECOND)  // between SIGTERM and SIGKILL
#define KILL_GRACE (10 * CLOCK_SECOND) // after SIGKILL, before it counts as stuck
#define DRAIN_TIME CLOCK_SECOND        // for output of grandchildren that live on

// What is open while the program runs.
struct running {
	pid_t pid;
	int pidfd, in, out, err;
	size_t written; // of the input
};

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int open_pipe(int *read_end, int *write_end)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	*read_end = fds[0];
	*write_end = fds[1];
	return 0;
}

static void enter_cgroup(const char *cgroup)
{
	_cleanup_free_ char *path = mem_printf("%s/cgroup.procs", cgroup);

	io_write_file(path, "0");
}

// The child's side: never returns. `report` is closed by a successful exec; otherwise
// errno goes through it.
_Noreturn static void child(const struct process *p, const int fds[3], int report)
{
	static const char *const env[] = {
		"LC_ALL=C",
		"HOME=/root",
		"TERM=dumb",
		"DM_DISABLE_UDEV=1",
		"LVM_SUPPRESS_FD_WARNINGS=1",
		NULL,
		NULL,
	};
	char path[4096] = "PATH=/usr/sbin:/usr/bin:/sbin:/bin";
	const char *ours = getenv("PATH");
	const char *full[ARRAY_SIZE(env)];
	sigset_t none;
	int e;

	if (ours)
		snprintf(path, sizeof(path), "PATH=%s", ours);
	memcpy(full, env, sizeof(env));
	full[ARRAY_SIZE(env) - 2] = path;
	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	if (p->cgroup)
		enter_cgroup(p->cgroup);
	for (int i = 0; i < 3; i++)
		if (dup2(fds[i], i) < 0)
			goto fail;
	if (p->dir && chdir(p->dir) < 0)
		goto fail;
	execvpe(p->argv[0], (char *const *)(uintptr_t)p->argv,
		(char *const *)(uintptr_t)full);
fail:
	e = errno;
	if (write(report, &e, sizeof(e)) < 0)
		_exit(126);
	_exit(127);
}

// Starts the program. Returns 0, or -errno when it could not be started at all.
static int start(const struct process *p, struct running *r)
{
	_cleanup_close_ int in = -1, out = -1, err = -1, report = -1, said = -1;
	int e = 0, res;

	res = open_pipe(&r->out, &out);
	if (res == 0)
		res = open_pipe(&r->err, &err);
	if (res == 0)
		res = open_pipe(&said, &report);
	if (res == 0 && p->input)
		res = open_pipe(&in, &r->in);
	else if (res == 0 && (in = open("/dev/null", O_RDONLY | O_CLOEXEC)) < 0)
		res = -errno;
	if (res < 0)
		return res;
	r->pid = fork();
	if (r->pid < 0)
		return -errno;
	if (r->pid == 0)
		child(p, (const int[]){ in, out, err }, report);
	setpgid(r->pid, r->pid); // both sides do it: no race with an early kill
	close_fd(&report);
	if (read(said, &e, sizeof(e)) == (ssize_t)sizeof(e)) {
		waitpid(r->pid, NULL, 0);
		return -e;
	}
	r->pidfd = pidfd_open(r->pid, 0);
	fcntl(r->out, F_SETFL, O_NONBLOCK);
	fcntl(r->err, F_SETFL, O_NONBLOCK);
	if (r->in >= 0)
		fcntl(r->in, F_SETFL, O_NONBLOCK);
	return r->pidfd < 0 ? -errno : 0;
}

static void take_output(int *fd, struct strbuf *to, size_t max, bool *cut)
{
	char chunk[16384];
	ssize_t n = read(*fd, chunk, sizeof(chunk));

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		close_fd(fd);
		return;
	}
	if (to->len + (size_t)n > max) {
		*cut = true;
		n = (ssize_t)(max - to->len);
	}
	strbuf_add(to, chunk, (size_t)n);
}

static void give_input(const struct process *p, struct running *r)
{
	ssize_t n = write(r->in, (const char *)p->input + r->written,
			  p->input_len - r->written);

	if (n > 0)
		r->written += (size_t)n;
	if ((n < 0 && errno != EAGAIN && errno != EINTR) || r->written == p->input_len)
		close_fd(&r->in);
}

// Kills the whole group, and the cgroup where there is one.
static void kill_all(const struct process *p, const struct running *r, int sig)
{
	kill(-r->pid, sig);
	if (p->cgroup && sig == SIGKILL) {
		_cleanup_free_ char *path = mem_printf("%s/cgroup.kill", p->cgroup);

		io_write_file(path, "1");
	}
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a && a < b ? a : b;
}

// Serves pipes until the process has ended and its output is read, or it is stuck.
// Returns whether it ended.
static bool serve(struct process *p, struct running *r, size_t max)
{
	uint64_t deadline =
		p->started_ns + (p->timeout_ns ? p->timeout_ns : PROCESS_DEFAULT_TIMEOUT);
	uint64_t next_tick = p->started_ns + CLOCK_SECOND;
	enum { RUNNING, TERMINATED, KILLED, ENDED } state = RUNNING;

	for (;;) {
		struct pollfd fds[] = {
			{ .fd = r->out, .events = POLLIN },
			{ .fd = r->err, .events = POLLIN },
			{ .fd = r->in, .events = POLLOUT },
			{ .fd = state == ENDED ? -1 : r->pidfd, .events = POLLIN },
		};
		uint64_t now;

		if (state == ENDED && r->out < 0 && r->err < 0)
			return true;
		poll(fds, ARRAY_SIZE(fds),
		     clock_poll_ms(earlier(p->tick ? next_tick : 0, deadline)));
		now = clock_mono_ns();
		if (fds[0].revents)
			take_output(&r->out, &p->out, max, &p->output_cut);
		if (fds[1].revents)
			take_output(&r->err, &p->err_out, max, &p->output_cut);
		if (fds[2].revents)
			give_input(p, r);
		if (fds[3].revents && state != ENDED) {
			p->ended_ns = now;
			p->end = state == RUNNING ? PROCESS_EXITED : PROCESS_TIMEOUT;
			state = ENDED;
			deadline = now + DRAIN_TIME;
		} else if (now >= deadline && state == RUNNING) {
			kill_all(p, r, SIGTERM);
			state = TERMINATED;
			deadline = now + TERM_GRACE;
		} else if (now >= deadline && state == TERMINATED) {
			kill_all(p, r, SIGKILL);
			state = KILLED;
			deadline = now + KILL_GRACE;
		} else if (now >= deadline) {
			return state == ENDED;
		}
		if (p->tick && now >= next_tick && state == RUNNING) {
			p->tick(p->tick_arg);
			next_tick = now + CLOCK_SECOND;
		}
	}
}

static void collect(struct process *p, const struct running *r)
{
	struct rusage use;
	int status;

	kill_all(p, r, SIGKILL); // whatever it left running, while its number is ours
	if (wait4(r->pid, &status, 0, &use) != r->pid)
		return;
	p->user_ns = (uint64_t)use.ru_utime.tv_sec * CLOCK_SECOND +
		     (uint64_t)use.ru_utime.tv_usec * 1000;
	p->system_ns = (uint64_t)use.ru_stime.tv_sec * CLOCK_SECOND +
		       (uint64_t)use.ru_stime.tv_usec * 1000;
	if (p->end == PROCESS_TIMEOUT)
		return;
	p->end = WIFSIGNALED(status) ? PROCESS_SIGNALLED : PROCESS_EXITED;
	p->status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

void process_describe_end(const struct process *p, struct strbuf *to)
{
	switch (p->end) {
	case PROCESS_EXITED:
		strbuf_printf(to, "exit status %d", p->status);
		break;
	case PROCESS_SIGNALLED:
		strbuf_printf(to, "killed by signal %d (%s)", p->status,
			      strsignal(p->status));
		break;
	case PROCESS_TIMEOUT:
	case PROCESS_STUCK:
		strbuf_printf(to, "no end after %llu s",
			      (unsigned long long)((p->ended_ns - p->started_ns) /
						   CLOCK_SECOND));
		if (p->end == PROCESS_STUCK)
			strbuf_puts(to, ", cannot be killed: left behind, waiting for a "
					"device");
		break;
	case PROCESS_MISSING:
		strbuf_puts(to, "no such program");
		break;
	}
}

// The last line that is not blank, at most 200 bytes of it.
static void add_last_line(struct strbuf *to, const struct strbuf *text)
{
	size_t end = text->len, start;

	while (end > 0 && strchr(" \t\r\n", text->data[end - 1]))
		end--;
	for (start = end; start > 0 && text->data[start - 1] != '\n'; start--)
		;
	if (end - start > 200)
		end = start + 200;
	if (end > start) {
		strbuf_puts(to, ": ");
		strbuf_add(to, text->data + start, end - start);
	}
}

static int verdict(const struct process *p, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	int code;

	if (p->end == PROCESS_EXITED && p->status == 0)
		return 0;
	code = p->end == PROCESS_MISSING                              ? -ENOENT
	       : p->end == PROCESS_TIMEOUT || p->end == PROCESS_STUCK ? -ETIMEDOUT
								      : -EIO;
	process_describe_end(p, &text);
	add_last_line(&text, p->err_out.len ? &p->err_out : &p->out);
	return err_set(err, code, "%s: %s", p->argv[0], strbuf_str(&text));
}

int process_run(struct process *p, struct err *err)
{
	struct running r = { .pidfd = -1, .in = -1, .out = -1, .err = -1 };
	struct sigaction ignore = { .sa_handler = SIG_IGN }, before;
	int res;

	p->started_ns = p->ended_ns = clock_mono_ns();
	sigaction(SIGPIPE, &ignore, &before); // a program that does not read its input
	res = start(p, &r);
	if (res == 0) {
		p->end = PROCESS_STUCK;
		if (serve(p, &r, p->max_output ? p->max_output : (size_t)8 << 20))
			collect(p, &r);
		else
			p->ended_ns = clock_mono_ns();
	} else if (res == -ENOENT) {
		p->end = PROCESS_MISSING;
		res = 0;
	}
	sigaction(SIGPIPE, &before, NULL);
	close_fd(&r.pidfd);
	close_fd(&r.in);
	close_fd(&r.out);
	close_fd(&r.err);
	if (res < 0)
		return err_set(err, res, "cannot start %s: %s", p->argv[0],
			       strerror(-res));
	return verdict(p, err);
}

void process_done(struct process *p)
{
	strbuf_done(&p->out);
	strbuf_done(&p->err_out);
}
