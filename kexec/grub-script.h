// SPDX-License-Identifier: GPL-3.0-or-later
// GRUB's scripting language as a syntax tree. Grammar: the GRUB manual, "Writing full
// configuration files", and what grub-mkconfig writes.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/err.h"
#include "common/strbuf.h"

// Words are kept unexpanded: the same text means something else each time it runs.
struct grub_part {
	struct strbuf text; // literal, or the variable's name
	bool var;           // "$text"
	bool quoted;        // not split, and never a keyword
};

struct grub_word {
	struct grub_part *parts; // none: an empty quoted word
	size_t n;
};

enum grub_kind {
	GRUB_COMMAND,  // words, and `body` where a { block } follows
	GRUB_IF,       // cond, body, otherwise
	GRUB_WHILE,    // cond, body
	GRUB_UNTIL,    // cond, body
	GRUB_FOR,      // name, words, body
	GRUB_FUNCTION, // name, body
};

struct grub_node {
	enum grub_kind kind;
	int line;
	bool negated; // "! command"
	char *name;
	struct grub_word *words;
	size_t n_words;
	struct grub_node *cond, *body, *otherwise;
	bool has_body;          // an empty block is a block
	struct grub_node *next; // in the list that it is part of
};

// Parses a whole file. NULL with `err` ("line 12: ...") when it is no GRUB script, or
// one nested too deeply; *empty is told apart by err->code == 0. The caller frees.
struct grub_node *grub_parse(const char *text, struct err *err);
void grub_node_free(struct grub_node *n);

// For the parser alone: takes words from text.
struct grub_lexer {
	const char *at;
	int line;
};

enum grub_token { GRUB_WORD, GRUB_END, GRUB_EOF, GRUB_BAD };

// The next token; `word` is filled for GRUB_WORD and then owned by the caller.
enum grub_token grub_next(struct grub_lexer *l, struct grub_word *word, struct err *err);
void grub_word_done(struct grub_word *w);

// Is it that bare word, unquoted: a keyword or a brace?
bool grub_word_is(const struct grub_word *w, const char *keyword);
