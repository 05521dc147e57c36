// SPDX-License-Identifier: GPL-3.0-or-later
// What `smartctl --json` tells of a disk, ATA, SCSI and NVMe alike.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/json.h"
#include "common/strbuf.h"

#define SMART_VALUES 24

struct smart_value {
	const char *name; // "pending", "media_errors"
	const char *unit; // SI, "" for a count
	bool spoils; // a count of errors: grown in a test, it spoils what was measured
	double value;
};

enum smart_health { SMART_UNKNOWN, SMART_GOOD, SMART_FAILING };

struct smart_reading {
	bool supported; // there was any health data at all
	enum smart_health health;
	const char *protocol; // "ATA", "SCSI", "NVMe"; belongs to the document
	struct smart_value values[SMART_VALUES];
	size_t n;
};

// Bits of smartctl's exit status (smartctl(8), EXIT STATUS); with bits 2 to 7 the
// document is whole all the same.
enum smart_exit {
	SMART_EXIT_USAGE = 1 << 0,     // command line
	SMART_EXIT_OPEN = 1 << 1,      // the device did not open or identify itself
	SMART_EXIT_COMMAND = 1 << 2,   // a command to the disk failed
	SMART_EXIT_FAILING = 1 << 3,   // the disk says that it is failing
	SMART_EXIT_PREFAIL = 1 << 4,   // attributes below their threshold now
	SMART_EXIT_PAST = 1 << 5,      // ... at some time in the past
	SMART_EXIT_ERROR_LOG = 1 << 6, // the error log holds errors
	SMART_EXIT_SELFTEST = 1 << 7,  // the self-test log holds errors
};

// Reads it; whatever is not there adds nothing.
void smart_json_read(const struct json_object *doc, struct smart_reading *ret);

// smartctl's own messages, joined by "; ".
void smart_json_messages(const struct json_object *doc, struct strbuf *to);

const struct smart_value *smart_value(const struct smart_reading *r, const char *name);

// A sentence for each count of errors that has grown since `before`, and how many have.
size_t smart_grown(const struct smart_reading *before, const struct smart_reading *now,
		   struct strbuf *to);

enum smart_selftest { SELFTEST_NONE, SELFTEST_RUNNING, SELFTEST_PASSED, SELFTEST_FAILED };

// How the self-test goes that was begun last; `remaining` in %, `text` the disk's words
// (belongs to the document; may be NULL).
enum smart_selftest smart_json_selftest(const struct json_object *doc,
					unsigned *remaining, const char **text);
