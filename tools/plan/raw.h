// SPDX-License-Identifier: GPL-3.0-or-later
// A plan as it was written: sections and keys with their lines, not yet understood. Only
// for the files of this folder.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/cmdline.h"
#include "common/fault.h"

#define RAW_FILE_MAX   (64 * 1024) // bytes of a plan
#define RAW_LINE_MAX   4096        // bytes of a line
#define RAW_NAME_MAX   32          // names become folders, volumes and devices
#define RAW_ARMS_MAX   64
#define RAW_TESTS_MAX  64
#define RAW_KEYS_MAX   256 // of one section
#define RAW_FAULTS_MAX 100 // of the writing: then it is no plan
#define RAW_CMDLINE    "kernel command line"

#define RAW_NAME_RULE                                                                 \
	"a name has 1 to 32 of the letters a-z and A-Z, digits, - and _, and starts " \
	"with "                                                                       \
	"a letter or digit"

struct raw_entry {
	char *key;
	char *value;         // NULL for a bare word
	int line;            // in the file
	const char *cmdline; // the whole key, where the kernel command line said it
};

struct raw_section {
	const char *kind; // "plan", "target", "arm", "test", "accept"
	char *name;       // of an arm or a test, else NULL
	int line;         // 0 where only the command line has it
	bool ignored;     // a fault was reported: its keys are of no interest
	struct raw_entry *entries;
	size_t n;
};

struct raw_plan {
	const char *file;
	struct raw_section *sections;
	size_t n;
};

// Reads the text into sections; every fault of the writing itself is added.
void raw_parse(struct raw_plan *raw, const char *file, const char *text,
	       struct fault_list *faults);

// Puts "assay.SECTION.KEY=VALUE" of the kernel command line over what the file said.
void raw_override(struct raw_plan *raw, const struct cmdline *overrides,
		  struct fault_list *faults);

// The section of that kind (and name, where not NULL), or NULL.
struct raw_section *raw_find(const struct raw_plan *raw, const char *kind,
			     const char *name);
struct raw_section *raw_add_section(struct raw_plan *raw, const char *kind,
				    const char *name, int line);
struct raw_entry *raw_find_entry(const struct raw_section *section, const char *key);
void raw_add_entry(struct raw_section *section, const struct raw_entry *copy_of);

// The kinds of section, NULL-terminated, and whether one has a name.
extern const char *const raw_kinds[];
bool raw_kind_named(const char *kind);

bool raw_name_valid(const char *name);

// The first byte that is no printable UTF-8 text (tabs and line ends are), or NULL. A
// byte order mark counts as text.
const char *raw_bad_byte(const char *text);

// Would this key hold a passphrase, a password or (on the command line) a key?
bool raw_key_secret(const char *key, bool cmdline);

void raw_done(struct raw_plan *raw);
