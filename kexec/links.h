// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that no boot loader's configuration names: found by their files' names.
#pragma once

#include "kexec/entry.h"

// Appends an entry for each kernel in / and /boot of the tree that the list does not hold
// yet: links such as /vmlinuz first, then newest first. `root` is what the kernel is told
// as its root device ("UUID=...", "/dev/mapper/vg-root"); NULL when it is not known.
void links_load(const struct tree_list *trees, size_t tree, const char *root,
		struct entry_list *to);

// The command line that the installed system keeps for its kernels: /etc/kernel/cmdline,
// else /etc/default/grub's; never NULL. The caller frees.
char *links_options(const struct tree *t, const char *root);
