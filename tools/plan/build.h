// SPDX-License-Identifier: GPL-3.0-or-later
// The making of a plan from its sections as written. Only for the files of this folder.
#pragma once

#include "common/fault.h"
#include "plan/plan.h"
#include "plan/raw.h"

struct build {
	struct plan *plan;
	const struct raw_plan *raw;
	struct fault_list *faults;
};

// One key that a section may have. The row carries the default, the words a person may
// choose from, and the function that puts the value into `to` (the plan or the arm).
struct plan_key {
	const char *key;      // NULL ends a table
	const char *fallback; // default as text; NULL: none
	const char *help;     // for a person; NULL in tables that nobody prints
	const char *const *choices;
	void (*set)(const struct build *b, void *to, const struct raw_entry *e);
	// The value as it was understood, allocated; NULL: as it was written.
	char *(*text)(const void *to);
};

// Takes every key of the table from the section (NULL: all defaults), records where each
// value came from, and adds a fault for each key that the table does not know.
void build_keys(const struct build *b, const struct raw_section *section,
		const char *title, const struct plan_key *keys, void *to);

// A fault at the place where `e` was said; its text starts with the key.
void build_fault(const struct build *b, const struct raw_entry *e, const char *fmt, ...)
	_printf_(3, 4);

// Records an effective value; `e` NULL: it is a default.
void build_origin(const struct build *b, const char *section, const char *key,
		  const char *value, const struct raw_entry *e);

// Is the value written "NUMBER*scale"?
bool scale_has(const char *value);

// Such a value times `scale`, as a plan would write it: sizes in bytes, whole MiB from
// one MiB on; counts at least 1; durations in ms. NULL when NUMBER is none of these. The
// caller frees.
char *scale_apply(const char *value, double scale);

// The key `scale` of [plan].
void build_set_scale(const struct build *b, void *to, const struct raw_entry *e);

// Puts in `*value` what it comes to in this plan; a fault when it is no number.
void build_scale(const struct build *b, const struct raw_entry *e, char **value);

// The parts of a plan, each in its own file.
void build_target(const struct build *b);
void build_arms(const struct build *b);
void build_tests(const struct build *b);
void build_accepts(const struct build *b);

// What the keys of the design mean for the arms: adds the null arm. After build_arms().
void build_design(const struct build *b);

// Is it a path below the root of the assay stick, where files are looked for and nowhere
// else? And what to say when it is not.
bool build_below_stick(const char *path);
#define BUILD_BELOW_STICK                                                   \
	"\"%s\" must be a path below the root of the assay stick, without " \
	"/ in front and without .."

// The design of the experiment (build-design.c), in the order of the table in build.c.
void build_set_blocks(const struct build *b, void *to, const struct raw_entry *e);
void build_set_blocks_min(const struct build *b, void *to, const struct raw_entry *e);
void build_set_precision(const struct build *b, void *to, const struct raw_entry *e);
void build_set_margin(const struct build *b, void *to, const struct raw_entry *e);
void build_set_repeats(const struct build *b, void *to, const struct raw_entry *e);
void build_set_null(const struct build *b, void *to, const struct raw_entry *e);
void build_set_warm_up(const struct build *b, void *to, const struct raw_entry *e);
void build_set_baseline(const struct build *b, void *to, const struct raw_entry *e);
void build_set_precondition(const struct build *b, void *to, const struct raw_entry *e);

// The words of the enums in their order, NULL-terminated.
extern const char *const plan_ending_words[];
extern const char *const plan_again_words[];
extern const char *const plan_results_words[];
