// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the reader of bonnie++'s lines: it ends, and its numbers are numbers.
#include <math.h>
#include <stdint.h>

#include "suite/bonnie-csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bonnie_csv b;
	size_t pos = 0, last = 0;

	while (bonnie_csv_next((const char *)data, size, &pos, &b) == 0) {
		if (pos <= last || pos > size || !b.name || !b.line || !b.metrics.n)
			__builtin_trap();
		for (size_t i = 0; i < b.metrics.n; i++)
			if (!(b.metrics.items[i].value >= 0) ||
			    isinf(b.metrics.items[i].value))
				__builtin_trap();
		last = pos;
		bonnie_csv_done(&b);
	}
	return 0;
}
