// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzes every report: a result.json may come from anywhere, and each form ends, whole.
#include <stdint.h>
#include <string.h>

#include "report/compare.h"
#include "report/fleet-private.h"
#include "report/html.h"
#include "report/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void collect(void *arg, const char *data, size_t len)
{
	strbuf_add(arg, data, len);
}

static void fleet_of(const struct json_object *result)
{
	_cleanup_strbuf_ struct strbuf to = { 0 };
	struct fleet *f = fleet_new();

	fleet_take(f, "a", result, false);
	fleet_take(f, "b", result, false);
	fleet_take(f, "c", result, true);
	fleet_judge(f);
	fleet_text(f, collect, &to);
	fleet_html(f, collect, &to);
	fleet_free(f);
}

static void compare_of(const struct json_object *result, struct json_object *again)
{
	_cleanup_strbuf_ struct strbuf to = { 0 };
	const struct json_object *results[] = { result, again };
	const char *names[] = { "a", "b" };
	struct compare c = { .results = results, .names = names, .n = 1 };
	struct fault_list faults = { 0 };

	report_compare(&c, false, &to, &faults);
	c.n = 2;
	report_compare(&c, false, &to, &faults);
	report_compare(&c, true, &to, &faults);
	fault_done(&faults);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const forms[])(const struct json_object *, struct strbuf *) = {
		report_text,     report_json,        report_bonnie_csv, report_bonnie_198,
		report_tidy_csv, report_openmetrics, report_phoronix,
	};
	_cleanup_json_ struct json_object *o =
		json_parse_text((const char *)data, size, NULL);
	_cleanup_json_ struct json_object *again =
		json_parse_text((const char *)data, size, NULL);
	_cleanup_strbuf_ struct strbuf page = { 0 };

	if (!o)
		return 0;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		_cleanup_strbuf_ struct strbuf to = { 0 };

		forms[i](o, &to);
	}
	report_html(o, collect, &page);
	if (page.len < 8 || memcmp(page.data + page.len - 8, "</html>\n", 8) != 0)
		__builtin_trap();
	compare_of(o, again);
	fleet_of(o);
	return 0;
}
