// SPDX-License-Identifier: GPL-3.0-or-later
// A unified kernel image, and the texts in it.
#include "kexec/uki.h"
#include "made-file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct tree_list *trees = made_file("/a.efi", data, len);
	_cleanup_entries_ struct entry_list list = { 0 };
	struct entry e = { .kernel = { 0, mem_strdup("/a.efi") } };

	uki_describe(trees, &e);
	entry_add(&list, &e);
	return 0;
}
