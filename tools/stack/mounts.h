// SPDX-License-Identifier: GPL-3.0-or-later
// What is mounted and what is swapped to, as the kernel lists it.
#pragma once

#include <stddef.h>
#include <sys/types.h>

struct mount {
	dev_t devno;
	char *dir;     // unescaped
	char *fstype;  // "ext4"
	char *source;  // "/dev/mapper/x", unescaped
	char *options; // of the mount and of the filesystem: "rw,noatime;rw,data=ordered"
};

struct mount_list {
	struct mount *items;
	size_t n;
};

// Parses the text of /proc/self/mountinfo; lines that are none are left out.
void mount_parse(struct mount_list *list, const char *text);

// Reads it. Returns 0 or -errno.
int mount_load(struct mount_list *list);

// The last mount at that folder (the one that is seen), or NULL.
const struct mount *mount_at(const struct mount_list *list, const char *dir);

void mount_list_done(struct mount_list *list);
#define _cleanup_mounts_ _cleanup_(mount_list_done)

// Paths of active swap devices from the text of /proc/swaps, NULL-terminated; the caller
// frees with mount_swaps_free().
char **mount_swaps(const char *text);
void mount_swaps_free(char **paths);

// Unmounts the folder, retried while it is busy for at most 10 s. Not mounted is
// success. Returns 0 or -errno.
int mount_remove(const char *dir);
