// SPDX-License-Identifier: GPL-3.0-or-later
// Kept files, imported.
#pragma once

#include "unit.h"

#include <math.h>
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "suite/import.h"

#define IMPORT_DATA "tests/data/import/"
#define PUBLISHED   "configs/published/"

static inline void read_whole(const char *path, struct strbuf *to)
{
	if (io_read_file(path, to, 1 << 22) < 0)
		fail_msg("%s: cannot be read (run from the top of the tree)", path);
}

static inline void import_path(struct import *im, const char *path)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };

	read_whole(path, &text);
	import_text(im, path, strbuf_str(&text), text.len);
}

// The metrics of the i-th run of the c-th campaign.
static inline void imported_metrics(const struct import *im, size_t c, size_t i,
				    struct metric_list *to)
{
	assert_true(c < im->n);
	assert_true(i < json_object_array_length(im->items[c].runs));
	metric_parse(
		to, json_get(json_object_array_get_idx(im->items[c].runs, i), "metrics"));
}

static inline void expect_metric(const struct metric_list *list, const char *name,
				 enum metric_bound bound, double value)
{
	const struct metric *m = metric_find(list, name);

	if (!m)
		fail_msg("no metric %s", name);
	assert_int_equal(m->bound, bound);
	if (fabs(m->value - value) > 1e-12 * fabs(value))
		fail_msg("%s is %.17g instead of %.17g", name, m->value, value);
}

static inline void expect_fault(const struct import *im, int line, const char *words)
{
	for (size_t i = 0; i < im->faults.n; i++)
		if (im->faults.items[i].line == line &&
		    strstr(im->faults.items[i].text, words))
			return;
	fault_print(&im->faults, stderr);
	fail_msg("no fault in line %d with \"%s\"", line, words);
}
