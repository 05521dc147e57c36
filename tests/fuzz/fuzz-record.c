// SPDX-License-Identifier: GPL-3.0-or-later
// One line of records.jsonl, and what a past campaign's reader makes of the bytes: a
// record that is accepted must be accepted again when it is written anew.
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "report/report.h"
#include "result/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_strbuf_ struct strbuf line = { 0 }, text = { 0 };
	_cleanup_json_ struct json_object *o =
		record_parse_line((const char *)data, size);
	_cleanup_json_ struct json_object *again = NULL, *result = NULL;
	_cleanup_free_ char *copy = mem_strndup((const char *)data, size);

	record_clean_utf8(copy, strlen(copy));
	if (o) {
		record_line(&line, o, "00000000", 0, 0);
		again = record_parse_line(line.data, line.len);
		if (!again)
			abort();
	}
	// The same bytes as a result.json: reports trust nothing in it.
	result = json_parse_text((const char *)data, size, NULL);
	report_text(result, &text);
	for (size_t i = 0; i < text.len; i++)
		if ((text.data[i] < ' ' && text.data[i] != '\n') || text.data[i] > '~')
			abort();
	report_bonnie_csv(result, &text);
	return 0;
}
