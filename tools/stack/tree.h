// SPDX-License-Identifier: GPL-3.0-or-later
// What sits on a block device and what it sits on, walked through sysfs.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct tree {
	char **names; // kernel names: "dm-1", "sda1"
	size_t n;
};

// Everything above the device `name`, partitions and holders, whatever is on top first:
// each comes before all that it sits on. `root` is "" for the live machine.
void tree_above(const char *root, const char *name, struct tree *ret);

// The devices at the bottom below `name`: whole disks, reached through partitions and
// slaves. The device itself when nothing is below it.
void tree_leaves(const char *root, const char *name, struct tree *ret);

bool tree_has(const struct tree *t, const char *name);

void tree_done(struct tree *t);
#define _cleanup_tree_ _cleanup_(tree_done)
