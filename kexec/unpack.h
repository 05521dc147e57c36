// SPDX-License-Identifier: GPL-3.0-or-later
// Decompresses a part of a file as a stream, by every format that the kernel takes for an
// initrd, in memory that does not grow with it.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"

// Takes what comes out, in pieces. Returns 0 to go on; anything else ends it.
typedef int (*unpack_sink)(void *arg, const void *data, size_t len);

struct unpack_format;

// The format that a file's next bytes are in; NULL when it is none of them.
const struct unpack_format *unpack_find(const void *data, size_t len);
const char *unpack_name(const struct unpack_format *f); // "gzip"

#define UNPACK_MAGIC 6 // bytes that tell all formats apart

// Decompresses the one stream that begins at `offset` of `fd` and ends before `end`.
// `used` becomes the number of bytes that it took (all that were left, for formats which
// do not tell). Returns 0, what the sink returned, -EBADMSG for damaged data, -ENOENT
// when the program for a rare format is missing, or -errno.
int unpack(const struct unpack_format *f, int fd, uint64_t offset, uint64_t end,
	   uint64_t *used, unpack_sink sink, void *arg, struct err *err);
