// SPDX-License-Identifier: GPL-3.0-or-later
// Configurations of SYSLINUX, EXTLINUX, ISOLINUX and PXELINUX, and the subset that U-Boot
// reads.
#pragma once

#include "kexec/entry.h"

// Reads `path` with what it includes and appends its labels; the default becomes
// to->chosen when the list has none yet. Returns 0, or -errno when the file cannot be
// read. Paths in it are relative to its folder. Format: the SYSLINUX wiki, "Config".
int extlinux_load(const struct tree_list *trees, size_t tree, const char *path,
		  struct entry_list *to, struct err *err);
