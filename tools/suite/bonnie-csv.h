// SPDX-License-Identifier: GPL-3.0-or-later
// The CSV lines of bonnie++: 1.03 (27 fields), 1.96 and 1.97 (48), 1.98 (50).
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "result/metric.h"

// What the formats from 1.96 on say beside the rates, each kept as it stands.
enum bonnie_fact {
	BONNIE_CONCURRENCY,
	BONNIE_SEED,
	BONNIE_CHUNK,
	BONNIE_SEEKS,      // 1.98 only, as the next
	BONNIE_SEEK_PROCS, // processes that seek at once
	BONNIE_MAX,        // size of the small files
	BONNIE_MIN,
	BONNIE_DIRS,
	BONNIE_FILE_CHUNK,
	BONNIE_FACTS,
};

// Their names in a run's detail: "concurrency", "seed", ...
extern const char *const bonnie_fact_names[BONNIE_FACTS];

// One line. A rate "+++++" (less than half a second) becomes a bound, an empty one no
// metric, a zero an exact zero. Rates are in B/s (putc, put_block, rewrite, getc,
// get_block) and 1/s (seeks, seq_create ... ran_del); "<rate>_cpu" is what bonnie++
// itself used, in %; "<rate>_latency" the longest single operation, in s.
struct bonnie_csv {
	char *format;    // "1.03", "1.96", "1.97", "1.98"
	char *program;   // "2.00a"; NULL for 1.03, which does not tell
	char *name;      // may hold commas
	char *size_text; // "432M", "1G:64k", or ""
	uint64_t size;   // bytes of the big file; 0: that part did not run
	char *files_text;
	uint64_t files;            // number of small files; 0: that part did not run
	char *line;                // the whole line, joined again
	char *facts[BONNIE_FACTS]; // NULL: the format does not have it
	struct metric_list metrics;
};

// Finds the next line of results in `text` from `*pos` on and moves `*pos` behind it;
// anything else is passed over, and lines that a page or a terminal has wrapped are
// joined. Returns 0 (the caller frees with bonnie_csv_done) or -ENOENT when there is no
// more.
int bonnie_csv_next(const char *text, size_t len, size_t *pos, struct bonnie_csv *ret);

// Adds format, version, sizes, facts and the line itself to a run's `detail`.
void bonnie_csv_detail(const struct bonnie_csv *b, struct json_object *detail);

void bonnie_csv_done(struct bonnie_csv *b);
