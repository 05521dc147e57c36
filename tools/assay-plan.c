// SPDX-License-Identifier: GPL-3.0-or-later
// assay plan: checks a plan, or shows what it comes to, without touching any disk.
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "plan/plan.h"
#include "stack/stack.h"
#include "suite/suite.h"

static int plan_command(int argc, char **argv)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct fault_list faults = { 0 };
	struct plan plan = { 0 };
	bool json = argc == 4 && strcmp(argv[3], "--json") == 0;
	bool show = argc >= 3 && strcmp(argv[1], "show") == 0;
	int status;

	if (argc < 3 || (argc == 4 && !json) || argc > 4 ||
	    (!show && strcmp(argv[1], "check") != 0))
		return command_usage(&command_plan);
	plan_load(&plan, argv[2], NULL, &faults);
	stack_check(&plan, &faults);
	suite_check(&plan, &faults);
	if (faults.n) {
		fault_print(&faults, stderr);
	} else if (show && json) {
		_cleanup_json_ struct json_object *o = plan_json(&plan);

		puts(json_pretty(o));
	} else if (show) {
		plan_print(&plan, &text);
		fputs(strbuf_str(&text), stdout);
	} else {
		plan_warnings(&plan, &faults);
		fault_print(&faults, stderr);
		fault_done(&faults);
		printf("%s: good: %zu arms, %zu tests, %u blocks\n", argv[2], plan.n_arms,
		       plan.n_tests, plan.blocks);
	}
	status = faults.n ? COMMAND_FAILED : COMMAND_OK;
	plan_done(&plan);
	fault_done(&faults);
	return status;
}

const struct command command_plan = {
	.name = "plan",
	.args = "check|show FILE [--json]",
	.help = "check a plan, or show what it comes to",
	.run = plan_command,
};
