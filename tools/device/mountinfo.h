// SPDX-License-Identifier: GPL-3.0-or-later
// Private to this folder: lines of /proc/self/mountinfo and /proc/swaps.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct mount_line {
	dev_t devno;
	char *where;  // mount point
	char *source; // "/dev/sda1", "tmpfs"
};

struct mount_table {
	struct mount_line *items;
	size_t n;
};

// Parses the text of mountinfo; lines that are none are left out.
void mount_table_parse(struct mount_table *t, const char *text);
void mount_table_done(struct mount_table *t);

// Undoes the kernel's \040 escapes in place.
void mount_unescape(char *s);
