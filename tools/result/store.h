// SPDX-License-Identifier: GPL-3.0-or-later
// Where results go: a copy in RAM, the stick, and armoured lines on serial, all at once,
// as they happen. One of them failing fails none of the others.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/console.h"
#include "common/err.h"
#include "common/json.h"

struct store;

// A medium that is open only while something is written. `open` mounts it for writing and
// gives its root folder (owned by the medium); `close` syncs and unmounts.
struct store_medium {
	const char *name; // for messages: model and serial
	int (*open)(void *arg, const char **dir, struct err *err);
	int (*close)(void *arg, struct err *err);
	void *arg;
};

struct store_config {
	const char *machine;               // folder name, from machine_id()
	const char *ram_dir;               // "/run/assay/results"
	const struct store_medium *medium; // NULL: no stick
	struct console *serial;            // NULL: no armour
};

// Starts a campaign's store: draws the run id (8 hex digits), creates
// assay/<machine>/<date>-<run id>/ exclusively in RAM. Returns 0 or -errno.
int store_new(const struct store_config *config, struct store **ret, struct err *err);

// Goes on with the store that an earlier process of this boot left when it crashed: the
// same run id and folder, the next sequence number. -ENOENT when there is none.
int store_reopen(const struct store_config *config, struct store **ret, struct err *err);

// Proves the medium before anything destructive: opens it, checks free space (`need`
// bytes), creates the campaign's folder exclusively, writes a probe, syncs, drops the
// cache, reads it back. Nothing to do (0) without a medium.
int store_prove(struct store *s, uint64_t need, struct err *err);

// Appends one record (a line of records.jsonl) everywhere and syncs. Members "run_id",
// "seq", "t" (monotonic seconds) and, last, "crc" (CRC-32 of the line up to the comma
// before it, 8 hex digits; see record.h) are added. Takes over `record`. Returns 0 when
// at least one of the wanted places has it; each failing place is noted once
// (store_problems()).
int store_record(struct store *s, struct json_object *record, struct err *err);

// Writes a whole file ("raw/0003-bonnie.csv") everywhere.
int store_file(struct store *s, const char *path, const void *data, size_t len,
	       struct err *err);

// Copies to the medium whatever it lacks, e.g. after it was pulled and came back; a new
// medium may be given. Returns 0 or -errno.
int store_catch_up(struct store *s, const struct store_medium *medium, struct err *err);

// Has the medium failed, so that store_catch_up() should be tried when it is back?
bool store_lacks_medium(const struct store *s);

// Does a place work that outlives the power, a medium or a serial console? RAM does not.
bool store_lasts(const struct store *s);

const char *store_run_id(const struct store *s);
const char *store_path(const struct store *s);     // "assay/<machine>/<date>-<run id>"
const char *store_ram_path(const struct store *s); // the same below ram_dir

// What went wrong with the places so far, one sentence a line; "" when nothing.
const char *store_problems(const struct store *s);

// Ends the armour on serial and frees the store; files stay.
void store_free(struct store *s);
