// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel command line as key/value pairs. As in the kernel's lib/cmdline.c a double
// quote groups blanks and is removed at the ends of a value or of the whole word.
#include <ctype.h>
#include <string.h>

#include "common/cmdline.h"
#include "common/io.h"
#include "common/mem.h"

static char *unquoted(const char *s, size_t len)
{
	if (len >= 1 && s[0] == '"') {
		s++;
		len--;
		if (len >= 1 && s[len - 1] == '"')
			len--;
	}
	return mem_strndup(s, len);
}

static void add_word(struct cmdline *c, const char *word, size_t len)
{
	struct cmdline_item *item;
	const char *equals;

	if (len >= 1 && word[0] == '"') { // "key=a b" quoted as a whole
		word++;
		len--;
		if (len >= 1 && word[len - 1] == '"')
			len--;
	}
	c->items = mem_grow(c->items, c->n + 1, sizeof(*c->items));
	item = &c->items[c->n++];
	equals = memchr(word, '=', len);
	if (equals) {
		item->key = mem_strndup(word, (size_t)(equals - word));
		item->value = unquoted(equals + 1, len - (size_t)(equals - word) - 1);
	} else {
		item->key = mem_strndup(word, len);
		item->value = NULL;
	}
}

void cmdline_parse(struct cmdline *c, const char *text)
{
	*c = (struct cmdline){ 0 };
	while (*text) {
		const char *start;
		bool quoted = false;

		while (isspace((unsigned char)*text))
			text++;
		start = text;
		for (; *text && (quoted || !isspace((unsigned char)*text)); text++)
			if (*text == '"')
				quoted = !quoted;
		if (text > start)
			add_word(c, start, (size_t)(text - start));
	}
}

int cmdline_load(struct cmdline *c, const char *path)
{
	_cleanup_strbuf_ struct strbuf b = { 0 };
	int r = io_read_file(path, &b, 64 * 1024);

	*c = (struct cmdline){ 0 };
	if (r == 0)
		cmdline_parse(c, strbuf_str(&b));
	return r;
}

const char *cmdline_get(const struct cmdline *c, const char *key)
{
	for (size_t i = c->n; i > 0; i--)
		if (strcmp(c->items[i - 1].key, key) == 0)
			return c->items[i - 1].value ? c->items[i - 1].value : "";
	return NULL;
}

void cmdline_add(struct cmdline *c, const char *key, const char *value)
{
	c->items = mem_grow(c->items, c->n + 1, sizeof(*c->items));
	c->items[c->n++] = (struct cmdline_item){ mem_strdup(key), mem_strdup(value) };
}

bool cmdline_is_secret(const char *key)
{
	static const char *const words[] = { "pass", "secret", "psk", "token" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strcasestr(key, words[i]))
			return true;
	return false;
}

void cmdline_mask(char *text)
{
	for (char *equals = strchr(text, '='); equals; equals = strchr(equals + 1, '=')) {
		_cleanup_free_ char *key = NULL;
		char *start = equals, *end = equals + 1;

		while (start > text && !strchr(" \t\n\"';", start[-1]))
			start--;
		key = mem_strndup(start, (size_t)(equals - start));
		if (!cmdline_is_secret(key))
			continue;
		if (*end == '"') // to the closing quote
			for (*end++ = '*'; *end && *end != '"' && *end != '\n';)
				*end++ = '*';
		while (*end && !strchr(" \t\n", *end))
			*end++ = '*';
	}
}

void cmdline_done(struct cmdline *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->items[i].key);
		free(c->items[i].value);
	}
	free(c->items);
	*c = (struct cmdline){ 0 };
}
