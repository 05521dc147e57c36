// SPDX-License-Identifier: GPL-3.0-or-later
// plan_parse() on any text and command line: the bytes up to the first NUL are the plan,
// the rest overrides it. A plan without faults must print as a plan that does the same.
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "plan/plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_print(const struct plan *p)
{
	struct fault_list faults = { 0 };
	struct strbuf text = { 0 };
	struct plan again;

	plan_print(p, &text);
	plan_parse(&again, "again.ini", strbuf_str(&text), NULL, &faults);
	// Comments with origins may push a big plan over the limit of a file.
	if (text.len <= 64 * 1024 &&
	    (faults.n > 0 || plan_fingerprint(&again) != plan_fingerprint(p)))
		abort();
	json_object_put(plan_json(p));
	plan_done(&again);
	fault_done(&faults);
	strbuf_done(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t len = strnlen((const char *)data, size);
	_cleanup_free_ char *text = mem_strndup((const char *)data, len);
	_cleanup_free_ char *rest = mem_strndup((const char *)data + len + (len < size),
						size - len - (len < size));
	struct fault_list faults = { 0 };
	struct cmdline overrides;
	struct plan p;

	cmdline_parse(&overrides, rest);
	plan_parse(&p, "fuzz.ini", text, &overrides, &faults);
	if (faults.n == 0)
		check_print(&p);
	plan_warnings(&p, &faults);
	plan_done(&p);
	fault_done(&faults);
	cmdline_done(&overrides);
	return 0;
}
