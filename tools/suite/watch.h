// SPDX-License-Identifier: GPL-3.0-or-later
// What may disturb a run: looked at before and after it, and compared.
#pragma once

#include "suite/diskstats.h"
#include "suite/test.h"

// The machine at one moment.
struct watch {
	struct diskstats disks;
	uint64_t swapped;          // pages in and out since boot
	uint64_t dirty;            // bytes not yet written back
	int64_t throttles;         // of all CPUs since boot; -1: not told
	int64_t wall_offset_ns;    // wall clock less the monotonic one
	const char *power;         // machine_power_source()
	char *governor;            // of CPU frequency, or NULL
	char *syncing;             // "md0 (resync)", or NULL
	struct json_object *smart; // health_json() of the targets; may be NULL
	int kernel_log;            // /dev/kmsg, behind what was there; -1 none
};

// Looks now. `root` as in device_scan(); the kernel's log is of the live machine only.
void watch_take(struct watch *w, const char *root);

// Trips the gates "other-disk", "swap", "writeback", "throttled", "clock", "power",
// "governor", "resync", "media"; sets the flag "kernel-log". `own` are the kernel names
// of the stack's devices, NULL-terminated. Adds detail.devices: what each of them moved,
// and detail.other_disks.
void watch_compare(struct run *run, const struct watch *before, const struct watch *after,
		   const char *const *own, const char *root);

void watch_done(struct watch *w);
