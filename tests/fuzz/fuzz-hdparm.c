// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the reader of hdparm's timings.
#include <stdint.h>

#include "suite/hdparm-text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hdparm_timing t[HDPARM_TIMINGS];
	size_t n = hdparm_text_parse((const char *)data, size, t);

	if (n > HDPARM_TIMINGS)
		__builtin_trap();
	for (size_t i = 0; i < n; i++)
		if (!(t[i].rate >= 0) || !(t[i].bytes >= 0) || !(t[i].seconds >= 0))
			__builtin_trap();
	return 0;
}
