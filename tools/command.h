// SPDX-License-Identifier: GPL-3.0-or-later
// A subcommand of `assay`: one file, one const row, named in the table of assay.c.
#pragma once

// Exit statuses, as sysexits.h has them.
enum command_exit {
	COMMAND_OK = 0,
	COMMAND_FAILED = 1,      // it ran; the answer is no, or something failed
	COMMAND_USAGE = 64,      // EX_USAGE
	COMMAND_UNREADABLE = 66, // EX_NOINPUT
};

struct command {
	const char *name;
	const char *args;                  // "[--json]", for the help
	const char *help;                  // one line
	int (*run)(int argc, char **argv); // argv[0] is the command's name
};

extern const struct command command_devices, command_plan, command_stack, command_run,
	command_suite, command_report, command_compare, command_import, command_recv,
	command_drivers;

// `assay report --accept`, from "--accept" on: exit 0 only when every campaign met all
// limits of its plan.
int report_accept(int argc, char **argv);

// Says how the command is called on stderr; returns COMMAND_USAGE.
int command_usage(const struct command *c);
