// SPDX-License-Identifier: GPL-3.0-or-later
// Words and lines of the text report.
#include <string.h>

#include "report/text-private.h"

void text_title(struct strbuf *to, const char *title)
{
	strbuf_printf(to, "\n%s\n", title);
	for (size_t i = strlen(title); i > 0; i--)
		strbuf_puts(to, "-");
	strbuf_puts(to, "\n");
}

// Where to cut a long word: behind the last "/" or "," of what fits, as stacks have them.
static size_t nice_cut(const char *word, size_t room)
{
	for (size_t n = room; n > room / 2; n--)
		if (word[n - 1] == '/' || word[n - 1] == ',')
			return n;
	return room;
}

void text_wrap(struct strbuf *to, const char *prefix, const char *text)
{
	size_t indent = strlen(prefix), column = indent;
	bool first = true;

	strbuf_puts(to, prefix);
	for (const char *p = text;;) {
		size_t word, room;

		p += strspn(p, " \t\r\n");
		word = strcspn(p, " \t\r\n");
		if (word == 0)
			break;
		if (!first && column + 1 + word > TEXT_COLUMNS && column > indent) {
			strbuf_printf(to, "\n%*s", (int)indent, "");
			column = indent;
		} else if (!first && column > indent) {
			strbuf_puts(to, " ");
			column++;
		}
		first = false;
		room = column < TEXT_COLUMNS ? TEXT_COLUMNS - column : 1;
		if (word > room) { // a word longer than a line is cut in pieces
			word = nice_cut(p, room);
			strbuf_add(to, p, word);
			p += word;
			strbuf_printf(to, "\n%*s", (int)indent, "");
			column = indent;
			continue;
		}
		strbuf_add(to, p, word);
		column += word;
		p += word;
	}
	strbuf_puts(to, "\n");
}

void text_cell(struct strbuf *to, const char *text, size_t width)
{
	size_t len = strlen(text);

	if (len <= width)
		strbuf_printf(to, "%-*s", (int)width, text);
	else if (width > 0)
		strbuf_printf(to, "%.*s~", (int)width - 1, text);
}

size_t text_length(const struct json_object *array)
{
	return json_object_is_type(array, json_type_array)
		       ? json_object_array_length(array)
		       : 0;
}

struct json_object *text_item(const struct json_object *array, size_t i)
{
	return i < text_length(array) ? json_object_array_get_idx(array, i) : NULL;
}

const char *text_str(const struct json_object *from, const char *key)
{
	const char *s = json_get_str(from, key);

	return s ? s : "";
}
