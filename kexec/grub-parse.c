// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the syntax tree of a GRUB script: recursive descent with one token of lookahead.
#include <string.h>

#include "common/mem.h"
#include "kexec/grub-script.h"

// grub-mkconfig nests four deep; the limit keeps a hostile file from our stack.
#define DEPTH_MAX 48

struct parser {
	struct grub_lexer lexer;
	enum grub_token token; // the one that is looked at
	struct grub_word word; // of a GRUB_WORD
	int line;              // where it began
	unsigned depth;
	struct err *err;
};

static struct grub_node *parse_list(struct parser *p, const char *const *ends);

static void advance(struct parser *p)
{
	grub_word_done(&p->word);
	p->line = p->lexer.line;
	p->token = grub_next(&p->lexer, &p->word, p->err);
}

static bool at_word(const struct parser *p, const char *keyword)
{
	return p->token == GRUB_WORD && grub_word_is(&p->word, keyword);
}

static bool failed(const struct parser *p)
{
	return p->err->code < 0;
}

static void fail(struct parser *p, const char *wanted)
{
	if (!failed(p))
		err_set(p->err, -EBADMSG, "line %d: %s is expected here", p->line,
			wanted);
}

static void expect(struct parser *p, const char *keyword)
{
	if (at_word(p, keyword))
		advance(p);
	else
		fail(p, keyword);
}

static void skip_ends(struct parser *p)
{
	while (p->token == GRUB_END)
		advance(p);
}

static struct grub_node *node(const struct parser *p, enum grub_kind kind)
{
	struct grub_node *n = mem_new(1, sizeof(*n));

	n->kind = kind;
	n->line = p->line;
	return n;
}

static void take_word(struct parser *p, struct grub_node *n)
{
	n->words = mem_grow(n->words, n->n_words + 1, sizeof(*n->words));
	n->words[n->n_words++] = p->word;
	p->word = (struct grub_word){ 0 };
	advance(p);
}

// A bare word such as a function's or a loop variable's name.
static char *take_name(struct parser *p)
{
	char *name;

	if (p->token != GRUB_WORD || p->word.n != 1 || p->word.parts[0].var) {
		fail(p, "a name");
		return NULL;
	}
	name = mem_strdup(strbuf_str(&p->word.parts[0].text));
	advance(p);
	return name;
}

static struct grub_node *parse_block(struct parser *p)
{
	static const char *const ends[] = { "}", NULL };
	struct grub_node *body;

	expect(p, "{");
	body = parse_list(p, ends);
	expect(p, "}");
	return body;
}

// After `if` or `elif`.
static struct grub_node *parse_if(struct parser *p)
{
	static const char *const then[] = { "then", NULL };
	static const char *const ends[] = { "elif", "else", "fi", NULL };
	static const char *const fi[] = { "fi", NULL };
	struct grub_node *n = node(p, GRUB_IF);

	advance(p);
	n->cond = parse_list(p, then);
	expect(p, "then");
	n->body = parse_list(p, ends);
	if (at_word(p, "elif")) {
		if (++p->depth > DEPTH_MAX)
			fail(p, "less nesting");
		else
			n->otherwise = parse_if(p); // takes the one `fi` of all
		p->depth--;
		return n;
	}
	if (at_word(p, "else")) {
		advance(p);
		n->otherwise = parse_list(p, fi);
	}
	expect(p, "fi");
	return n;
}

static void parse_do(struct parser *p, struct grub_node *n)
{
	static const char *const done[] = { "done", NULL };

	expect(p, "do");
	n->body = parse_list(p, done);
	expect(p, "done");
}

static struct grub_node *parse_while(struct parser *p, enum grub_kind kind)
{
	static const char *const ends[] = { "do", NULL };
	struct grub_node *n = node(p, kind);

	advance(p);
	n->cond = parse_list(p, ends);
	parse_do(p, n);
	return n;
}

static struct grub_node *parse_for(struct parser *p)
{
	struct grub_node *n = node(p, GRUB_FOR);

	advance(p);
	n->name = take_name(p);
	expect(p, "in");
	while (p->token == GRUB_WORD && !failed(p))
		take_word(p, n);
	skip_ends(p);
	parse_do(p, n);
	return n;
}

static struct grub_node *parse_function(struct parser *p)
{
	struct grub_node *n = node(p, GRUB_FUNCTION);

	advance(p);
	n->name = take_name(p);
	skip_ends(p);
	n->body = parse_block(p);
	n->has_body = true;
	return n;
}

// A word that only ends or continues what was never begun.
static bool at_stray(const struct parser *p)
{
	static const char *const words[] = { "}",  "then", "elif", "else",
					     "fi", "do",   "done" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (at_word(p, words[i]))
			return true;
	return false;
}

static struct grub_node *parse_simple(struct parser *p)
{
	struct grub_node *n = node(p, GRUB_COMMAND);

	if (at_stray(p))
		fail(p, "a command");
	if (at_word(p, "!")) {
		n->negated = true;
		advance(p);
	}
	while (p->token == GRUB_WORD && !at_word(p, "{") && !failed(p))
		take_word(p, n);
	if (at_word(p, "{")) {
		n->body = parse_block(p);
		n->has_body = true;
	}
	if (n->n_words == 0)
		fail(p, "a command");
	return n;
}

static struct grub_node *parse_command(struct parser *p)
{
	struct grub_node *n;

	if (++p->depth > DEPTH_MAX) {
		fail(p, "less nesting");
		p->depth--;
		return NULL;
	}
	if (at_word(p, "if"))
		n = parse_if(p);
	else if (at_word(p, "while"))
		n = parse_while(p, GRUB_WHILE);
	else if (at_word(p, "until"))
		n = parse_while(p, GRUB_UNTIL);
	else if (at_word(p, "for"))
		n = parse_for(p);
	else if (at_word(p, "function"))
		n = parse_function(p);
	else
		n = parse_simple(p);
	p->depth--;
	return n;
}

// Commands up to one of the words that end this list, which is left to the caller.
static struct grub_node *parse_list(struct parser *p, const char *const *ends)
{
	struct grub_node *first = NULL, **last = &first;

	for (;;) {
		skip_ends(p);
		if (failed(p) || p->token != GRUB_WORD)
			return first;
		for (size_t i = 0; ends[i]; i++)
			if (at_word(p, ends[i]))
				return first;
		*last = parse_command(p);
		if (*last)
			last = &(*last)->next;
	}
}

struct grub_node *grub_parse(const char *text, struct err *err)
{
	static const char *const no_ends[] = { NULL };
	struct err own = { 0 };
	struct parser p = { .lexer = { .at = text, .line = 1 }, .err = &own };
	struct grub_node *all;

	advance(&p);
	all = parse_list(&p, no_ends);
	grub_word_done(&p.word);
	if (own.code < 0) {
		grub_node_free(all);
		all = NULL;
	}
	if (err)
		*err = own;
	return all;
}

void grub_node_free(struct grub_node *n)
{
	while (n) {
		struct grub_node *next = n->next;

		for (size_t i = 0; i < n->n_words; i++)
			grub_word_done(&n->words[i]);
		free(n->words);
		free(n->name);
		grub_node_free(n->cond);
		grub_node_free(n->body);
		grub_node_free(n->otherwise);
		free(n);
		n = next;
	}
}
