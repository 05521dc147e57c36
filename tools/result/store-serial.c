// SPDX-License-Identifier: GPL-3.0-or-later
// The store's copy on serial: armoured lines, few at a time.
#include <stdio.h>
#include <string.h>
#include <sys/klog.h>
#include <unistd.h>

#include "common/crc32.h"
#include "common/io.h"
#include "common/number.h"
#include "result/armour.h"
#include "result/store-private.h"

#define KLOG_CONSOLE_LEVEL 8 // syslog(2): set which messages reach the consoles
#define BATCH              4096

// Lets only emergencies of the kernel on the consoles while armour is written, so that
// lines stay whole; returns the level to be restored, or -1.
static int quiet_kernel(const struct console *c)
{
	_cleanup_free_ char *line = NULL;
	int64_t level;
	bool tty = false;

	for (size_t i = 0; i < c->n; i++)
		tty |= c->lines[i].serial && isatty(c->lines[i].fd);
	if (!tty)
		return -1; // a file or a pipe gets no kernel messages
	line = io_read_line("/proc/sys/kernel/printk"); // "4 4 1 7"
	if (!line)
		return -1;
	line[strcspn(line, "\t ")] = '\0';
	if (number_int(line, &level) < 0 || level < 1 || level > 15)
		return -1;
	return klogctl(KLOG_CONSOLE_LEVEL, NULL, 1) < 0 ? -1 : (int)level;
}

static void restore_kernel(int level)
{
	if (level > 0)
		klogctl(KLOG_CONSOLE_LEVEL, NULL, level);
}

static void flush(struct store *s, struct strbuf *b)
{
	struct console *c = s->serial.console;
	bool alive = false;

	if (b->len)
		console_write_serial(c, b->data, b->len);
	b->len = 0;
	for (size_t i = 0; i < c->n; i++)
		alive |= c->lines[i].serial && !c->lines[i].dead;
	if (!alive)
		store_problem(
			s, &s->serial.failed,
			"serial console: takes no output; results are not on serial");
}

// Adds data as lines of one file, from line number `line` on; returns the next number.
// Even an empty file has one line.
static unsigned add_lines(struct store *s, struct strbuf *b, unsigned file, unsigned line,
			  const char *data, size_t len)
{
	size_t at = 0;

	do {
		size_t n = len - at < ARMOUR_BYTES ? len - at : ARMOUR_BYTES;

		armour_line(b, s->run_id, file, line++, data + at, n);
		at += n;
		if (b->len >= BATCH)
			flush(s, b);
	} while (at < len);
	return line;
}

static void _printf_(3, 4)
	add_dir(struct store *s, struct strbuf *b, const char *fmt, ...)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	va_list ap;

	va_start(ap, fmt);
	strbuf_vprintf(&text, fmt, ap);
	va_end(ap);
	s->serial.dir_line = add_lines(s, b, 0, s->serial.dir_line, text.data, text.len);
}

void serial_record(struct store *s, const char *line, size_t len)
{
	struct store_serial *serial = &s->serial;
	_cleanup_strbuf_ struct strbuf b = { 0 };
	int level;

	if (!serial->console)
		return;
	level = quiet_kernel(serial->console);
	if (serial->record_bytes == 0)
		add_dir(s, &b, "open 1 %s/" STORE_RECORDS "\n", s->path);
	serial->record_line = add_lines(s, &b, 1, serial->record_line, line, len);
	serial->record_bytes += len;
	serial->record_crc = crc32_add(serial->record_crc, line, len);
	flush(s, &b);
	restore_kernel(level);
}

void serial_file(struct store *s, const char *path, const void *data, size_t len)
{
	struct store_serial *serial = &s->serial;
	_cleanup_strbuf_ struct strbuf b = { 0 };
	unsigned file;
	int level;

	if (!serial->console)
		return;
	level = quiet_kernel(serial->console);
	file = 2 + serial->n_files++; // 1 is the records
	add_dir(s, &b, "open %u %s/%s\n", file, s->path, path);
	add_lines(s, &b, file, 0, data, len);
	add_dir(s, &b, "close %u %zu %08x\n", file, len, crc32_add(0, data, len));
	flush(s, &b);
	restore_kernel(level);
}

void serial_end(struct store *s)
{
	struct store_serial *serial = &s->serial;
	_cleanup_strbuf_ struct strbuf b = { 0 };

	if (!serial->console || serial->ended)
		return;
	serial->ended = true;
	if (serial->record_bytes)
		add_dir(s, &b, "close 1 %llu %08x\n",
			(unsigned long long)serial->record_bytes, serial->record_crc);
	add_dir(s, &b, "end\n");
	flush(s, &b);
}
