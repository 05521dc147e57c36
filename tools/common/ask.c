// SPDX-License-Identifier: GPL-3.0-or-later
// Asks a person on every console at once.
#include <poll.h>
#include <string.h>
#include <termios.h>

#include "common/ask.h"
#include "common/clock.h"
#include "common/mem.h"

#define CTRL_U    '\025'
#define BACKSPACE '\b'
#define DELETE    '\177'

// One console while it is asked.
struct asked {
	struct termios before;
	bool changed;       // `before` is to be restored
	struct secret text; // no data: it was not asked
	int len;
};

// Takes away the last character, which in UTF-8 may be several bytes.
static int erase_last(char *text, int len)
{
	unsigned char gone = 0x80;

	while (len > 0 && (gone & 0xc0) == 0x80) {
		gone = (unsigned char)text[--len];
		text[len] = '\0';
	}
	return len;
}

int ask_take(char *text, int len, char typed)
{
	switch (typed) {
	case '\r':
	case '\n':
		return -1;
	case CTRL_U:
		explicit_bzero(text, ASK_MAX);
		return 0;
	case BACKSPACE:
	case DELETE:
		return erase_last(text, len);
	default:
		if (len < ASK_MAX)
			text[len++] = typed;
		return len;
	}
}

static int prepare(struct asked *a, int fd, bool echo)
{
	const tcflag_t line = ECHO | ICANON;
	struct termios raw;
	int r = secret_new(&a->text, ASK_MAX);

	if (r < 0 || tcgetattr(fd, &a->before) < 0)
		return r;
	raw = a->before;
	raw.c_lflag = echo ? raw.c_lflag | line : raw.c_lflag & ~(line | ECHONL);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	// What was typed before the question was no answer to it. TCSAFLUSH would also
	// wait for the output, for ever on a serial line that is held by its reader.
	a->changed = tcsetattr(fd, TCSANOW, &raw) == 0;
	tcflush(fd, TCIFLUSH);
	return 0;
}

// Takes what can be read now. Returns whether the answer is complete.
static bool read_some(struct asked *a, int fd)
{
	char typed;

	while (a->text.data && read(fd, &typed, 1) == 1) {
		int len = ask_take(a->text.data, a->len, typed);

		if (len < 0)
			return true;
		a->len = len;
	}
	return false;
}

// Waits for the first complete answer; its console's index, or -errno.
static int wait_answer(struct console *c, struct asked *asked, uint64_t deadline_ns)
{
	struct pollfd fds[CONSOLE_MAX] = { 0 };

	for (size_t i = 0; i < c->n; i++)
		fds[i] = (struct pollfd){ .fd = c->lines[i].fd, .events = POLLIN };
	for (;;) {
		int n = poll(fds, c->n, clock_poll_ms(deadline_ns));

		if (n == 0)
			return -ETIMEDOUT;
		if (n < 0 && errno != EINTR)
			return -errno;
		for (size_t i = 0; n > 0 && i < c->n; i++) {
			if ((fds[i].revents & POLLIN) &&
			    read_some(&asked[i], c->lines[i].fd))
				return (int)i;
			if (fds[i].revents & (POLLERR | POLLHUP | POLLNVAL))
				fds[i].fd = -1; // gone; the others go on
		}
	}
}

static int take_answer(const struct asked *a, struct secret *ret)
{
	int r = a->text.data ? secret_new(ret, (size_t)a->len) : -ENODEV;

	if (r == 0)
		memcpy(ret->data, a->text.data, (size_t)a->len);
	return r;
}

static int ask(struct console *c, const char *prompt, bool echo, uint64_t deadline_ns,
	       struct secret *ret, struct err *err)
{
	struct asked asked[CONSOLE_MAX] = { 0 };
	int r = 0, which;

	for (size_t i = 0; r == 0 && i < c->n; i++)
		r = prepare(&asked[i], c->lines[i].fd, echo);
	if (r == 0) {
		console_printf(c, "%s", prompt);
		which = wait_answer(c, asked, deadline_ns);
		console_printf(c, "\n");
		r = which < 0 ? which : take_answer(&asked[which], ret);
	}
	for (size_t i = 0; i < c->n; i++) {
		if (asked[i].changed) {
			tcflush(c->lines[i].fd, TCIFLUSH); // what others typed meanwhile
			tcsetattr(c->lines[i].fd, TCSANOW, &asked[i].before);
		}
		secret_done(&asked[i].text);
	}
	if (r == -ETIMEDOUT)
		return err_set(err, r, "nobody answered: %s", prompt);
	return r < 0 ? err_set(err, r, "cannot ask: %s", strerror(-r)) : 0;
}

int ask_secret(struct console *c, const char *prompt, uint64_t deadline_ns,
	       struct secret *ret, struct err *err)
{
	return ask(c, prompt, false, deadline_ns, ret, err);
}

int ask_line(struct console *c, const char *prompt, uint64_t deadline_ns, char **ret,
	     struct err *err)
{
	_cleanup_secret_ struct secret answer = { 0 };
	int r = ask(c, prompt, true, deadline_ns, &answer, err);

	if (r == 0)
		*ret = mem_strndup(answer.data, answer.len);
	return r;
}
