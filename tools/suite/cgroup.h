// SPDX-License-Identifier: GPL-3.0-or-later
// A cgroup-v2 folder around one run: caps its memory, counts its CPU, ends all of it.
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "common/json.h"

// Makes `root`/assay/`name` with the memory, cpu and io controllers where the kernel has
// them. Returns the folder's path in `ret` (the caller frees); -ENOTSUP when `root` is no
// cgroup v2; -errno.
int cgroup_new(const char *root, const char *name, char **ret, struct err *err);

// At most that much memory, page cache included, and no swap.
int cgroup_cap(const char *path, uint64_t bytes, struct err *err);

// Adds cpu_s, cpu_user_s, cpu_system_s, memory_peak and oom_kills to `to`, each where
// the kernel tells.
void cgroup_usage(const char *path, struct json_object *to);

// Ends whatever still runs in it, waits up to ten seconds for that, removes the folder.
// -EBUSY when something cannot be killed: the folder stays.
int cgroup_free(char *path, struct err *err);
