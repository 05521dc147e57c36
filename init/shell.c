// SPDX-License-Identifier: GPL-3.0-or-later
// Root shells on consoles, each with its own controlling terminal, so that job control
// works.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>

#include "common/clock.h"
#include "common/console.h"
#include "common/io.h"
#include "init.h"
#include "shell.h"

#define OFFERED "tty2"
#define PAUSE   (2 * CLOCK_SECOND) // a shell that dies at once is not started in a spin

struct shell {
	char tty[32];
	pid_t pid;
	bool offered;      // waits for Enter, and is started again when it ended
	uint64_t again_ns; // not before this time
};

static struct shell shells[CONSOLE_MAX + 1];
static size_t n_shells;

// A line discipline as a person expects it, whatever the last program left behind.
static void make_sane(int fd)
{
	struct winsize size = { 0 };
	struct termios t;

	// A serial line knows no size; the shell would ask the terminal at each prompt.
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col == 0) {
		size = (struct winsize){ .ws_row = 24, .ws_col = 80 };
		ioctl(fd, TIOCSWINSZ, &size);
	}
	if (tcgetattr(fd, &t) < 0)
		return;
	t.c_iflag |= ICRNL | IXON;
	t.c_oflag |= OPOST | ONLCR;
	t.c_lflag |= ISIG | ICANON | ECHO | ECHOE | ECHOK | IEXTEN;
	t.c_cflag |= CREAD;
	tcsetattr(fd, TCSANOW, &t);
}

static void wait_for_enter(void)
{
	static const char text[] = "\nAssay: press Enter for a root shell.\n";
	char c = 0;

	io_write_all(STDOUT_FILENO, text, sizeof(text) - 1);
	while (c != '\n')
		if (read(STDIN_FILENO, &c, 1) <= 0)
			_exit(1);
}

static void become_shell(const struct shell *s)
{
	bool serial = s->tty[3] > '9';
	char path[48], term[16];
	const char *argv[] = { "/bin/busybox", "sh", NULL };
	const char *env[] = { "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
			      "HOME=/root",
			      "PS1=assay# ",
			      "ENV=/etc/shrc", // real programs before busybox's own
			      "LC_ALL=C",
			      term,
			      NULL };
	sigset_t none;
	int fd;

	setsid();
	snprintf(path, sizeof(path), "/dev/%s", s->tty);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0 || dup2(fd, 0) < 0 || dup2(fd, 1) < 0 || dup2(fd, 2) < 0)
		_exit(126);
	ioctl(fd, TIOCSCTTY, 1); // even when something else holds the terminal
	make_sane(fd);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (s->offered)
		wait_for_enter();
	snprintf(term, sizeof(term), "TERM=%s", serial ? "vt100" : "linux");
	if (chdir("/root") < 0 && chdir("/") < 0)
		_exit(126);
	execve(argv[0], (char *const *)(uintptr_t)argv, (char *const *)(uintptr_t)env);
	_exit(127);
}

static void start(struct shell *s)
{
	s->pid = fork();
	if (s->pid == 0)
		become_shell(s);
	if (s->pid < 0)
		s->pid = 0;
	s->again_ns = clock_mono_ns() + PAUSE;
}

static struct shell *add(const char *tty, bool offered)
{
	struct shell *s = &shells[n_shells];

	if (n_shells == ARRAY_SIZE(shells))
		return NULL;
	n_shells++;
	*s = (struct shell){ .offered = offered };
	snprintf(s->tty, sizeof(s->tty), "%s", tty);
	start(s);
	return s;
}

unsigned shell_start_all(void)
{
	struct console c;

	console_open(&c, false);
	for (size_t i = 0; i < c.n; i++) // tty1 for tty0, as console.c does
		add(strcmp(c.lines[i].name, "tty0") == 0 ? "tty1" : c.lines[i].name,
		    false);
	console_close(&c);
	return shell_running();
}

void shell_offer(void)
{
	if (io_exists("/dev/" OFFERED))
		add(OFFERED, true);
}

unsigned shell_running(void)
{
	unsigned n = 0;

	for (size_t i = 0; i < n_shells; i++)
		n += shells[i].pid > 0 && !shells[i].offered;
	return n;
}

void shell_reaped(pid_t pid)
{
	for (size_t i = 0; i < n_shells; i++)
		if (shells[i].pid == pid) {
			shells[i].pid = 0;
			say_open();
		}
}

void shell_tend(void)
{
	for (size_t i = 0; i < n_shells; i++)
		if (shells[i].offered && shells[i].pid == 0 &&
		    clock_mono_ns() >= shells[i].again_ns)
			start(&shells[i]);
}

bool shell_owns(pid_t session)
{
	for (size_t i = 0; i < n_shells; i++)
		if (shells[i].pid > 0 && shells[i].pid == session)
			return true;
	return false;
}
