// SPDX-License-Identifier: GPL-3.0-or-later
// Expands the words of a GRUB command: variables, and the splitting of unquoted ones.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "kexec/grub-private.h"

struct expansion {
	const struct grub *g;
	struct grub_args *to;
	struct strbuf word; // being made
	bool has_word;      // even if it is empty: "" is an argument
	size_t bytes;       // of all arguments so far
};

void grub_args_add(struct grub_args *a, const char *text)
{
	a->argv = mem_grow(a->argv, a->argc + 2, sizeof(*a->argv));
	a->argv[a->argc++] = mem_strdup(text);
	a->argv[a->argc] = NULL;
}

void grub_args_done(struct grub_args *a)
{
	for (size_t i = 0; i < a->argc; i++)
		free(a->argv[i]);
	free(a->argv);
	*a = (struct grub_args){ 0 };
}

static void end_word(struct expansion *x)
{
	if (x->has_word)
		grub_args_add(x->to, strbuf_str(&x->word));
	strbuf_done(&x->word);
	x->has_word = false;
}

static void add_text(struct expansion *x, const char *text, size_t len)
{
	x->bytes += len;
	if (x->bytes <= GRUB_TEXT_MAX)
		strbuf_add(&x->word, text, len);
	x->has_word = true;
}

// An unquoted value ends and begins words at its blanks.
static void add_split(struct expansion *x, const char *value)
{
	while (*value) {
		size_t blanks = strspn(value, " \t\n"), len;

		if (blanks)
			end_word(x);
		value += blanks;
		len = strcspn(value, " \t\n");
		if (len)
			add_text(x, value, len);
		value += len;
	}
}

static void add_all_params(struct expansion *x, bool quoted, bool joined)
{
	const struct grub_args *params = &x->g->params;

	for (size_t i = 1; i < params->argc; i++) {
		const char *value = params->argv[i];

		if (i > 1 && quoted && joined)
			add_text(x, " ", 1);
		else if (i > 1)
			end_word(x);
		if (quoted)
			add_text(x, value, strlen(value));
		else
			add_split(x, value);
	}
}

static void add_var(struct expansion *x, const struct grub_part *part)
{
	const struct grub *g = x->g;
	const char *name = strbuf_str(&part->text), *value;
	char number[24];
	uint64_t index;

	if (strcmp(name, "@") == 0 || strcmp(name, "*") == 0) {
		add_all_params(x, part->quoted, *name == '*');
		return;
	}
	if (strcmp(name, "#") == 0 || strcmp(name, "?") == 0) {
		size_t n = g->params.argc ? g->params.argc - 1 : 0;

		snprintf(number, sizeof(number), "%zu",
			 *name == '#' ? n : (size_t)g->status);
		value = number;
	} else if (isdigit((unsigned char)*name)) {
		value = number_uint(name, &index) == 0 && index < g->params.argc
				? g->params.argv[index]
				: "";
	} else {
		value = grub_get(g, name);
	}
	if (part->quoted)
		add_text(x, value, strlen(value));
	else
		add_split(x, value);
}

int grub_expand(const struct grub *g, const struct grub_node *n, struct grub_args *ret)
{
	struct expansion x = { .g = g, .to = ret };

	*ret = (struct grub_args){ 0 };
	for (size_t i = 0; i < n->n_words; i++) {
		const struct grub_word *w = &n->words[i];

		x.has_word = w->n == 0;
		for (size_t p = 0; p < w->n; p++) {
			if (w->parts[p].var)
				add_var(&x, &w->parts[p]);
			else
				add_text(&x, strbuf_str(&w->parts[p].text),
					 w->parts[p].text.len);
		}
		end_word(&x);
		if (x.bytes > GRUB_TEXT_MAX || ret->argc > GRUB_ARGS_MAX)
			return -E2BIG;
	}
	return 0;
}
