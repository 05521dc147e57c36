// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the files of the machine record only.
#pragma once

#include <stdbool.h>

#include "result/machine.h"

// Whether the firmware means it: not empty, no placeholder, not all one character.
bool machine_real(const char *text);

// machine_id() and where it comes from (static text).
char *machine_id_from(const char *root, const char **from);
