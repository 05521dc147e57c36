// SPDX-License-Identifier: GPL-3.0-or-later
// What a disk says of its own health, in few numbers, before and after a run: ATA SMART
// attributes (READ DATA, ATA8-ACS 7.53.6) and the SMART log of NVMe (log 02h, NVM Express
// base specification 5.14.1.2), asked by ioctl. The whole story is smartctl's.
#pragma once

#include "device/guard.h"
#include "suite/test.h"

// The 512 bytes that an ATA disk answers; adds reallocated, pending, uncorrectable,
// crc_errors, celsius, hours, written_lbas where it has the attribute. -EBADMSG when its
// checksum is wrong.
int health_parse_ata(const unsigned char data[512], struct json_object *to);

// The first 512 bytes of an NVMe health log: celsius, spare_percent, used_percent,
// written_bytes, unsafe_shutdowns, media_errors, error_log, hours, hot_minutes.
void health_parse_nvme(const unsigned char data[512], struct json_object *to);

// Of each target, by kernel name; those that do not tell are left out. A disk that hangs
// is left alone after some seconds. The caller puts it.
struct json_object *health_json(struct target *const *targets, size_t n);

// Trips "media" when a counter of damage has risen, sets the flag "hot" when an NVMe disk
// counted time above its limit. Either may be NULL. Adds detail.smart.
void health_compare(struct run *run, const struct json_object *before,
		    const struct json_object *after);
