// SPDX-License-Identifier: GPL-3.0-or-later
// Helps a person who mistyped: the nearest known word, and lists of words as text.
#pragma once

#include "common/strbuf.h"

// The word of the NULL-terminated list that `word` was probably meant to be, or NULL when
// none is near. Case counts for nothing, neighbouring letters swapped count as one slip.
const char *nearest_word(const char *word, const char *const *words);

// Appends `; did you mean "disk"?`, or `; known are a, b and c` when none is near, or
// nothing when the list is empty.
void nearest_hint(struct strbuf *to, const char *word, const char *const *words);

// Appends "a, b or c" with that last joint ("or", "and").
void nearest_list(struct strbuf *to, const char *const *words, const char *joint);
