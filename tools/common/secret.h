// SPDX-License-Identifier: GPL-3.0-or-later
// Memory for passphrases and keys: locked, left out of core dumps, wiped when freed.
#pragma once

#include <stddef.h>

#include "common/err.h"

struct secret {
	char *data; // `len` bytes and a NUL that is not counted
	size_t len;
};

// `len` zeroed bytes. Returns 0 or -errno.
int secret_new(struct secret *s, size_t len);

// `len` bytes from the kernel's random generator. Returns 0 or -errno.
int secret_random(struct secret *s, size_t len);

// Reads at most `max` bytes from a file, whole. Returns 0 or -errno, -EFBIG.
int secret_read_file(struct secret *s, const char *path, size_t max, struct err *err);

// Wipes and frees; a second call does nothing.
void secret_done(struct secret *s);
#define _cleanup_secret_ _cleanup_(secret_done)
