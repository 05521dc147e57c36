// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel command line, word by word, edited without touching the rest of it.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/cmdline.h"
#include "common/strbuf.h"

// The next word from *at: blanks within double quotes belong to it, as the kernel has it.
// Moves *at behind it and gives its length; 0 at the end.
size_t options_next(const char **at, const char **word);

// Is there a word `key` or "key=..."?
bool options_has(const char *options, const char *key);

// Without every such word. The caller frees.
char *options_without(const char *options, const char *key);

// With the words of `more` behind it. The caller frees.
char *options_with(const char *options, const char *more);

// What the next kernel must be told so that it can be seen: the console= words of our own
// command line where it has none of its own. Without what never helps it: retain_initrd
// (it would keep our keys readable at /sys/firmware/initrd), BOOT_IMAGE=, and initrd=.
// The caller frees.
char *options_for_kexec(const char *options, const struct cmdline *ours);
