// SPDX-License-Identifier: GPL-3.0-or-later
// Takes out of the machine what would disturb measurements, and shows that it is out.
#pragma once

#include "common/json.h"

// Sets each of its rules (CPU governor, huge pages, KSM, NUMA balancing, write-back
// limits), reads it back and says so: an array of {"what","file","before","after","done",
// "why"}. What this kernel lacks is left out. `root` as in device_scan(). The caller
// puts it.
struct json_object *quiet_machine(const char *root);
