// SPDX-License-Identifier: GPL-3.0-or-later
// Facts and switches of one block device node, and waiting for nodes to come and go.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "common/json.h"

// How long a node may take to appear or vanish after the kernel was asked for it.
#define NODE_PATIENCE (UINT64_C(10) * 1000000000)

// Waits until `path` is a block device of `size` bytes (0: any size), woken by the
// kernel's uevents. Returns 0 or -ETIMEDOUT.
int node_wait(const char *path, uint64_t size, struct err *err);

// Waits until `path` is gone. Returns 0 or -ETIMEDOUT.
int node_wait_gone(const char *path, struct err *err);

// "sda1" for "/dev/sda1", "dm-2" for "/dev/mapper/x"; NULL when it is no block device.
// The caller frees.
char *node_kernel_name(const char *path);

int node_size(const char *path, uint64_t *ret, struct err *err);
unsigned node_logical_sector(const char *path); // 512 when it cannot be read

// Sets or clears the kernel's read-only mark (BLKROSET). Returns 0 or -errno.
int node_set_readonly(const char *path, bool readonly);
bool node_is_readonly(const char *path);

// Adds "kernel_name", "size" (bytes) and "queue" (scheduler, read-ahead, rotational,
// sector sizes, write cache) as they are now.
void node_describe(const char *path, struct json_object *to);
