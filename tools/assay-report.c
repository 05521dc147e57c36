// SPDX-License-Identifier: GPL-3.0-or-later
// assay report: prints the report of a campaign's folder.
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "common/io.h"
#include "common/json.h"
#include "common/mem.h"
#include "report/report.h"

#define RESULT_MAX ((size_t)256 << 20)

static int report_command(int argc, char **argv)
{
	_cleanup_strbuf_ struct strbuf text = { 0 }, report = { 0 };
	_cleanup_json_ struct json_object *result = NULL;
	_cleanup_free_ char *path = NULL;
	struct err err = { 0 };

	if (argc > 1 && strcmp(argv[1], "--accept") == 0)
		return report_accept(argc - 1, argv + 1);
	if (argc != 2)
		return command_usage(&command_report);
	path = mem_printf("%s/result.json", argv[1]);
	if (io_read_file(path, &text, RESULT_MAX) < 0) {
		fprintf(stderr, "assay report: cannot read %s\n", path);
		return COMMAND_UNREADABLE;
	}
	result = json_parse_text(strbuf_str(&text), text.len, &err);
	if (!result) {
		fprintf(stderr, "assay report: %s: %s\n", path, err.text);
		return COMMAND_UNREADABLE;
	}
	report_text(result, &report);
	fputs(strbuf_str(&report), stdout);
	return COMMAND_OK;
}

const struct command command_report = {
	.name = "report",
	.args = "DIR | --accept [--baseline RESULT.JSON] DIR...",
	.help = "print the report of a campaign's folder, or judge its limits",
	.run = report_command,
};
