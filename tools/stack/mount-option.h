// SPDX-License-Identifier: GPL-3.0-or-later
// Which mount options a plan may give.
#pragma once

#include "common/fault.h"

// Adds a fault for each option of the list (parted by + or ,) that would reach a device
// the plan did not name, undo what Assay decides for all arms, or stop the machine. What
// a filesystem does not know it refuses itself when it is mounted.
void mount_option_check(const char *options, const char *kind, const char *file, int line,
			struct fault_list *faults);
