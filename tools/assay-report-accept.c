// SPDX-License-Identifier: GPL-3.0-or-later
// assay report --accept: do campaigns meet the limits of their plans? For a script that
// looks at a rack.
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "common/io.h"
#include "common/json.h"
#include "common/mem.h"
#include "result/accept.h"

#define RESULT_MAX ((size_t)256 << 20)

static struct json_object *read_result(const char *path)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct json_object *o = NULL;
	struct err err = { 0 };
	int r = io_read_file(path, &text, RESULT_MAX);

	if (r < 0)
		fprintf(stderr, "assay report: %s: %s\n", path, strerror(-r));
	else if (!(o = json_parse_text(strbuf_str(&text), text.len, &err)))
		fprintf(stderr, "assay report: %s: %s\n", path, err.text);
	return o;
}

static enum outcome worst_of(const struct json_object *records, enum outcome worst)
{
	for (size_t i = 0; i < json_length(records); i++)
		worst = outcome_worse(
			worst,
			outcome_parse(json_get_str(json_object_array_get_idx(records, i),
						   "outcome")));
	return worst;
}

// What the campaign came to but for its limits.
static enum outcome without_limits(const struct json_object *result)
{
	const char *why = json_get_str(result, "why");

	if (!why || !strstr(why, ACCEPT_WORDS))
		return outcome_parse(json_get_str(result, "verdict"));
	return worst_of(json_get(result, "stacks"),
			worst_of(json_get(result, "runs"), OUTCOME_PASSED));
}

// A campaign is judged again by its runs, so that another baseline may be given; what it
// came to itself, e.g. aborted, is made no better by that.
static int judge(const char *dir, const struct json_object *baseline)
{
	_cleanup_free_ char *path = mem_printf("%s/result.json", dir);
	_cleanup_json_ struct json_object *result = read_result(path), *array = NULL;
	_cleanup_strbuf_ struct strbuf why = { 0 };
	enum outcome verdict;

	if (!result)
		return COMMAND_UNREADABLE;
	if (baseline) {
		array = accept_judge(result, baseline);
	} else {
		array = json_object_get(json_get(result, "accept"));
		if (!array)
			array = accept_judge(result, NULL);
	}
	verdict = outcome_worse(accept_verdict(array, &why), without_limits(result));
	if (json_length(array) == 0)
		strbuf_puts(&why, ": its plan sets no limits");
	printf("%s %s: %s\n", outcome_name(verdict), dir, strbuf_str(&why));
	for (size_t i = 0; i < json_length(array); i++) {
		const struct json_object *o = json_object_array_get_idx(array, i);

		printf("  %-8s %s: %s\n", json_get_str(o, "outcome"),
		       json_get_str(o, "text"), json_get_str(o, "why"));
	}
	return verdict == OUTCOME_PASSED ? COMMAND_OK : COMMAND_FAILED;
}

int report_accept(int argc, char **argv)
{
	_cleanup_json_ struct json_object *baseline = NULL;
	int first = 1, worst = COMMAND_OK;

	if (argc > 2 && strcmp(argv[1], "--baseline") == 0) {
		baseline = read_result(argv[2]);
		if (!baseline)
			return COMMAND_UNREADABLE;
		first = 3;
	}
	if (first >= argc)
		return command_usage(&command_report);
	for (int i = first; i < argc; i++) {
		int status = judge(argv[i], baseline);

		worst = status > worst ? status : worst;
	}
	return worst;
}
