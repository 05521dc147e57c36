// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel command line as key/value pairs, quoted as the kernel quotes.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/err.h"

struct cmdline_item {
	char *key;
	char *value; // NULL where there is no '='
};

struct cmdline {
	struct cmdline_item *items; // in order; a key may repeat
	size_t n;
};

// Parses text such as the content of /proc/cmdline.
void cmdline_parse(struct cmdline *c, const char *text);

// Reads and parses `path` (normally "/proc/cmdline"). Returns 0 or -errno.
int cmdline_load(struct cmdline *c, const char *path);

// The last value of a key, "" for a key without '=', NULL when it is absent.
const char *cmdline_get(const struct cmdline *c, const char *key);

void cmdline_done(struct cmdline *c);
