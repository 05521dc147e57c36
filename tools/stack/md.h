// SPDX-License-Identifier: GPL-3.0-or-later
// md arrays as sysfs shows them: state, waiting for a resync, stopping. Creating and
// assembling is mdadm's.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "common/json.h"
#include "common/strbuf.h"

// The kernel name of the array that a layer of that name makes, "md_assay-a-1"; a name
// too long for the kernel (31 bytes) ends in its CRC-32. The caller frees.
char *md_kernel_name(const char *layer_name);

// The layout number of sysfs (md/layout of RAID10: near copies in bits 0-7, far copies
// in 8-15, bit 16 offset) as mdadm writes it, "f2"; nothing for a number that is none.
void md_layout_text(uint64_t layout, struct strbuf *to);

// Waits until md/sync_action below `sysfs` ("/sys/class/block/md_x/md") says "idle",
// woken by the kernel, for at most `timeout_ns`. An array without redundancy has no such
// file and is idle. Returns 0, or -ETIMEDOUT with how far it came.
int md_wait_idle(const char *sysfs, uint64_t timeout_ns, struct err *err);

// How long a resync of `size` bytes may take: at 5 MB/s, and ten minutes.
uint64_t md_sync_timeout_ns(uint64_t size);

// Adds level, layout, chunk, metadata, members and sync_action as they are now.
void md_describe(const char *sysfs, struct json_object *to);

// Adds sync_action, degraded and array_state.
void md_describe_state(const char *sysfs, struct json_object *to);

// Stops the array, retried while it is busy, for at most 10 s, waits for its node to
// vanish and removes mdadm's link to it. An array that is not there is success.
int md_stop(const char *kernel_name, struct err *err);
