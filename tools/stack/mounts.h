// SPDX-License-Identifier: GPL-3.0-or-later
// What is mounted and what is swapped to, as the kernel lists it.
#pragma once

#include "common/json.h"
#include "common/mountlist.h"

// Where stacks mount, each at its layer's name.
#define MOUNT_ROOT "/run/assay/mnt"

// The last mount at that folder (the one that is seen), or NULL.
const struct mountlist_item *mount_at(const struct mountlist *list, const char *dir);

// Paths of active swap devices from the text of /proc/swaps, NULL-terminated; the caller
// frees with mount_swaps_free().
char **mount_swaps(const char *text);
void mount_swaps_free(char **paths);

// Adds how that folder is mounted now; NULL or not mounted: nothing.
void mount_describe(const char *dir, struct json_object *to);

// Unmounts the folder, retried while it is busy for at most 10 s. Not mounted is
// success. Returns 0 or -errno.
int mount_remove(const char *dir);
