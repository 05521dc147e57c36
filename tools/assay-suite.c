// SPDX-License-Identifier: GPL-3.0-or-later
// assay suite: what a plan can ask for: its own keys, the test engines and the layers of
// a stack, each with its parameters, from the very tables that check a plan.
#include <stdio.h>

#include "command.h"
#include "stack/layer.h"
#include "suite/test.h"

static int suite_command(int argc, char **argv _unused_)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };

	if (argc != 1)
		return command_usage(&command_suite);
	strbuf_puts(&text, "The section [plan]:\n");
	plan_describe(&text);
	strbuf_puts(&text, "\nTests, each a section [test NAME] with engine = one of:\n");
	for (const struct test_ops *const *t = test_engines; *t; t++) {
		strbuf_printf(&text, "\n  %-26s %s\n", (*t)->engine, (*t)->help);
		param_describe((*t)->params, &text);
		if ((*t)->any_params)
			strbuf_puts(&text, "    (and the tool's own options)\n");
	}
	strbuf_puts(&text, "\nLayers of a stack, disk/LAYER,key=value/LAYER...:\n");
	for (const struct layer_ops *const *l = layer_kinds; *l; l++) {
		strbuf_printf(&text, "\n  %-26s %s\n", (*l)->kind, (*l)->help);
		param_describe((*l)->params, &text);
		if ((*l)->volumes)
			strbuf_puts(&text, "    NAME=SIZE, NAME=rest      volumes; rest "
					   "carries the layers above\n");
	}
	fputs(strbuf_str(&text), stdout);
	return COMMAND_OK;
}

const struct command command_suite = {
	.name = "suite",
	.args = "",
	.help = "list the tests and layers a plan can ask for",
	.run = suite_command,
};
