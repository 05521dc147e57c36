// SPDX-License-Identifier: GPL-3.0-or-later
// A SYSLINUX configuration.
#include "kexec/extlinux.h"
#include "made-file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct tree_list *trees = made_file("/extlinux.conf", data, len);
	_cleanup_entries_ struct entry_list list = { 0 };
	struct err err = { 0 };

	extlinux_load(trees, 0, "/extlinux.conf", &list, &err);
	return 0;
}
