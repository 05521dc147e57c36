// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the readers of what firmware and disks tell in bytes: SMBIOS structures, ATA and
// NVMe health. The first byte chooses.
#include <stdint.h>
#include <string.h>

#include "common/json.h"
#include "result/smbios.h"
#include "suite/health.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_json_ struct json_object *o = json_new();
	unsigned char sector[512] = { 0 }, sum = 0;

	if (size == 0)
		return 0;
	data++;
	size--;
	if (data[-1] % 3 == 0) {
		smbios_describe(data, size, o);
		return 0;
	}
	memcpy(sector, data, size < sizeof(sector) ? size : sizeof(sector));
	if (data[-1] % 3 == 1) {
		health_parse_nvme(sector, o);
		return 0;
	}
	for (size_t i = 0; i < 511; i++)
		sum = (unsigned char)(sum + sector[i]);
	sector[511] = (unsigned char)-sum;
	if (health_parse_ata(sector, o) != 0)
		__builtin_trap();
	return 0;
}
