// SPDX-License-Identifier: GPL-3.0-or-later
// assay report: the report of a campaign's folder, in any of its forms.
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "common/mem.h"
#include "report/load.h"
#include "report/report.h"

static const struct {
	const char *name;
	void (*render)(const struct json_object *result, struct strbuf *to);
} formats[] = {
	{ "text", report_text },
	{ "bonnie-1.03", report_bonnie_csv },
	{ "bonnie-1.98", report_bonnie_198 },
	{ "csv", report_tidy_csv },
	{ "openmetrics", report_openmetrics },
	{ "phoronix", report_phoronix },
};

static int report_command(int argc, char **argv)
{
	_cleanup_strbuf_ struct strbuf report = { 0 };
	_cleanup_json_ struct json_object *result = NULL;
	const char *format = "text";
	struct err err = { 0 };
	size_t i = 0;

	if (argc > 1 && strcmp(argv[1], "--accept") == 0)
		return report_accept(argc - 1, argv + 1);
	if (argc == 4 && strcmp(argv[1], "--format") == 0)
		format = argv[2];
	else if (argc != 2)
		return command_usage(&command_report);
	while (i < ARRAY_SIZE(formats) && strcmp(formats[i].name, format) != 0)
		i++;
	if (i == ARRAY_SIZE(formats))
		return command_usage(&command_report);
	result = report_load(argv[argc - 1], &err);
	if (!result) {
		fprintf(stderr, "assay report: %s\n", err.text);
		return COMMAND_UNREADABLE;
	}
	formats[i].render(result, &report);
	fputs(strbuf_str(&report), stdout);
	return COMMAND_OK;
}

const struct command command_report = {
	.name = "report",
	.args = "[--format text|bonnie-1.03|bonnie-1.98|csv|openmetrics|phoronix] DIR",
	.help = "print the report of a campaign's folder",
	.run = report_command,
};
