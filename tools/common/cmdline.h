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

// Might the value of this key be a secret? Such keys are refused, but by then the kernel
// has them in its log.
bool cmdline_is_secret(const char *key);

// Overwrites with '*', in place, the values of secret keys in text that quotes a command
// line, such as the kernel's log.
void cmdline_mask(char *text);

// Adds a pair behind the others, so that it is the one that counts.
void cmdline_add(struct cmdline *c, const char *key, const char *value);

void cmdline_done(struct cmdline *c);
