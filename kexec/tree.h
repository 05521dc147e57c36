// SPDX-License-Identifier: GPL-3.0-or-later
// Filesystems whose files a boot loader may name. Nothing outside a tree can be reached
// from it: links are resolved below its root, as the installed system would.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/strbuf.h"

// The longest file that holds configuration.
#define TREE_TEXT_MAX ((size_t)1 << 20)

// One filesystem. All but `root` may be NULL.
struct tree {
	char *device; // "/dev/mapper/vg-root"
	char *uuid;   // of the filesystem
	char *label;
	int root; // descriptor of its root folder, owned
};

struct tree_list {
	struct tree *items;
	size_t n;
};

// Adds a filesystem; the list owns `root` from now on.
void tree_add(struct tree_list *list, int root, const char *device, const char *uuid,
	      const char *label);
void tree_list_done(struct tree_list *list);
#define _cleanup_trees_ _cleanup_(tree_list_done)

// Opens a regular file to read. Returns the descriptor, -EISDIR, or another -errno.
int tree_open(const struct tree *t, const char *path);

// Appends a whole file of at most `max` bytes to `to`. Returns 0, -EFBIG or -errno.
int tree_read(const struct tree *t, const char *path, struct strbuf *to, size_t max);

bool tree_is_file(const struct tree *t, const char *path);
bool tree_is_dir(const struct tree *t, const char *path);

// Size in bytes of a regular file; -errno when there is none.
int64_t tree_size(const struct tree *t, const char *path);

// Names in a folder in byte order, NULL-terminated; NULL when it cannot be read. Free
// with tree_names_free().
char **tree_names(const struct tree *t, const char *dir);
void tree_names_free(char **names);

// "/a" and "b/c" joined with exactly one slash. The caller frees.
char *tree_join(const char *dir, const char *name);
