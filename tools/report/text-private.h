// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the files of the text report only.
#pragma once

#include <stddef.h>

#include "report/report.h"

#define TEXT_COLUMNS 80

// "Title" and a line below it, after an empty line.
void text_title(struct strbuf *to, const char *title);

// The text after the prefix, in words, later lines indented by the prefix's length.
void text_wrap(struct strbuf *to, const char *prefix, const char *text);

// At most `width` characters of a name, the last one "~" when it was longer; padded with
// blanks.
void text_cell(struct strbuf *to, const char *text, size_t width);

// Members that may be missing: length of an array (0), one of its items, a string ("").
size_t text_length(const struct json_object *array);
struct json_object *text_item(const struct json_object *array, size_t i);
const char *text_str(const struct json_object *from, const char *key);

// How the experiment went, limits, findings.
void text_verdicts(const struct json_object *result, struct strbuf *to);

// The table of each test.
void text_tables(const struct json_object *result, struct strbuf *to);

// Who spent the CPU time, gates and flags.
void text_cost(const struct json_object *result, struct strbuf *to);

// Boot times, devices, machine.
void text_machine(const struct json_object *result, struct strbuf *to);
