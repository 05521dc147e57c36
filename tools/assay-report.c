// SPDX-License-Identifier: GPL-3.0-or-later
// assay report: the report of a campaign's folder, in any of its forms.
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "common/io.h"
#include "common/mem.h"
#include "report/fleet.h"
#include "report/html.h"
#include "report/load.h"
#include "report/report.h"

// A form is a text, or a page that is written as it is made.
struct format {
	const char *name;
	void (*render)(const struct json_object *result, struct strbuf *to);
};

static const struct format formats[] = {
	{ "text", report_text },
	{ "html", NULL },
	{ "json", report_json },
	{ "bonnie-1.03", report_bonnie_csv },
	{ "bonnie-1.98", report_bonnie_198 },
	{ "csv", report_tidy_csv },
	{ "openmetrics", report_openmetrics },
	{ "phoronix", report_phoronix },
};

struct options {
	const struct format *format;
	const char *baseline; // NULL: none
	char **dirs;
	size_t n;
};

static bool set_format(struct options *o, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (strcmp(formats[i].name, name) == 0) {
			o->format = &formats[i];
			return true;
		}
	return false;
}

static bool read_options(struct options *o, int argc, char **argv)
{
	int i = 1;

	o->format = &formats[0];
	for (; i < argc && argv[i][0] == '-'; i++) {
		bool more = i + 1 < argc;

		if (strcmp(argv[i], "--html") == 0)
			set_format(o, "html");
		else if (strcmp(argv[i], "--baseline") == 0 && more)
			o->baseline = argv[++i];
		else if (strcmp(argv[i], "--format") != 0 || !more ||
			 !set_format(o, argv[++i]))
			return false;
	}
	o->dirs = argv + i;
	o->n = (size_t)(argc - i);
	return o->n > 0;
}

// One campaign: a file, or a folder that holds one.
static bool is_campaign(const struct options *o)
{
	_cleanup_free_ char *result = mem_printf("%s/result.json", o->dirs[0]);
	_cleanup_free_ char *inside = mem_printf("%s/.", o->dirs[0]);

	return o->n == 1 && !o->baseline && (io_exists(result) || !io_exists(inside));
}

static void to_stdout(void *arg, const char *data, size_t len)
{
	(void)arg;
	fwrite(data, 1, len, stdout);
}

static int report_campaign(const struct options *o)
{
	_cleanup_json_ struct json_object *result = NULL;
	_cleanup_strbuf_ struct strbuf report = { 0 };
	struct err err = { 0 };

	result = report_load(o->dirs[0], &err);
	if (!result) {
		fprintf(stderr, "assay report: %s\n", err.text);
		return COMMAND_UNREADABLE;
	}
	if (o->format->render) {
		o->format->render(result, &report);
		to_stdout(NULL, strbuf_str(&report), report.len);
	} else {
		report_html(result, to_stdout, NULL);
	}
	return COMMAND_OK;
}

static int report_fleet(const struct options *o)
{
	struct fault_list faults = { 0 };
	struct fleet *f = fleet_new();
	int status = COMMAND_OK;

	for (size_t i = 0; i < o->n; i++)
		fleet_add(f, o->dirs[i], false, &faults);
	if (o->baseline)
		fleet_add(f, o->baseline, true, &faults);
	fault_print(&faults, stderr);
	if (fleet_campaigns(f) == 0) {
		fprintf(stderr, "assay report: there is no campaign in %s\n", o->dirs[0]);
		status = COMMAND_UNREADABLE;
	} else {
		fleet_judge(f);
		if (o->format->render)
			fleet_text(f, to_stdout, NULL);
		else
			fleet_html(f, to_stdout, NULL);
		status = faults.n ? COMMAND_FAILED : COMMAND_OK;
	}
	fleet_free(f);
	fault_done(&faults);
	return status;
}

static int report_command(int argc, char **argv)
{
	struct options o = { 0 };
	bool one, plain;
	int status;

	if (argc > 1 && strcmp(argv[1], "--accept") == 0)
		return report_accept(argc - 1, argv + 1);
	if (!read_options(&o, argc, argv))
		return command_usage(&command_report);
	one = is_campaign(&o);
	plain = o.format == &formats[0] || !o.format->render;
	if (!one && !plain)
		return command_usage(&command_report); // those forms are of one campaign
	status = one ? report_campaign(&o) : report_fleet(&o);
	return fflush(stdout) == 0 && !ferror(stdout) ? status : COMMAND_FAILED;
}

const struct command command_report = {
	.name = "report",
	.args = "[--html | --format text|html|json|bonnie-1.03|bonnie-1.98|csv|"
		"openmetrics|phoronix] [--baseline DIR] DIR... | --accept "
		"[--baseline RESULT.JSON] DIR...",
	.help = "the report of a campaign's folder; of more, the fleet's, in text or "
		"html; or "
		"judge its limits",
	.run = report_command,
};
