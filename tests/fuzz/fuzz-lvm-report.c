// SPDX-License-Identifier: GPL-3.0-or-later
// What lvm prints.
#include <stddef.h>
#include <stdint.h>

#include "stack/lvm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const what[] = { "lv", "vg" };

	for (size_t k = 0; k < 2; k++) {
		_cleanup_json_ struct json_object *rows =
			lvm_rows((const char *)data, size, what[k], NULL);
		uint64_t v;

		for (size_t i = 0; rows && i < json_object_array_length(rows); i++)
			lvm_uint(json_object_array_get_idx(rows, i), "vg_free_count", &v);
	}
	return 0;
}
