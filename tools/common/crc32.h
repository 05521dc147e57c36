// SPDX-License-Identifier: GPL-3.0-or-later
// CRC-32 as in ISO-HDLC, gzip and PNG: polynomial 0xEDB88320, initial and final ~0.
#pragma once

#include <stddef.h>
#include <stdint.h>

// `crc` is 0 to start with, or the value so far. crc32_add(0, "123456789", 9) is
// 0xCBF43926.
uint32_t crc32_add(uint32_t crc, const void *data, size_t len);
