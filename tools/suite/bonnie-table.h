// SPDX-License-Identifier: GPL-3.0-or-later
// The table that bonnie++ prints for people, as it stands in articles: wrapped, its
// blanks squeezed, or a cell's padding lost.
#pragma once

#include "common/fault.h"
#include "suite/bonnie-csv.h"

// Finds the next table in `text` from `*pos` on and moves `*pos` behind it. Values are
// told apart by blanks, never by columns, because wide numbers outgrow these. Returns 0
// (the caller frees with bonnie_csv_done; `*line` is where the table begins) or -ENOENT
// when there is no more. Tables that cannot be read are added to `faults` as of `file`:
// cells that are missing, and the rates of small files of 2.00a, which are no rates
// there.
int bonnie_table_next(const char *file, const char *text, size_t len, size_t *pos,
		      struct bonnie_csv *ret, int *line, struct fault_list *faults);
