// SPDX-License-Identifier: GPL-3.0-or-later
// A grub.cfg: parsed, run, its menu made.
#include "kexec/grub.h"
#include "made-file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct tree_list *trees = made_file("/grub.cfg", data, len);
	_cleanup_entries_ struct entry_list list = { 0 };
	struct err err = { 0 };

	grub_load(trees, 0, "/grub.cfg", &list, &err);
	return 0;
}
