// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the files of the import only.
#pragma once

#include "suite/import.h"

// What a reader found: one run of one test.
struct import_run {
	const char *machine, *arm; // NULL: as the options say
	const char *test, *engine;
	int line;
	struct metric_list metrics;
	struct json_object *detail; // may be NULL
};

// One text while it is read.
struct import_file {
	struct import *im;
	const char *name, *text;
	size_t len;
	size_t found; // results so far
};

struct import_campaign *import_campaign(struct import *im, const char *machine);

// The arm of that name in the campaign, made where there is none.
struct json_object *import_arm(struct import_campaign *c, const char *name);

// Adds the run (whose metrics and detail are taken over) to its campaign.
void import_add(struct import_file *f, struct import_run *run);

// 1-based line of a byte of the text.
int import_line(const struct import_file *f, size_t pos);

// A readers' function adds what it finds and all faults of what only looks like it.
void import_bonnie(struct import_file *f);
void import_hdparm(struct import_file *f);
void import_fio(struct import_file *f);
void import_cryptsetup(struct import_file *f);
void import_published(struct import_file *f);
