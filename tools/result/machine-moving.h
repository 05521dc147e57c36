// SPDX-License-Identifier: GPL-3.0-or-later
// What moves while a campaign runs, by its parts.
#pragma once

#include "common/json.h"

// Throttle counts over all CPUs, slowest and fastest frequency now, governor.
void machine_cpu_moving(const char *root, struct json_object *to);

// Memory available, dirty, under writeback; load.
void machine_memory_moving(const char *root, struct json_object *to);

// Every temperature that hwmon shows, in degrees Celsius, by chip, owner and label:
// "drivetemp 0:0:0:0 temp1", "nvme nvme0 Composite".
void machine_temperatures(const char *root, struct json_object *to);

// "mains", "battery" (static text), and each supply's state in `supplies`.
const char *machine_power_source(const char *root, struct json_object *supplies);
