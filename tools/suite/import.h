// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that others measured, as campaigns of our own form, so that every report reads
// them. Imported runs are not paired: their blocks only count them.
#pragma once

#include "common/fault.h"
#include "common/json.h"
#include "result/metric.h"

// One machine's runs. In the JSON of its plan an arm may say what it was made of:
// `layers`, from the disk upward, and `facts` ("selinux": "off").
struct import_campaign {
	char *machine;
	struct json_object *machine_facts;
	struct json_object *arms, *tests, *runs;
	struct json_object *claims; // numbers quoted in prose, which are no measurements
	struct json_object *warnings;
	char *when; // as published; NULL when not known
};

struct import {
	const char *machine;     // NULL: what the file says, else "imported"
	const char *const *arms; // for the first, second ... result of each file; the
	size_t n_arms;           // last one for all others; none: after the file's name

	struct import_campaign *items;
	size_t n;
	struct fault_list faults;
};

// Reads everything in the text that is known: bonnie++ CSV 1.03 to 1.98 and its printed
// table, hdparm -tT, fio's JSON, cryptsetup benchmark, and tables of published numbers
// (one number a row, columns named in the first one). A table of bonnie++ whose CSV line
// is there too counts once. Every fault is added with file and line; a text in which
// nothing is known is one. What is read in spite of faults is kept.
void import_text(struct import *im, const char *file, const char *text, size_t len);

// The result.json of one campaign; the caller puts it. `run_id` has 8 hex digits.
struct json_object *import_json(const struct import_campaign *c, const char *run_id);
void import_done(struct import *im);
