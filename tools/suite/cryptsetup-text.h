// SPDX-License-Identifier: GPL-3.0-or-later
// What `cryptsetup benchmark` prints in the C locale.
#pragma once

#include <stddef.h>

#include "common/json.h"
#include "result/metric.h"

// Adds "aes_xts_512_encrypt" and "..._decrypt" (B/s; the key's bits as given to dm-crypt,
// so that xts_256 is AES-128) and "pbkdf2_sha256" (iterations per second, 1/s).
// The parameters of the memory-hard functions go to `detail`. "N/A" adds nothing. Returns
// how many lines were understood.
//
// Its loop counts one iteration too many, so a slow cipher looks faster than it is by one
// part in as many as it did in a second: +1 % at 100 MiB/s, +3 % at 30 MiB/s.
size_t cryptsetup_text_parse(const char *text, size_t len, struct metric_list *to,
			     struct json_object *detail);
