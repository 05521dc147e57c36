// SPDX-License-Identifier: GPL-3.0-or-later
// Unified kernel images: kernel, initrd and command line as sections of one PE file.
#pragma once

#include <stdint.h>

#include "kexec/entry.h"

enum uki_part { UKI_LINUX, UKI_INITRD, UKI_UCODE, UKI_CMDLINE, UKI_OSREL, UKI_UNAME };
#define UKI_PARTS 6

struct uki {
	struct {
		uint64_t offset, size; // within the file; size 0: there is none
	} part[UKI_PARTS];
};

// Finds the sections in the first bytes of a file of `file_size` bytes. Returns 0, or
// -EBADMSG when it is no PE file, has no kernel, or a section lies outside the file.
// Format: Microsoft's "PE Format", UAPI.5. Of several profiles the first is taken.
int uki_parse(const void *data, size_t len, uint64_t file_size, struct uki *ret);

#define UKI_HEAD ((size_t)64 << 10) // bytes that hold every section header

// The same for a file of a tree.
int uki_read(const struct tree *t, const char *path, struct uki *ret, struct err *err);
bool uki_is(const struct tree *t, const char *path);

// Text of a section (UKI_CMDLINE, UKI_OSREL, UKI_UNAME) without trailing NULs and
// newlines; NULL when there is none. The caller frees.
char *uki_text(const struct tree *t, const char *path, const struct uki *u,
	       enum uki_part part);

// The value of a key in an os-release text, unquoted; NULL without. The caller frees.
char *uki_osrel(const char *text, const char *key);

// Appends an entry for each unified image in the folder, newest first. Title and command
// line come from the image. A folder that is not there is empty.
void uki_load_dir(const struct tree_list *trees, size_t tree, const char *dir,
		  struct entry_list *to);

// Fills title, version and options of an ENTRY_UKI from its image.
void uki_describe(const struct tree_list *trees, struct entry *e);
