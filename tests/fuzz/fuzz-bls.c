// SPDX-License-Identifier: GPL-3.0-or-later
// An entry of the Boot Loader Specification.
#include "kexec/bls.h"
#include "made-file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct tree_list *trees = made_file("/loader/entries/a+1-2.conf", data, len);
	_cleanup_entries_ struct entry_list list = { 0 };
	const struct bls_source source = { .trees = trees, .dir = "/loader/entries" };
	struct err err = { 0 };

	bls_load(&source, &list, &err);
	bls_choose(&trees->items[0], "/loader/entries/a+1-2.conf", &list, 0);
	return 0;
}
