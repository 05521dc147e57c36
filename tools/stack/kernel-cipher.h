// SPDX-License-Identifier: GPL-3.0-or-later
// Does this kernel have a cipher? Asked of the kernel itself (AF_ALG), before a disk is
// written that could not be encrypted then.
#pragma once

#include "stack/cipher.h"

// The kernel's name of the algorithm, "xts(aes)": the IV is dm-crypt's own affair.
void kernel_cipher_name(const struct cipher *c, struct strbuf *to);

// 0 when the kernel has it and takes a key of that many bits; -ENOENT without it, -EINVAL
// for the key. Where the kernel cannot be asked (no AF_ALG) it is 0, too.
int kernel_cipher_check(const struct cipher *c, unsigned bits, struct err *err);
