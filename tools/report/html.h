// SPDX-License-Identifier: GPL-3.0-or-later
// report.html: one file without script, without anything from elsewhere, that any
// browser since 2010 shows, on a phone and on paper too.
//
// The charts are SVG drawn here, not by a library of the browser's: they need no script,
// work where scripts are off, cost the image a few KiB instead of some hundred, and are
// the same bytes for the same result.json. Each has its numbers beside it as text, for a
// browser that knows no SVG. Colour says which way, its strength how sure; a sign and a
// word say both again.
//
// Each number of result.json stands in the page with its exact value and its place:
// <span data-v="22354944" data-at="runs/0/metrics/3/value">22.4 MB/s</span>.
#pragma once

#include "common/json.h"

// Where the page goes, piece by piece. Pieces are some KiB at most per row of a table.
typedef void report_write(void *arg, const char *data, size_t len);

// The page of one campaign. Trusts nothing in the document.
void report_html(const struct json_object *result, report_write *write, void *arg);
