// SPDX-License-Identifier: GPL-3.0-or-later
// Comma-separated values as RFC 4180 has them: quoted fields may hold commas, quotes
// (doubled) and line ends.
#pragma once

#include <stddef.h>

#include "common/err.h"
#include "common/strbuf.h"

// Where a reader is in a text. `= {.text = t, .len = n, .line = 1}` is its beginning.
struct csv {
	const char *text;
	size_t len, pos;
	int line; // 1-based, of what comes next
};

struct csv_row {
	char **fields;
	size_t n;
	int line; // where it begins
};

// Reads the next row; empty lines are passed over. Returns 0 (the caller frees with
// csv_row_done), -ENOENT at the end, -EBADMSG for a quote that is never closed or has
// something behind it; the reader is then at the next line.
int csv_next(struct csv *csv, struct csv_row *ret, struct err *err);
void csv_row_done(struct csv_row *row);

// Appends one field, quoted only where it must be.
void csv_add(struct strbuf *to, const char *field);
