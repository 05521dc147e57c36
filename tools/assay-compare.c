// SPDX-License-Identifier: GPL-3.0-or-later
// assay compare: arms of campaigns side by side, and what can be said of them.
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "common/io.h"
#include "common/mem.h"
#include "report/compare.h"
#include "report/load.h"

#define PAIRS_MAX ((size_t)1 << 20)

struct options {
	bool csv;
	const char *pairs;
	int first; // index of the first folder
};

static bool read_options(struct options *o, int argc, char **argv)
{
	int i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		if (strcmp(argv[i], "--csv") == 0)
			o->csv = true;
		else if (strcmp(argv[i], "--pairs") == 0 && i + 1 < argc)
			o->pairs = argv[++i];
		else
			return false;
	}
	o->first = i;
	return i < argc;
}

static int read_pairs(struct compare *c, const char *file, struct fault_list *faults)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };

	if (!file)
		return 0;
	if (io_read_file(file, &text, PAIRS_MAX) < 0) {
		fprintf(stderr, "assay compare: cannot read %s\n", file);
		return -EIO;
	}
	compare_pairs_parse(c, file, strbuf_str(&text), text.len, faults);
	return 0;
}

static int compare_command(int argc, char **argv)
{
	_cleanup_strbuf_ struct strbuf report = { 0 };
	struct fault_list faults = { 0 };
	struct json_object **results;
	struct options o = { 0 };
	struct compare c = { 0 };
	int status = COMMAND_UNREADABLE;

	if (!read_options(&o, argc, argv))
		return command_usage(&command_compare);
	results = mem_new((size_t)(argc - o.first), sizeof(void *));
	for (int i = o.first; i < argc; i++) {
		struct err err = { 0 };

		results[c.n] = report_load(argv[i], &err);
		if (!results[c.n]) {
			fprintf(stderr, "assay compare: %s\n", err.text);
			goto out;
		}
		c.n++;
	}
	c.results = (const struct json_object *const *)results;
	c.names = (const char *const *)(argv + o.first);
	if (read_pairs(&c, o.pairs, &faults) < 0)
		goto out;
	report_compare(&c, o.csv, &report, &faults);
	fputs(strbuf_str(&report), stdout);
	fault_print(&faults, stderr);
	status = faults.n ? COMMAND_FAILED : COMMAND_OK;
out:
	for (size_t i = 0; i < c.n; i++)
		json_object_put(results[i]);
	free(results);
	compare_done(&c);
	fault_done(&faults);
	return status;
}

const struct command command_compare = {
	.name = "compare",
	.args = "[--csv] [--pairs FILE] DIR...",
	.help = "arms of a campaign, or of several, side by side",
	.run = compare_command,
};
