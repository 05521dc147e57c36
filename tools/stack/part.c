// SPDX-License-Identifier: GPL-3.0-or-later
// Where a partition table leaves room for partitions.
#include <string.h>

#include "common/macro.h"
#include "stack/part.h"

// UEFI specification 5.3: at least 16384 bytes of entries and one header at the end.
// An MBR counts sectors in 32 bits and has four primary entries.
static const struct part_table tables[] = {
	{ "gpt", "gpt", 128, 16384, 0 },
	{ "mbr", "dos", 4, 0, UINT32_MAX },
};

const struct part_table *part_table_find(const char *kind)
{
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		if (strcmp(tables[i].kind, kind) == 0)
			return &tables[i];
	return NULL;
}

uint64_t part_end(const struct part_table *table, uint64_t size, unsigned sector)
{
	uint64_t tail = 0;

	if (table->tail_bytes)
		tail = table->tail_bytes + sector;
	if (table->max_sectors && size / sector > table->max_sectors)
		size = table->max_sectors * sector;
	return size > tail ? (size - tail) / PART_UNIT : 0;
}
