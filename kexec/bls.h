// SPDX-License-Identifier: GPL-3.0-or-later
// Entries of the Boot Loader Specification (UAPI.1) and systemd-boot's loader.conf.
#pragma once

#include "kexec/entry.h"

struct bls_source {
	const struct tree_list *trees;
	size_t tree;
	const char *dir; // "/loader/entries"
	// GRUB's blscfg expands $variables in a value; NULL: they stand for themselves.
	char *(*expand)(const char *name, void *arg); // the caller frees
	void *arg;
};

// Appends the entries of the folder's *.conf files in menu order: by sort-key, then
// newest first; those whose boot counter has run out last. 0 or -errno.
int bls_load(const struct bls_source *source, struct entry_list *to, struct err *err);

// Reads loader.conf and, when the list has no default yet, chooses what it says, else the
// first of the entries from `first` on.
void bls_choose(const struct tree *tree, const char *path, struct entry_list *list,
		size_t first);
