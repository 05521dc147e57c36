// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the parser of kernel uevents: every string must lie in the message.
#include <stdint.h>
#include <string.h>

#include "common/mem.h"
#include "device/uevent.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *buf = mem_new(size + 1, 1);
	struct uevent e;

	memcpy(buf, data, size);
	if (uevent_parse(buf, size, &e) == 0 &&
	    (e.name < buf || e.name + strlen(e.name) > buf + size))
		__builtin_trap();
	return 0;
}
