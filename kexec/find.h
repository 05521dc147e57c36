// SPDX-License-Identifier: GPL-3.0-or-later
// Finds every kernel that can be booted from a set of filesystems, by every boot loader's
// configuration and by names.
#pragma once

#include "kexec/entry.h"

// Appends all entries. The default is that of the first configuration which has one, in
// the order GRUB, Boot Loader Specification, EXTLINUX, unified images, names; trees in
// their own order. A configuration that cannot be read to its end is told in `notes`
// (a line each); its entries up to there are kept. `root` as in links_load(), per tree
// (may be NULL). Returns 0, or -ENOENT when there is no entry at all.
int find_entries(const struct tree_list *trees, const char *const *roots,
		 struct entry_list *to, struct strbuf *notes);
