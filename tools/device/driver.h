// SPDX-License-Identifier: GPL-3.0-or-later
// Loads kernel modules for the hardware that is there (coldplug) and for what is plugged
// in later (hotplug), by modalias through libkmod.
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "common/strbuf.h"

struct driver_stats {
	unsigned aliases, modules, failed; // distinct aliases seen, modules loaded
	uint64_t started_ns, settled_ns;   // monotonic
};

// Starts the loader: binds the kernel's uevent socket, walks /sys/devices, loads in
// worker threads, and goes on serving uevents for life. `cpu:` aliases are loaded last.
// Returns 0 or -errno.
int driver_start(struct err *err);

// Waits until `done(arg)` says true, looked at after each block uevent and module load,
// or until the deadline, whichever is first. Returns 0, or -ETIMEDOUT.
int driver_wait(int (*done)(void *arg), void *arg, uint64_t deadline_ns);

// Waits until the coldplug queue is empty and nothing has appeared for `quiet_ns`.
int driver_settle(uint64_t quiet_ns, uint64_t deadline_ns);

// Monotonic time at which block device `name` (kernel name) was announced by the kernel;
// 0 if it was not seen to appear.
uint64_t driver_seen(const char *name);

// Called for each block device that appears or changes, from the uevent thread, e.g. to
// set foreign disks read-only; with a NULL name when events were lost and any device may
// be new. One callback; NULL removes it.
void driver_on_block(void (*callback)(const char *name, void *arg), void *arg);

// Loads a module and its dependencies by name or alias (already loaded is success).
int driver_load(const char *name, struct err *err);

void driver_stats(struct driver_stats *ret);

// What has been loading for more than `min_ns`, e.g. "nvme for 12.3 s": names the device
// that everything waits for. Returns how many such loads there are.
unsigned driver_busy(uint64_t min_ns, struct strbuf *to);

// Stops what can be stopped within two seconds; a load that hangs is left behind.
void driver_stop(void);
