// SPDX-License-Identifier: GPL-3.0-or-later
// Wipes what older tenants left: partition tables, md, LVM, LUKS and filesystem
// signatures, so that nothing resurfaces and nothing is taken for what it is not.
#pragma once

#include "device/guard.h"

// May `path` be written for these targets? Every disk below it is one of them, and it is
// not read-only. Returns 0 or -EACCES / -EROFS with the reason.
int wipe_allowed(struct target *const *targets, size_t n, const char *path,
		 struct err *err);

// Zeroes the first 16 MiB and the last 2 MiB, then each signature that libblkid still
// finds, syncs, and lets the kernel forget old partitions. The device must not be in
// use. Returns 0 or -errno.
int wipe_device(struct target *const *targets, size_t n, const char *path,
		struct err *err);
