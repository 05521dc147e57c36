// SPDX-License-Identifier: GPL-3.0-or-later
// Memory modules and processors as the firmware lists them: the structures of
// /sys/firmware/dmi/tables/DMI (DMTF DSP0134, SMBIOS 3.x, sections 7.5 and 7.18).
#pragma once

#include <stddef.h>

#include "common/json.h"

// Adds "modules" (slot, size in bytes, type, speed in MT/s, maker, part) and "processors"
// (socket, version, external clock and highest speed in MHz) to `to`. Whatever the bytes
// are, nothing outside of them is read.
void smbios_describe(const void *table, size_t len, struct json_object *to);
