// SPDX-License-Identifier: GPL-3.0-or-later
// Every console of the machine at once: what is said goes to all of them (VGA and
// serial), and a slow or dead one never holds up the others.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/macro.h"

#define CONSOLE_MAX 8

struct console {
	struct console_line {
		char name[32]; // "tty0", "ttyS0"
		int fd;
		bool serial; // takes armoured results
		bool dead;   // did not take output for CONSOLE_PATIENCE; skipped
	} lines[CONSOLE_MAX];
	size_t n;
};

// Opens each console that the kernel lists in /sys/class/tty/console/active, whatever
// the order of console= was; only /dev/console when that file is missing. Returns how
// many are open. Off the appliance (`here` true) the one console is stdout.
size_t console_open(struct console *c, bool here);

// Writes to every console, "\n" as the tty turns it. At most one second per console is
// waited for; after that the console counts as dead until it takes output again.
void console_write(struct console *c, const void *data, size_t len);
void console_printf(struct console *c, const char *fmt, ...) _printf_(2, 3);

// Writes to the serial consoles only (armour); patient: waits up to 30 s a line.
void console_write_serial(struct console *c, const void *data, size_t len);

void console_close(struct console *c);
