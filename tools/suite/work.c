// SPDX-License-Identifier: GPL-3.0-or-later
// An engine's own work, in a child that can be left behind.
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "common/clock.h"
#include "common/io.h"
#include "common/mem.h"
#include "common/number.h"
#include "suite/work.h"

#define LINE_MAX_ ((size_t)1 << 20) // of one document; longer is no sane child

struct child {
	struct run *run;
	const struct work *work;
	pid_t pid;
	int in;
	struct strbuf line; // what came of the next document
	char *why;          // work_fail()'s sentence
};

void work_say(int out, struct json_object *o)
{
	_cleanup_free_ char *line = mem_printf("%s\n", json_line(o));

	json_object_put(o);
	if (io_write_all(out, line, strlen(line)) < 0)
		_exit(EPIPE); // nobody listens any more
}

void work_progress(int out, uint64_t done, uint64_t total)
{
	struct json_object *o = json_new();

	json_set_uint(o, "done", done);
	json_set_uint(o, "total", total);
	work_say(out, o);
}

int work_fail(int out, int code, const char *fmt, ...)
{
	_cleanup_free_ char *text = NULL;
	struct json_object *o = json_new();
	va_list ap;

	va_start(ap, fmt);
	text = mem_vprintf(fmt, ap);
	va_end(ap);
	json_set_str(o, "failed", text);
	work_say(out, o);
	return code;
}

_Noreturn static void be_child(const struct child *c, int out)
{
	int r;

	if (dup2(out, 3) < 0 || close_range(4, ~0U, 0) < 0)
		_exit(EIO);
	if (c->run->cgroup) {
		_cleanup_free_ char *procs =
			mem_printf("%s/cgroup.procs", c->run->cgroup);

		if (io_write_file(procs, "0") < 0)
			_exit(ECHILD);
	}
	r = c->work->work(c->work->arg, 3);
	_exit(r < 0 ? -r : 0);
}

static void take_line(struct child *c, const char *text, size_t len)
{
	_cleanup_json_ struct json_object *o = json_parse_text(text, len, NULL);
	const char *failed = json_get_str(o, "failed");

	if (!o)
		return;
	if (failed) {
		free(c->why);
		c->why = mem_strdup(failed);
	} else if (json_get(o, "total")) {
		c->run->done = (uint64_t)json_get_int(o, "done", 0);
		c->run->total = (uint64_t)json_get_int(o, "total", 0);
	} else if (c->work->heard) {
		c->work->heard(c->run, o, c->work->arg);
	}
}

// Returns whether there is more to come.
static bool take_bytes(struct child *c)
{
	char chunk[4096], *nl;
	ssize_t n = read(c->in, chunk, sizeof(chunk));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	if (n <= 0 || c->line.len > LINE_MAX_)
		return false;
	strbuf_add(&c->line, chunk, (size_t)n);
	while ((nl = memchr(c->line.data, '\n', c->line.len))) {
		size_t len = (size_t)(nl - c->line.data);

		take_line(c, c->line.data, len);
		c->line.len -= len + 1;
		memmove(c->line.data, nl + 1, c->line.len);
		c->line.data[c->line.len] = '\0';
	}
	return true;
}

// Until the child has closed its end. Returns 0 or -ETIMEDOUT.
static int listen_to(struct child *c)
{
	uint64_t start = clock_mono_ns(), deadline = start + c->run->timeout_ns;
	uint64_t next = start + CLOCK_SECOND;
	struct pollfd p = { .fd = c->in, .events = POLLIN };

	for (;;) {
		uint64_t now, wake = next < deadline ? next : deadline;
		int ready = poll(&p, 1, clock_poll_ms(wake));

		if (ready > 0 && !take_bytes(c))
			return 0;
		now = clock_mono_ns();
		if (now >= deadline)
			return -ETIMEDOUT;
		if (now < next)
			continue;
		if (c->run->tick)
			c->run->tick(c->run->tick_arg);
		next = now + CLOCK_SECOND;
	}
}

// Its exit status as 0 or -errno; -ETIMEDOUT when it does not end in a second.
static int collect(pid_t pid)
{
	const struct timespec step = { .tv_nsec = 10 * 1000 * 1000 };
	uint64_t deadline = clock_mono_ns() + CLOCK_SECOND;
	int status;

	for (;;) {
		pid_t ended = waitpid(pid, &status, WNOHANG);

		if (ended < 0 && errno != EINTR)
			return -errno;
		if (ended == pid && WIFEXITED(status))
			return -WEXITSTATUS(status);
		if (ended == pid)
			return -ECHILD; // a signal
		if (clock_mono_ns() >= deadline)
			return -ETIMEDOUT;
		nanosleep(&step, NULL);
	}
}

static void end_badly(struct child *c, int r, bool stuck)
{
	_cleanup_strbuf_ struct strbuf time = { 0 };

	if (r != -ETIMEDOUT) {
		run_end(c->run, OUTCOME_FAILED, "%s",
			c->why         ? c->why
			: r == -ECHILD ? "the work was ended by a signal or could not "
					 "begin"
				       : strerror(-r));
		return;
	}
	number_format_duration(&time, c->run->timeout_ns);
	run_end(c->run, OUTCOME_ABORTED,
		"no end after %s, which is what this run may take%s", strbuf_str(&time),
		stuck ? "; it cannot be killed: left behind, waiting for a device" : "");
}

int run_work(struct run *run, const struct work *work)
{
	struct child c = { .run = run, .work = work, .in = -1 };
	int ends[2], r, last;

	if (pipe2(ends, O_CLOEXEC) < 0) {
		run_end(run, OUTCOME_FAILED, "no pipe: %s", strerror(errno));
		return -EIO;
	}
	c.in = ends[0];
	c.pid = fork();
	if (c.pid == 0)
		be_child(&c, ends[1]);
	close(ends[1]);
	r = c.pid < 0 ? -EAGAIN : listen_to(&c);
	if (c.pid > 0 && r < 0)
		kill(c.pid, SIGKILL);
	last = c.pid > 0 ? collect(c.pid) : r;
	if (last == -ETIMEDOUT)
		kill(c.pid, SIGKILL);
	if (r == 0)
		r = last;
	if (r < 0)
		end_badly(&c, r, last == -ETIMEDOUT);
	close(c.in);
	free(c.why);
	strbuf_done(&c.line);
	run->done = run->total = 0;
	return r;
}
