// SPDX-License-Identifier: GPL-3.0-or-later
// Cipher specifications as dm-crypt writes them, "aes-xts-plain64". Pure text.
#pragma once

#include "common/err.h"
#include "common/strbuf.h"

struct cipher {
	char name[32]; // "aes"
	char mode[64]; // "xts-plain64", "cbc-essiv:sha256"
};

// Splits "name-mode-iv". Returns 0 or -EINVAL with what would be right.
int cipher_parse(struct cipher *c, const char *text, struct err *err);

// The key size in bits that goes without saying: 512 for XTS (two keys), else 256.
unsigned cipher_default_key(const struct cipher *c);

// Is that key size (bits) one that the cipher takes? Ciphers that are not known here pass
// as long as it is whole bytes. Returns 0 or -EINVAL naming the sizes.
int cipher_check_key(const struct cipher *c, unsigned bits, struct err *err);

// For a person: "AES-256-XTS (512-bit key)": XTS counts both halves.
void cipher_text(const struct cipher *c, unsigned bits, struct strbuf *to);
