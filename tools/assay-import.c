// SPDX-License-Identifier: GPL-3.0-or-later
// assay import: numbers that others measured, as folders of campaigns.
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "common/crc32.h"
#include "common/io.h"
#include "common/mem.h"
#include "report/html.h"
#include "report/report.h"
#include "suite/import.h"

#define FILE_MAX_BYTES ((size_t)64 << 20)

struct options {
	const char *out;
	char *arms; // owned; cut into pieces
	const char **names;
	struct import im;
	int first; // index of the first file
};

static void split_arms(struct options *o, const char *list)
{
	char *save = NULL;

	o->arms = mem_strdup(list);
	for (char *a = strtok_r(o->arms, ",", &save); a; a = strtok_r(NULL, ",", &save)) {
		o->names = mem_grow(o->names, o->im.n_arms + 1, sizeof(*o->names));
		o->names[o->im.n_arms++] = a;
	}
	o->im.arms = o->names;
}

static bool read_options(struct options *o, int argc, char **argv)
{
	int i = 1;

	for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
		if (strcmp(argv[i], "-o") == 0)
			o->out = argv[i + 1];
		else if (strcmp(argv[i], "--machine") == 0)
			o->im.machine = argv[i + 1];
		else if (strcmp(argv[i], "--arms") == 0 && !o->arms)
			split_arms(o, argv[i + 1]);
		else
			return false;
	}
	o->first = i;
	return i < argc && argv[i][0] != '-';
}

// The machine's name as that of a folder.
static char *folder(const char *out, const char *machine, uint32_t id)
{
	_cleanup_free_ char *safe = mem_strdup(*machine ? machine : "unnamed");

	for (char *p = safe; *p; p++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "0123456789-_",
			    *p))
			*p = '_';
	return mem_printf("%s/%s/imported-%08x", out, safe, id);
}

static int write_one(const char *dir, const char *name, const char *data, size_t len)
{
	_cleanup_free_ char *path = mem_printf("%s/%s", dir, name);
	int r = io_replace_file(path, data, len);

	if (r < 0)
		fprintf(stderr, "assay import: %s: %s\n", path, strerror(-r));
	return r;
}

static void collect(void *arg, const char *data, size_t len)
{
	strbuf_add(arg, data, len);
}

static int write_campaign(const struct options *o, const struct import_campaign *c,
			  uint32_t id)
{
	_cleanup_free_ char *dir = folder(o->out, c->machine, id);
	_cleanup_strbuf_ struct strbuf text = { 0 }, csv = { 0 }, page = { 0 };
	_cleanup_json_ struct json_object *result = NULL;
	char run_id[9];
	int r = io_make_dirs(dir);

	if (r < 0) {
		fprintf(stderr, "assay import: cannot make %s: %s\n", dir, strerror(-r));
		return r;
	}
	snprintf(run_id, sizeof(run_id), "%08x", id);
	result = import_json(c, run_id);
	report_text(result, &text);
	report_bonnie_csv(result, &csv);
	report_html(result, collect, &page);
	r = write_one(dir, "result.json", json_pretty(result),
		      strlen(json_pretty(result)));
	if (r == 0)
		r = write_one(dir, "report.txt", strbuf_str(&text), text.len);
	if (r == 0)
		r = write_one(dir, "report.html", strbuf_str(&page), page.len);
	if (r == 0 && csv.len)
		r = write_one(dir, "bonnie.csv", strbuf_str(&csv), csv.len);
	if (r == 0)
		printf("%s\n", dir);
	return r;
}

static int import_command(int argc, char **argv)
{
	struct options o = { .out = "." };
	int status = COMMAND_OK;
	uint32_t id = 0;

	if (!read_options(&o, argc, argv)) {
		status = command_usage(&command_import);
		goto out;
	}
	for (int i = o.first; i < argc; i++) {
		_cleanup_strbuf_ struct strbuf text = { 0 };

		if (io_read_file(argv[i], &text, FILE_MAX_BYTES) < 0) {
			fprintf(stderr, "assay import: cannot read %s\n", argv[i]);
			status = COMMAND_UNREADABLE;
			goto out;
		}
		import_text(&o.im, argv[i], strbuf_str(&text), text.len);
		id = crc32_add(id, strbuf_str(&text), text.len);
	}
	fault_print(&o.im.faults, stderr);
	if (o.im.faults.n)
		status = COMMAND_FAILED; // what was read in spite of them is written
	for (size_t i = 0; i < o.im.n; i++)
		if (write_campaign(&o, &o.im.items[i], id) < 0)
			status = COMMAND_FAILED;
out:
	import_done(&o.im);
	free(o.names);
	free(o.arms);
	return status;
}

const struct command command_import = {
	.name = "import",
	.args = "[-o DIR] [--machine NAME] [--arms NAME,...] FILE...",
	.help = "campaigns from what bonnie++, hdparm, fio and cryptsetup benchmark "
		"printed",
	.run = import_command,
};
