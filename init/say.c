// SPDX-License-Identifier: GPL-3.0-or-later
// What PID 1 says: on every console, in the kernel log and in a small file.
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/console.h"
#include "common/io.h"
#include "init.h"

#define LOG     "/run/assay/pid1.log"
#define LOG_MAX (256 * 1024)

static struct console console;

void say_open(void)
{
	console_close(&console);
	console_open(&console, false);
}

// Priority 7 keeps the copy in the kernel log off the consoles, which have it already.
static void to_kernel_log(const char *text)
{
	_cleanup_close_ int fd = open("/dev/kmsg", O_WRONLY | O_CLOEXEC | O_NONBLOCK);
	char line[600];
	int n = snprintf(line, sizeof(line), "<7>assay: %s", text);

	if (fd >= 0 && n > 0 && write(fd, line, strlen(line)) < 0)
		return; // it is on the consoles
}

static void to_file(const char *text, size_t len)
{
	_cleanup_close_ int fd =
		open(LOG, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);

	if (fd >= 0 && lseek(fd, 0, SEEK_END) < LOG_MAX)
		io_write_all(fd, text, len);
}

void say(const char *fmt, ...)
{
	char text[512];
	size_t len;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text) - 1, fmt, ap);
	va_end(ap);
	to_kernel_log(text);
	len = strlen(text);
	text[len++] = '\n';
	console_write(&console, text, len);
	to_file(text, len);
}
