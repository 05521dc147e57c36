// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes the import: whatever a text holds, it ends, its numbers are numbers, each fault
// is in a line that the text has, and what it made can be reported.
#include <math.h>
#include <stdint.h>

#include "report/report.h"
#include "suite/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_runs(const struct import_campaign *c)
{
	for (size_t i = 0; i < json_object_array_length(c->runs); i++) {
		struct metric_list m = { 0 };

		metric_parse(&m,
			     json_get(json_object_array_get_idx(c->runs, i), "metrics"));
		for (size_t k = 0; k < m.n; k++)
			if (!(m.items[k].value >= 0) || isinf(m.items[k].value))
				__builtin_trap();
		metric_list_done(&m);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct import im = { 0 };
	int lines = 2;

	import_text(&im, "file", (const char *)data, size);
	for (size_t i = 0; i < size; i++)
		lines += data[i] == '\n';
	for (size_t i = 0; i < im.faults.n; i++)
		if (im.faults.items[i].line > lines)
			__builtin_trap();
	for (size_t i = 0; i < im.n; i++) {
		_cleanup_json_ struct json_object *o =
			import_json(&im.items[i], "00000000");
		_cleanup_strbuf_ struct strbuf text = { 0 };

		check_runs(&im.items[i]);
		report_bonnie_csv(o, &text);
		report_bonnie_198(o, &text);
		report_tidy_csv(o, &text);
		report_openmetrics(o, &text);
		report_phoronix(o, &text);
		report_text(o, &text);
	}
	import_done(&im);
	return 0;
}
