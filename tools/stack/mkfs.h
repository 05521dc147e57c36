// SPDX-License-Identifier: GPL-3.0-or-later
// How each filesystem is made and mounted: one row a kind. Pure, save for the version.
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "common/strbuf.h"

#define MKFS_ARGS_MAX 16

struct mkfs {
	const char *kind;
	const char *program;
	const char *const *args;  // NULL-terminated
	const char *block_prefix; // what stands before the number after -b; NULL: no -b
	unsigned block;           // bytes; 0: the kind has none to choose
	const char *version;      // option that prints the version
	uint64_t min_size;        // that its mkfs accepts
	const char *mount_open;   // extra mount options so that nothing is written
};

const struct mkfs *mkfs_find(const char *kind);

// Does the device suit it? `size` in bytes, `sector` its logical sector, `block` the
// chosen block size (0: the row's). Returns 0, -ENOSPC or -EINVAL.
int mkfs_check(const struct mkfs *m, uint64_t size, unsigned sector, unsigned block,
	       struct err *err);

// Its command line into `argv` (room for MKFS_ARGS_MAX, NULL-terminated). `options` holds
// text that argv points to; `features` go after -O (NULL: none).
void mkfs_argv(const struct mkfs *m, const char *device, unsigned block,
	       const char *features, const char **argv, struct strbuf *options);

// How long it may take on a device of that size: tables and log are written out.
uint64_t mkfs_timeout_ns(uint64_t size);
