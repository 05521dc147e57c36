// SPDX-License-Identifier: GPL-3.0-or-later
// Which of its drivers the kernel takes for a cipher, from /proc/crypto: the one with the
// highest priority when it is asked for, and that is not always the one that the CPU is
// good for: a better one may be loaded later.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/strbuf.h"

struct crypto_driver {
	char driver[128]; // "xts-aes-aesni"
	char module[64];  // "aesni_intel", "kernel" when built in
	int priority;
	unsigned users;      // references; 1 is the list's own: nobody uses it
	char preferred[128]; // another that the kernel would take today, or ""
};

// The kernel's name of what dm-crypt allocates for "aes" and "xts-plain64" ("xts(aes)")
// or "aes" and "cbc-essiv:sha256" ("essiv(cbc(aes),sha256)").
void crypto_driver_name(const char *cipher, const char *mode, struct strbuf *to);

// The same for the first word of a crypt target's arguments: "aes-xts-plain64", "aes",
// "capi:xts(aes)-plain64".
void crypto_driver_spec_name(const char *spec, struct strbuf *to);

// Looks in the text of /proc/crypto for the cipher of that name which a user has: not
// internal, its self-test passed, with users when any has, the highest priority. Returns
// 0 or -ENOENT.
int crypto_driver_find(const char *text, size_t len, const char *name,
		       struct crypto_driver *ret);

// The same from the live machine. Only what was in use once is listed there.
int crypto_driver_live(const char *name, struct crypto_driver *ret);

// AES in plain C (generic, fixed-time) or pieced together from single blocks ("ecb(").
bool crypto_driver_slow_aes(const char *driver);

// Does the text of /proc/cpuinfo list AES instructions (x86: flags; Arm: Features)?
bool crypto_cpu_has_aes(const char *cpuinfo);

// Appends a sentence when the CPU has AES instructions and `driver` makes no use of
// them; nothing otherwise.
void crypto_driver_shout(const char *name, const char *driver, bool cpu_has_aes,
			 struct strbuf *to);
