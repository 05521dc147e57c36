// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the lines that the sequence sends to PID 1: the split must not matter.
#include <stdint.h>
#include <string.h>

#include "common/pid1.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pid1_control whole = { 0 }, bytes = { 0 };
	unsigned bad = 0;

	for (size_t i = 0; i < size; i++)
		bad += pid1_control_feed(&bytes, (const char *)data + i, 1);
	if (pid1_control_feed(&whole, (const char *)data, size) != bad ||
	    whole.deadline_ns != bytes.deadline_ns || whole.then != bytes.then ||
	    strcmp(whole.phase, bytes.phase) != 0 ||
	    strlen(whole.phase) >= sizeof(whole.phase))
		__builtin_trap();
	return 0;
}
