// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the reader of fio's documents.
#include <stdint.h>

#include "suite/fio-json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_json_ struct json_object *doc =
		fio_json_find((const char *)data, size, NULL);
	_cleanup_json_ struct json_object *detail = json_new();
	struct metric_list m = { 0 };

	if (!doc)
		return 0;
	fio_json_check(doc, NULL);
	fio_json_metrics(doc, &m);
	fio_json_detail(doc, detail);
	for (size_t i = 0; i < m.n; i++)
		if (!(m.items[i].value >= 0))
			__builtin_trap();
	metric_list_done(&m);
	return 0;
}
