// SPDX-License-Identifier: GPL-3.0-or-later
// A word in letters that can be read from across a room, of plain characters.
#include <string.h>

#include "report/banner.h"

#define ROWS 7

struct letter {
	char c;
	const char *rows[ROWS]; // six columns each
};

// The letters of the outcomes' names, and no more.
static const struct letter letters[] = {
	{ 'A', { " #### ", "#    #", "#    #", "######", "#    #", "#    #", "#    #" } },
	{ 'B', { "##### ", "#    #", "#    #", "##### ", "#    #", "#    #", "##### " } },
	{ 'D', { "##### ", "#    #", "#    #", "#    #", "#    #", "#    #", "##### " } },
	{ 'E', { "######", "#     ", "#     ", "##### ", "#     ", "#     ", "######" } },
	{ 'F', { "######", "#     ", "#     ", "##### ", "#     ", "#     ", "#     " } },
	{ 'I', { " #### ", "  ##  ", "  ##  ", "  ##  ", "  ##  ", "  ##  ", " #### " } },
	{ 'K', { "#    #", "#   # ", "#  #  ", "###   ", "#  #  ", "#   # ", "#    #" } },
	{ 'L', { "#     ", "#     ", "#     ", "#     ", "#     ", "#     ", "######" } },
	{ 'N', { "#    #", "##   #", "# #  #", "#  # #", "#   ##", "#    #", "#    #" } },
	{ 'O', { " #### ", "#    #", "#    #", "#    #", "#    #", "#    #", " #### " } },
	{ 'P', { "##### ", "#    #", "#    #", "##### ", "#     ", "#     ", "#     " } },
	{ 'R', { "##### ", "#    #", "#    #", "##### ", "#  #  ", "#   # ", "#    #" } },
	{ 'S', { " #####", "#     ", "#     ", " #### ", "     #", "     #", "##### " } },
	{ 'T', { "######", "  ##  ", "  ##  ", "  ##  ", "  ##  ", "  ##  ", "  ##  " } },
	{ 'U', { "#    #", "#    #", "#    #", "#    #", "#    #", "#    #", " #### " } },
};

static const char *letter_row(char c, size_t row)
{
	if (c >= 'a' && c <= 'z')
		c = (char)(c - 'a' + 'A');
	for (size_t i = 0; i < ARRAY_SIZE(letters); i++)
		if (letters[i].c == c)
			return letters[i].rows[row];
	return "      ";
}

void report_banner(const char *word, struct strbuf *to)
{
	strbuf_puts(to, "\n");
	for (size_t row = 0; row < ROWS; row++) {
		size_t start = to->len;

		for (const char *c = word; *c; c++)
			strbuf_printf(to, "  %s", letter_row(*c, row));
		while (to->len > start && to->data[to->len - 1] == ' ')
			to->data[--to->len] = '\0';
		strbuf_puts(to, "\n");
	}
	strbuf_puts(to, "\n");
}
