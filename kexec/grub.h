// SPDX-License-Identifier: GPL-3.0-or-later
// A GRUB configuration: runs the script as GRUB would, without a screen, and notes what
// its menu offers. Nothing is written: save_env is a word here.
#pragma once

#include "kexec/entry.h"

// Runs `path` of tree `home` and appends its menu to `to`; the default entry becomes
// to->chosen when the list has none yet. Returns 0, or -errno with "file:line: why".
// What was found before a fault stays in the list.
int grub_load(const struct tree_list *trees, size_t home, const char *path,
	      struct entry_list *to, struct err *err);

// A grubenv block ("saved_entry=..."): calls `each` for every variable. Returns 0, or
// -EBADMSG when it is none. Format: 1024 bytes, "name=value" lines, '#' to the end.
int grub_env_parse(const char *text, size_t len,
		   void (*each)(const char *name, const char *value, void *arg),
		   void *arg);
