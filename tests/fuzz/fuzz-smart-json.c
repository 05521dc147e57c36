// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes what is made of smartctl's document.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "suite/smart-json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_json_ struct json_object *doc =
		json_parse_text((const char *)data, size, NULL);
	_cleanup_strbuf_ struct strbuf said = { 0 };
	struct smart_reading r;
	unsigned remaining;
	const char *text;

	if (!doc)
		return 0;
	smart_json_read(doc, &r);
	for (size_t i = 0; i < r.n; i++)
		if (!isfinite(r.values[i].value))
			abort();
	smart_json_messages(doc, &said);
	smart_json_selftest(doc, &remaining, &text);
	return 0;
}
