// SPDX-License-Identifier: GPL-3.0-or-later
// Does this kernel have a cipher? Asked before anything is written: images lack modules.
#pragma once

#include "common/err.h"

// Asks the kernel for that cipher by its own name, "xts(aes)" (linux/if_alg.h), which
// loads its module. Returns 0; -ENOENT when it has none; -EAFNOSUPPORT when it cannot be
// asked.
int cipher_kernel_has(const char *name, struct err *err);
