// SPDX-License-Identifier: GPL-3.0-or-later
// What a passphrase's key derivation needs, checked before it runs: a small machine must
// say "needs 1.0 GB, 200 MB free" and not be killed for memory.
#pragma once

#include <libcryptsetup.h>
#include <stdint.h>

#include "plan/param.h"

// Kilobytes of the line "MemAvailable:" (or, on old kernels, "MemFree:") in the text of
// /proc/meminfo; 0 when there is none.
uint64_t kdf_parse_available(const char *meminfo);

// The same from the live machine.
uint64_t kdf_available(void);

// Is there room for `need_kb` and something to spare? `who` is "the keyslot 0 of
// /dev/sda2". Returns 0 or -ENOMEM with needed and free.
int kdf_check_memory(const char *who, uint64_t need_kb, uint64_t available_kb,
		     struct err *err);

// The key derivation for a fresh LUKS header from the layer's parameters: no benchmark,
// so that it costs the same each time.
struct crypt_pbkdf_type kdf_make(const struct plan_layer *spec,
				 const struct param_spec *params, bool luks1);
