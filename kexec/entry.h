// SPDX-License-Identifier: GPL-3.0-or-later
// What a boot loader's menu offers: one entry is a kernel with its initrds and command
// line, wherever it was found.
#pragma once

#include <stdbool.h>

#include "common/err.h"
#include "common/json.h"
#include "kexec/tree.h"

enum entry_kind {
	ENTRY_LINUX, // kernel, initrds and options
	ENTRY_UKI,   // `kernel` is a unified image that holds all three
	ENTRY_OTHER, // what kexec cannot start; `why` says so
};

struct entry_file {
	size_t tree; // index into the tree_list
	char *path;
};

// Strings are never NULL after entry_add(), save `id`, `version` and `why`.
struct entry {
	enum entry_kind kind;
	char *title; // "Advanced options > Debian 12, with Linux 6.1.0-9"
	char *id;    // as the loader's default names it, "gnulinux-advanced>gnulinux-6.1"
	char *version; // of the kernel, where the loader tells
	char *source;  // "/boot/grub/grub.cfg on /dev/mapper/vg-root"
	struct entry_file kernel;
	struct entry_file *initrds; // in order; microcode first
	size_t n_initrds;
	char *options; // kernel command line
	char *why;     // ENTRY_OTHER: in words
};

struct entry_list {
	struct entry *items; // in menu order
	size_t n;
	size_t chosen; // the loader's default; SIZE_MAX: none
};

#define ENTRY_NONE SIZE_MAX

// The most that is kept: a menu is for a person.
#define ENTRY_MAX 512

// Adds an entry whose strings the list takes over; a NULL title becomes the kernel's
// path. What it gives is valid until the next add. Beyond ENTRY_MAX it is freed and NULL
// returned.
struct entry *entry_add(struct entry_list *list, struct entry *e);
void entry_add_initrd(struct entry *e, size_t tree, const char *path);
void entry_add_option(struct entry *e, const char *text); // after a blank

// Is there an entry that would start the same (kernel, initrds, options), or that was
// read from the same place under the same id?
bool entry_known(const struct entry_list *list, const struct entry *e);

// The entry of that id, title, or number (as printed); ENTRY_NONE when there is none.
size_t entry_find(const struct entry_list *list, const char *name);

// Are all its files there? Returns 0 or -ENOENT with the first that is not.
int entry_check(const struct entry *e, const struct tree_list *trees, struct err *err);

// As a table for a person: number, title, kernel; the default is marked.
void entry_print(const struct entry_list *list, struct strbuf *to);

// All about one: {"title":..,"id":..,"kernel":..,"initrds":[..],"options":..}
struct json_object *entry_json(const struct entry *e, const struct tree_list *trees);

// {"default":index or null,"entries":[..]}
struct json_object *entry_list_json(const struct entry_list *list,
				    const struct tree_list *trees);

void entry_done(struct entry *e);
void entry_list_done(struct entry_list *list);
#define _cleanup_entries_ _cleanup_(entry_list_done)
