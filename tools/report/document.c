// SPDX-License-Identifier: GPL-3.0-or-later
// The document itself, with its comparisons.
#include <string.h>

#include "report/report.h"
#include "result/comparison.h"

void report_json(const struct json_object *result, struct strbuf *to)
{
	const char *line = json_line((struct json_object *)(uintptr_t)result);
	_cleanup_json_ struct json_object *copy =
		json_parse_text(line, strlen(line), NULL);
	struct comparison_list list = { 0 };

	if (json_object_is_type(copy, json_type_object) &&
	    !json_get(copy, "comparisons")) {
		comparison_make(&list, copy);
		json_set(copy, "comparisons", comparison_json(&list));
		comparison_list_done(&list);
	}
	strbuf_puts(to, copy ? json_pretty(copy) : "null");
	strbuf_puts(to, "\n");
}
