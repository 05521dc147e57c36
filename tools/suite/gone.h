// SPDX-License-Identifier: GPL-3.0-or-later
// Is a target still the disk that was permitted?
#pragma once

#include <stdbool.h>

#include "device/guard.h"

// True when the disk has vanished, lost its medium or been replaced; `why` then gets a
// sentence that names it.
bool gone_check(struct target *const *targets, size_t n, struct strbuf *why);
