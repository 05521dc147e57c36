// SPDX-License-Identifier: GPL-3.0-or-later
// The lists of ciphers and key derivations that a plan gives the engine cryptobench.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/fault.h"
#include "common/strbuf.h"

struct crypto_item {
	char *text;          // as it was written: "aes-xts:512", "pbkdf2-sha256"
	char *metric;        // "aes_xts_512", "pbkdf2_sha256"
	char *cipher, *mode; // "aes" "xts"; or "pbkdf2" "sha256", "argon2id" NULL
	unsigned bits;       // of the key; 0: a key derivation
};

struct crypto_list {
	struct crypto_item *items;
	size_t n;
};

// Appends the words of `text`, ciphers or key derivations; "none" is an empty list. What
// is wrong with a word is appended to `wrong` (may be NULL), one sentence each, and the
// word left out.
void crypto_list_parse(struct crypto_list *list, const char *text, bool ciphers,
		       struct strbuf *wrong);

// Faults in both lists of the test `name`.
void crypto_list_check(const char *ciphers, const char *pbkdfs, const char *name,
		       const char *file, int line, struct fault_list *faults);

void crypto_list_done(struct crypto_list *list);
