// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the reader of /proc/crypto: whatever it finds ends, and is usable as text.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "stack/crypto-driver.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct crypto_driver d;

	if (crypto_driver_find((const char *)data, size, "xts(aes)", &d) == 0 &&
	    (strlen(d.driver) >= sizeof(d.driver) ||
	     strlen(d.module) >= sizeof(d.module)))
		abort();
	return 0;
}
