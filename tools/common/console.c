// SPDX-License-Identifier: GPL-3.0-or-later
// Every console of the machine at once.
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/console.h"
#include "common/io.h"
#include "common/mem.h"

static void open_line(struct console *c, const char *name)
{
	struct console_line *l = &c->lines[c->n];
	char path[64];

	if (c->n == CONSOLE_MAX || strlen(name) >= sizeof(l->name))
		return;
	// tty0 is "the foreground terminal"; a shell may sit on tty2, so stay on tty1.
	snprintf(path, sizeof(path), "/dev/%.40s",
		 strcmp(name, "tty0") == 0 ? "tty1" : name);
	l->fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (l->fd < 0)
		return;
	snprintf(l->name, sizeof(l->name), "%s", name);
	l->serial = strncmp(name, "tty", 3) == 0 && name[3] > '9'; // ttyS0, ttyAMA0
	if (strncmp(name, "hvc", 3) == 0)
		l->serial = true;
	l->dead = false;
	c->n++;
}

size_t console_open(struct console *c, bool here)
{
	_cleanup_free_ char *active = NULL;
	char *save = NULL;

	*c = (struct console){ 0 };
	if (here) {
		c->lines[0] = (struct console_line){ .name = "stdout",
						     .fd = dup(STDOUT_FILENO) };
		c->n = c->lines[0].fd >= 0;
		return c->n;
	}
	active = io_read_line("/sys/class/tty/console/active");
	for (char *w = active ? strtok_r(active, " ", &save) : NULL; w;
	     w = strtok_r(NULL, " ", &save))
		open_line(c, w);
	if (c->n == 0)
		open_line(c, "console");
	return c->n;
}

static void write_line(struct console_line *l, const char *p, size_t len,
		       uint64_t patience)
{
	uint64_t deadline = clock_mono_ns() + (l->dead ? 0 : patience);

	while (len > 0) {
		struct pollfd pfd = { .fd = l->fd, .events = POLLOUT };
		ssize_t n = write(l->fd, p, len);

		if (n > 0) {
			p += n;
			len -= (size_t)n;
			l->dead = false;
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN)
			return;
		if (poll(&pfd, 1, clock_poll_ms(deadline)) == 0) {
			l->dead = true;
			return;
		}
	}
}

void console_write(struct console *c, const void *data, size_t len)
{
	for (size_t i = 0; i < c->n; i++)
		write_line(&c->lines[i], data, len, CLOCK_SECOND);
}

void console_printf(struct console *c, const char *fmt, ...)
{
	_cleanup_free_ char *s = NULL;
	va_list ap;

	va_start(ap, fmt);
	s = mem_vprintf(fmt, ap);
	va_end(ap);
	console_write(c, s, strlen(s));
}

void console_write_serial(struct console *c, const void *data, size_t len)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->lines[i].serial)
			write_line(&c->lines[i], data, len, 30 * CLOCK_SECOND);
}

void console_close(struct console *c)
{
	for (size_t i = 0; i < c->n; i++)
		close(c->lines[i].fd);
	c->n = 0;
}
