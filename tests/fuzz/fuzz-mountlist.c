// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the mountinfo parser.
#include <stdint.h>
#include <string.h>

#include "common/mem.h"
#include "common/mountlist.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *text = mem_strndup((const char *)data, size);
	struct mountlist l;

	mountlist_parse(&l, text);
	mountlist_keep_ending(&l);
	for (size_t i = 0; i < l.n; i++)
		if (strcmp(l.items[i].dir, "/") == 0)
			__builtin_trap();
	mountlist_done(&l);
	return 0;
}
