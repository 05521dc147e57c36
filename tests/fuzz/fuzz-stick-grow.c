// SPDX-License-Identifier: GPL-3.0-or-later
// The first sectors of a stick and of its partition, and the stick's length.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "device/stick-grow.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t mbr[GROW_SECTOR], boot[GROW_SECTOR];
	uint64_t sectors;
	struct grow g;

	if (size < sizeof(mbr) + sizeof(boot) + sizeof(sectors))
		return 0;
	memcpy(mbr, data, sizeof(mbr));
	memcpy(boot, data + sizeof(mbr), sizeof(boot));
	memcpy(&sectors, data + sizeof(mbr) + sizeof(boot), sizeof(sectors));
	if (!grow_decide(mbr, boot, sectors, &g))
		return 0;
	if (g.partition <= g.total || (uint64_t)g.start + g.partition > sectors)
		abort(); // never smaller, never behind the end
	return 0;
}
