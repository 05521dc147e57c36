// SPDX-License-Identifier: GPL-3.0-or-later
// What the sequence tells PID 1.
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>

#include "common/clock.h"
#include "common/io.h"
#include "common/mem.h"
#include "common/number.h"
#include "run-control.h"

// The pipe to PID 1, or -1. The tools that we run must not hold it open.
static int control_fd(void)
{
	const char *number = getenv("ASSAY_CONTROL_FD");
	uint64_t fd;

	if (!number || number_uint(number, &fd) < 0 || fd > 1023)
		return -1;
	if (fcntl((int)fd, F_SETFD, FD_CLOEXEC) < 0)
		return -1;
	return (int)fd;
}

static void tell(const char *word, const char *text)
{
	// PID 1 takes lines of less than 256 bytes, and keeps 160 of a phase.
	_cleanup_free_ char *line = mem_printf("%s %.200s\n", word, text);
	int fd = control_fd();

	// A line break in the text would make a command of what follows.
	for (char *p = line; p[1]; p++)
		if (*p == '\n')
			*p = ' ';

	if (fd >= 0 && io_write_all(fd, line, strlen(line)) < 0)
		return; // PID 1 is gone: then nobody is left to be told
}

void control_phase(const char *fmt, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = mem_vprintf(fmt, ap);
	va_end(ap);
	tell("phase", text);
}

void control_deadline(uint64_t deadline_ns)
{
	_cleanup_free_ char *text =
		mem_printf("%llu", (unsigned long long)((deadline_ns + CLOCK_SECOND - 1) /
							CLOCK_SECOND));

	tell("deadline", text);
}

void control_then(const char *ending)
{
	tell("then", ending);
}
