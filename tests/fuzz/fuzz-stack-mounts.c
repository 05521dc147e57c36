// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel's lists of mounts and swaps, whose paths anybody may choose.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "common/mem.h"
#include "stack/mounts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *text = mem_strndup((const char *)data, size);
	_cleanup_mountlist_ struct mountlist list = { 0 };

	mountlist_parse(&list, text);
	mount_at(&list, "/");
	mount_swaps_free(mount_swaps(text));
	return 0;
}
