// SPDX-License-Identifier: GPL-3.0-or-later
// The command `assay`: one subcommand per stage.
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "common/macro.h"

static const struct command *const commands[] = {
	&command_devices, &command_plan,    &command_stack,   &command_run,
	&command_suite,   &command_report,  &command_compare, &command_import,
	&command_recv,    &command_drivers,
};

int command_usage(const struct command *c)
{
	fprintf(stderr, "usage: assay %s %s\n", c->name, c->args);
	return COMMAND_USAGE;
}

static void print_help(FILE *to)
{
	fputs("usage: assay COMMAND [ARGUMENTS]\n\n", to);
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		fprintf(to, "  assay %s %s\n      %s\n", commands[i]->name,
			commands[i]->args, commands[i]->help);
	fputs("\nWhat it writes to, and what it never touches: README.md\n", to);
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		print_help(stderr);
		return COMMAND_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
		print_help(stdout);
		return COMMAND_OK;
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("assay " ASSAY_VERSION);
		return COMMAND_OK;
	}
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (strcmp(argv[1], commands[i]->name) == 0)
			return commands[i]->run(argc - 1, argv + 1);
	fprintf(stderr, "assay: there is no command '%s'; try: assay --help\n", argv[1]);
	return COMMAND_USAGE;
}
