// SPDX-License-Identifier: GPL-3.0-or-later
// The pages in which a disk says who it is.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "device/vpd.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct vpd_ata a;

	free(vpd_serial(data, len));
	free(vpd_wwn(data, len));
	vpd_ata(data, len, &a);
	vpd_ata_done(&a);
	return 0;
}
