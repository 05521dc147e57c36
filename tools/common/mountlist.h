// SPDX-License-Identifier: GPL-3.0-or-later
// What is mounted, from /proc/self/mountinfo, in the order in which it was mounted.
#pragma once

#include <stddef.h>

#include "common/err.h"

struct mountlist_item {
	unsigned major, minor; // of the filesystem; 0:x for those without a device
	char *dir;             // where, with the kernel's \040 escapes undone
	char *fstype;
	char *source;  // "/dev/sda1", "tmpfs", ...
	char *options; // of the mount and of the filesystem: "rw,noatime;rw,data=ordered"
};

struct mountlist {
	struct mountlist_item *items;
	size_t n;
};

// Parses the text of a mountinfo file; lines that do not parse are left out.
void mountlist_parse(struct mountlist *list, const char *text);

// Reads and parses `path` (normally "/proc/self/mountinfo"). Returns 0 or -errno.
int mountlist_load(struct mountlist *list, const char *path);

// Keeps what must be unmounted before the machine ends, last mounted first: everything
// but the root and the kernel's own filesystems (proc, sysfs, tmpfs, ...), which hold
// no data that could be lost.
void mountlist_keep_ending(struct mountlist *list);

void mountlist_done(struct mountlist *list);
#define _cleanup_mountlist_ _cleanup_(mountlist_done)

// Undoes the kernel's escapes of blank, tab, newline and backslash (\040) in the paths
// of /proc. The caller frees.
char *mountlist_unescape(const char *s);
