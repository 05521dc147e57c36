// SPDX-License-Identifier: GPL-3.0-or-later
// The three places of a store, for the files of this module only.
#pragma once

#include "common/strbuf.h"
#include "result/store.h"

#define STORE_RECORDS "records.jsonl"

// The armour on serial: file 0 is the directory, file 1 is records.jsonl.
struct store_serial {
	struct console *console; // NULL: none
	bool failed, ended;
	unsigned dir_line, n_files;
	unsigned record_line;
	uint64_t record_bytes;
	uint32_t record_crc;
};

struct store {
	char *machine, *ram_dir, *path, *ram_path;
	char run_id[9];
	uint64_t seq;
	bool ram_failed;
	struct store_medium medium; // all zero: none
	bool medium_made;           // the campaign's folder is on it
	bool medium_failed;         // not tried again until store_catch_up()
	struct store_serial serial;
	struct strbuf problems;
};

// Notes once that a place fails; `failed` is its flag.
void store_problem(struct store *s, bool *failed, const char *fmt, ...) _printf_(3, 4);

// What store_reopen() needs, kept in RAM; forgotten by store_free().
void state_save(const struct store *s);
void state_forget(const struct store *s);

// In a folder: append and sync; or replace whole. 0 or -errno.
int place_append(const char *dir, const char *path, const void *data, size_t len);
int place_file(const char *dir, const char *path, const void *data, size_t len);

// Creates `dir` + "/" + `*path` exclusively, with "-2", "-3", ... where it exists; the
// folders above as needed. `*path` is replaced by the name it got.
int place_make(const char *dir, char **path);

// Copies every file below `from` that `to` lacks or has otherwise.
int place_copy(const char *from, const char *to);

// The medium's folder for this campaign, opened and made where needed; the caller frees
// `*dir` and calls medium_close() when it got 0.
int medium_open(struct store *s, char **dir, struct err *err);
int medium_close(struct store *s, int r, struct err *err);

// On serial.
void serial_record(struct store *s, const char *line, size_t len);
void serial_file(struct store *s, const char *path, const void *data, size_t len);
void serial_end(struct store *s);
