// SPDX-License-Identifier: GPL-3.0-or-later
// SHA-512 by the kernel (AF_ALG): no cryptographic library is linked for one hash.
#pragma once

#include <stddef.h>

#include "common/err.h"

#define SHA512_BYTES 64

// to = SHA-512(SHA-512(... SHA-512(data))), `rounds` times in all. Returns 0 or -errno.
int sha512_rounds(const void *data, size_t len, unsigned rounds, unsigned char *to,
		  struct err *err);
