// SPDX-License-Identifier: GPL-3.0-or-later
// Takes a GRUB script apart into words, with their quoting and variables kept.
#include <ctype.h>
#include <string.h>

#include "common/mem.h"
#include "kexec/grub-script.h"

static void add_part(struct grub_word *w, const char *text, size_t len, bool var,
		     bool quoted)
{
	struct grub_part *last = w->n ? &w->parts[w->n - 1] : NULL;

	if (!last || var || last->var || last->quoted != quoted) {
		w->parts = mem_grow(w->parts, w->n + 1, sizeof(*w->parts));
		last = &w->parts[w->n++];
		*last = (struct grub_part){ .var = var, .quoted = quoted };
	}
	strbuf_add(&last->text, text, len);
}

void grub_word_done(struct grub_word *w)
{
	for (size_t i = 0; i < w->n; i++)
		strbuf_done(&w->parts[i].text);
	free(w->parts);
	*w = (struct grub_word){ 0 };
}

bool grub_word_is(const struct grub_word *w, const char *keyword)
{
	return w->n == 1 && !w->parts[0].var && !w->parts[0].quoted &&
	       strcmp(strbuf_str(&w->parts[0].text), keyword) == 0;
}

// Length of the variable name after '$' at `s`; with braces they are not counted.
static size_t name_length(const char *s)
{
	size_t n = 0;

	if (*s && strchr("?#*@", *s))
		return 1;
	if (isdigit((unsigned char)*s)) {
		while (isdigit((unsigned char)s[n]))
			n++;
		return n;
	}
	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n;
}

// "$name" or "${name}" at l->at; a '$' before anything else stands for itself.
static void take_variable(struct grub_lexer *l, struct grub_word *w, bool quoted)
{
	bool brace = l->at[1] == '{';
	const char *name = l->at + 1 + brace;
	size_t len = name_length(name);

	if (len == 0 || (brace && name[len] != '}')) {
		add_part(w, l->at, 1, false, quoted);
		l->at++;
		return;
	}
	add_part(w, name, len, true, quoted);
	l->at = name + len + brace;
}

static int unterminated(int line, char quote, struct err *err)
{
	return err_set(err, -EBADMSG, "line %d: a quote (%c) is not closed", line, quote);
}

static int take_single(struct grub_lexer *l, struct grub_word *w, struct err *err)
{
	const char *from = ++l->at;
	int line = l->line;

	for (; *l->at && *l->at != '\''; l->at++)
		l->line += *l->at == '\n';
	if (!*l->at)
		return unterminated(line, '\'', err);
	add_part(w, from, (size_t)(l->at++ - from), false, true);
	return 0;
}

static int take_double(struct grub_lexer *l, struct grub_word *w, struct err *err)
{
	int line = l->line;

	add_part(w, ++l->at, 0, false, true); // "" is a word, too
	while (*l->at && *l->at != '"') {
		size_t len = strcspn(l->at, "\\\"$");

		for (size_t i = 0; i < len; i++)
			l->line += l->at[i] == '\n';
		add_part(w, l->at, len, false, true);
		l->at += len;
		if (!*l->at || *l->at == '"')
			break;
		if (*l->at == '$') {
			take_variable(l, w, true);
			continue;
		}
		if (*l->at == '\\' && l->at[1] == '\n') {
			l->line++;
			l->at += 2;
			continue;
		}
		if (*l->at == '\\' && l->at[1] && strchr("\\\"$", l->at[1]))
			l->at++;
		add_part(w, l->at++, 1, false, true);
	}
	if (!*l->at)
		return unterminated(line, '"', err);
	l->at++;
	return 0;
}

// Blanks, comments and continued lines between words.
static void skip(struct grub_lexer *l)
{
	for (;;) {
		if (*l->at == ' ' || *l->at == '\t' || *l->at == '\r')
			l->at++;
		else if (l->at[0] == '\\' && l->at[1] == '\n')
			l->at += 2, l->line++;
		else if (*l->at == '#')
			l->at += strcspn(l->at, "\n");
		else
			return;
	}
}

static int take_part(struct grub_lexer *l, struct grub_word *w, struct err *err)
{
	size_t len;

	switch (*l->at) {
	case '\'':
		return take_single(l, w, err);
	case '"':
		return take_double(l, w, err);
	case '$':
		if (l->at[1] == '"' || l->at[1] == '\'') { // text to be translated
			l->at++;
			return 0;
		}
		take_variable(l, w, false);
		return 0;
	case '\\':
		l->at++;
		if (*l->at == '\n')
			l->line++;
		else if (*l->at)
			add_part(w, l->at, 1, false, true);
		l->at += *l->at != '\0';
		return 0;
	default:
		len = strcspn(l->at, " \t\r\n;&|<>'\"$\\");
		add_part(w, l->at, len, false, false);
		l->at += len;
		return 0;
	}
}

enum grub_token grub_next(struct grub_lexer *l, struct grub_word *word, struct err *err)
{
	*word = (struct grub_word){ 0 };
	skip(l);
	if (!*l->at)
		return GRUB_EOF;
	if (*l->at == '\n' || *l->at == ';') {
		l->line += *l->at++ == '\n';
		return GRUB_END;
	}
	if (strchr("&|<>", *l->at)) {
		err_set(err, -EBADMSG, "line %d: '%c' means nothing in a GRUB script",
			l->line, *l->at);
		return GRUB_BAD;
	}
	while (*l->at && !strchr(" \t\r\n;&|<>", *l->at)) {
		if (take_part(l, word, err) < 0) {
			grub_word_done(word);
			return GRUB_BAD;
		}
	}
	return GRUB_WORD;
}
