// SPDX-License-Identifier: GPL-3.0-or-later
// A disk's name as a plan gives it.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "common/mem.h"
#include "device/match.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	_cleanup_free_ char *text = mem_strndup((const char *)data, len);
	struct err err = { 0 };
	struct match m;
	struct device d = {
		.kind = DEVICE_DISK,
		.size = 1000000000,
		.by_path = text,
		.serial = text,
		.wwn = text,
		.model = text,
	};

	if (match_parse(&m, text, &err) < 0)
		return 0;
	match_disk(&m, &d);
	match_done(&m);
	return 0;
}
