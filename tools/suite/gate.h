// SPDX-License-Identifier: GPL-3.0-or-later
// Gates: reasons why the numbers of a run must not be compared with others', each with a
// short name and a sentence. Flags: what a reader should know, but which ends nothing.
// They are members "gates" and "flags" of the run's record, arrays of {"name","words"},
// absent when there are none.
#pragma once

#include "suite/diskstats.h"
#include "suite/test.h"

void gate_trip(struct run *run, const char *name, const char *fmt, ...) _printf_(3, 4);
void gate_flag(struct run *run, const char *name, const char *fmt, ...) _printf_(3, 4);

// What the gates on a run's numbers judge by.
struct gate_facts {
	double link_rate; // what the links of the run's disks carry together, B/s; 0 ?
	const char *link_text;       // "SATA 3.0 Gbit/s"
	bool emulated;               // the machine is a guest: its links are only claimed
	struct diskstats_item moved; // at the top device of the stack
	bool moved_known;
	const struct json_object *account; // cpu_end(); may be NULL
	bool cpu_known; // the benchmark's own processes were told from others
};

// Plausibility of a run that passed: "link" (faster than the link), "cache" (far fewer
// bytes at the device than the tool says it moved, or an operation under a microsecond),
// "zero-time" (a rate of nothing or infinity), "cpu-hog" (another program ran).
void gate_numbers(struct run *run, const struct gate_facts *facts);

// Ciphers of the stack's dm-crypt layers (`layers` as stack_json()): "generic-cipher"
// when AES is computed without the CPU's AES instructions, flag "slow-cipher" when a
// faster driver is there but not bound. Adds detail.crypto. `root` as in device_scan().
void gate_ciphers(struct run *run, const struct json_object *layers, const char *root);

// After all runs: those faster than the bare disk in the same test. A flag "raw" from
// 5 %, a gate from 50 % on: noise does not do that. `runs` are records of kind "run".
void gate_campaign(struct json_object *runs);
