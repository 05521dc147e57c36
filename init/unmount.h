// SPDX-License-Identifier: GPL-3.0-or-later
// Everything unmounted, and swap off, before the machine ends.
#pragma once

// To be run by ending_bounded(): it allocates, and a dying disk may hold it. Returns 0
// or -errno of the last that failed.
int unmount_all(const void *unused);
