// SPDX-License-Identifier: GPL-3.0-or-later
// What engines need beside test.h: room, notes, and where temporary files go.
#pragma once

#include "suite/test.h"

// Folder in RAM for files that a tool writes for us; tests point it elsewhere.
extern const char *run_tmp_dir;

// Where cgroup v2 is mounted; tests point it elsewhere.
extern const char *run_cgroup_root;

// Adds a sentence to detail.notes: something worth knowing that ends no run.
void run_note(struct run *run, const char *fmt, ...) _printf_(2, 3);

// Adds a sentence that belongs into the report's warnings, not only into this run.
void run_warn(struct run *run, const char *fmt, ...) _printf_(2, 3);

// Adds every member of `from` to detail.
void run_add_detail(struct run *run, struct json_object *from);

// The test may write below this arm: it was formatted by us, or is scratch with a
// filesystem.
bool run_may_write(const struct run *run);

// May the device at the top of the stack be overwritten, for all that the guard knows
// now? If not, ends the run and returns -EBUSY.
int run_may_overwrite(struct run *run, const char *device);

// Removes what a test made, or a killed tool left: it would take room from the next one.
void run_remove_dir(struct run *run, const char *dir);

// Is there room for `need` bytes in the filesystem at `dir`, and a reserve? If not, ends
// the run as failed with both numbers and returns -ENOSPC.
int run_need_space(struct run *run, const char *dir, uint64_t need);

// Limits the memory of the run to the parameter `cap`, else to `fallback` (0: no limit).
// What came of it is recorded in detail.cap.
void run_cap(struct run *run, uint64_t fallback);

// Frees what is in the run.
void run_done(struct run *run);
