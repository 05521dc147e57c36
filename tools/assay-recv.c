// SPDX-License-Identifier: GPL-3.0-or-later
// assay recv: rebuilds result files from a captured serial log.
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "common/io.h"
#include "result/armour.h"

#define LOG_MAX ((size_t)1 << 30)

static int recv_command(int argc, char **argv)
{
	_cleanup_strbuf_ struct strbuf log = { 0 };
	struct fault_list faults = { 0 };
	const char *out = ".";
	struct err err = { 0 };
	int files, status;

	if (argc == 4 && strcmp(argv[2], "-o") == 0)
		out = argv[3];
	else if (argc != 2)
		return command_usage(&command_recv);
	if (io_read_file(argv[1], &log, LOG_MAX) < 0) {
		fprintf(stderr, "assay recv: cannot read %s\n", argv[1]);
		return COMMAND_UNREADABLE;
	}
	files = armour_receive(strbuf_str(&log), log.len, argv[1], out, &faults, &err);
	fault_print(&faults, stderr);
	if (files < 0)
		fprintf(stderr, "assay recv: %s\n", err.text);
	else
		printf("%d files received whole, %zu faults\n", files, faults.n);
	status = files > 0 && faults.n == 0 ? COMMAND_OK : COMMAND_FAILED;
	fault_done(&faults);
	return status;
}

const struct command command_recv = {
	.name = "recv",
	.args = "LOG [-o DIR]",
	.help = "rebuild the result files from a serial log",
	.run = recv_command,
};
