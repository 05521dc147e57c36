// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the reader of badblocks' output: taking out what was overwritten changes no
// count.
#include <stdint.h>
#include <stdlib.h>

#include "suite/badblocks-text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct badblocks_text t;
	struct strbuf b = { 0 };

	badblocks_text_parse((const char *)data, size, &t);
	if (!(t.percent >= 0 && t.percent <= 100))
		abort();
	strbuf_add(&b, data, size);
	badblocks_text_compact(&b);
	if (b.len > size)
		abort();
	badblocks_text_parse(strbuf_str(&b), b.len, &t);
	strbuf_done(&b);
	return 0;
}
