// SPDX-License-Identifier: GPL-3.0-or-later
// Which machine this is, and what about it a result depends on.
#pragma once

#include "common/json.h"

// PID 1 creates this when the wall clock cannot be right.
#define MACHINE_CLOCK_SUSPECT "/run/assay/clock-suspect"

// A name for the machine's folder: the SMBIOS serial or UUID where they are real ("To be
// filled by O.E.M." and all zeros are not), else the first network card's MAC, else
// "kind-" and a checksum of its hardware; made safe for FAT. The caller frees. `root` as
// in device_scan(). To be called when drivers are loaded: the MAC is told by one.
char *machine_id(const char *root);

// What stays while a campaign runs: kernel, command line, image, CPU (model, microcode,
// flags that matter, frequency rules), NUMA, RAM and its modules, mitigations, firmware,
// clock, power, block devices and their queues, interrupts' places, tools.
struct json_object *machine_json(const char *root);

// What moves: temperatures, throttle counters, frequencies, memory in use, load, power.
// Taken before and after a campaign.
struct json_object *machine_moving_json(const char *root);
