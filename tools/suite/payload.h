// SPDX-License-Identifier: GPL-3.0-or-later
// Where on the disk an arm keeps its data: a disk is not equally fast everywhere.
#pragma once

#include "suite/runner.h"

// Bytes from the disk's beginning to the data of a stack (stack_json()): starts of
// partitions and offsets of device-mapper targets, added up. -1 where a layer does not
// say, or spreads its data (several disks, several segments).
int64_t payload_start(const struct json_object *layers);

// Warns of arms whose data lie more than 1 % of a rotating disk away from those of the
// first arm: what differs may then be the place. By the records of kind "stack".
void payload_compare(struct runner *r);
