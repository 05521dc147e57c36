// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel's own filesystems and settings that everything else needs.
#pragma once

#include <stdbool.h>

// Mounts /dev; called first of all, so that there is a console. Returns 0 or -errno.
int mounts_dev(void);

// Mounts the rest, makes the folders in /run, and sets controllers and sysctls. What
// fails is said and the rest goes on.
void mounts_up(void);

// Makes 0, 1 and 2 lead somewhere: /dev/null and /dev/console.
void mounts_stdio(void);

// How many kernel messages reach the console: few with `quiet`.
void mounts_quiet(bool quiet);
