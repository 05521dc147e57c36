// SPDX-License-Identifier: GPL-3.0-or-later
// The table that bonnie++ prints for people. Its cells become a line of CSV, so that the
// reader of those is the only one that knows what a cell means.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "suite/bonnie-table.h"

#define CELLS     12 // six rates, each with its CPU share
#define NAME_MAX  8  // words of a machine's name
#define WORD_MAX  64
#define WORDS_MAX 400 // of one table with all its headings

// The words of a text, one after the other.
struct words {
	const char *text;
	size_t len, pos;
	int line;
	char word[WORD_MAX]; // the current one; "" at the end; longer ones are cut
};

struct table {
	char version[WORD_MAX];
	struct strbuf name;
	char size[WORD_MAX], files[WORD_MAX];
	struct strbuf big, small; // ",value,cpu" for each cell
};

static const char *next_word(struct words *w)
{
	size_t n = 0;

	while (w->pos < w->len && isspace((unsigned char)w->text[w->pos]))
		w->line += w->text[w->pos++] == '\n';
	while (w->pos < w->len && !isspace((unsigned char)w->text[w->pos])) {
		if (n + 1 < sizeof(w->word) && w->text[w->pos])
			w->word[n++] = w->text[w->pos];
		w->pos++;
	}
	w->word[n] = '\0';
	return w->word;
}

static bool is_cell(const char *s)
{
	size_t digits = strspn(s, "0123456789.");

	return *s && (s[digits] == '\0' || s[strspn(s, "+")] == '\0');
}

// "432M", "24000M", "1G:64k"
static bool is_size(const char *s)
{
	size_t digits = strspn(s, "0123456789");

	return digits > 0 && s[digits] && strchr("KMGT", s[digits]) &&
	       (s[digits + 1] == '\0' || s[digits + 1] == ':');
}

// "16", "16:1024:0/4"
static bool is_files(const char *s)
{
	size_t digits = strspn(s, "0123456789");

	return digits > 0 && (s[digits] == '\0' || s[digits] == ':' || s[digits] == '/');
}

static bool seek_word(struct words *w, const char *want)
{
	for (int i = 0; i < WORDS_MAX && *next_word(w); i++)
		if (strcmp(w->word, want) == 0)
			return true;
	return false;
}

// Twelve cells; returns how many there were.
static int read_cells(struct words *w, struct strbuf *to)
{
	int n = 0;

	while (n < CELLS) {
		struct words back = *w;

		if (!is_cell(next_word(w))) {
			*w = back;
			break;
		}
		strbuf_printf(to, ",%s", w->word);
		n++;
	}
	return n;
}

// The name and the size behind the headings "K/sec %CP ...".
static bool read_name(struct words *w, struct table *t)
{
	int heads = 0, words = 0;

	while (heads < CELLS && *next_word(w))
		heads += strcmp(w->word, "K/sec") == 0 || strcmp(w->word, "%CP") == 0 ||
			 strcmp(w->word, "/sec") == 0;
	while (*next_word(w) && !is_size(w->word)) {
		if (++words > NAME_MAX)
			return false;
		strbuf_printf(&t->name, "%s%s", words > 1 ? " " : "", w->word);
	}
	snprintf(t->size, sizeof(t->size), "%s", w->word);
	return *t->size && t->name.len > 0;
}

// The second half, "files /sec %CP ...", where there is one before the next table.
static int read_small(struct words *w, struct table *t)
{
	struct words back = *w;

	for (int i = 0; i < WORDS_MAX && *next_word(w); i++) {
		if (strcmp(w->word, "Machine") == 0)
			break;
		if (strcmp(w->word, "files") != 0)
			continue;
		while (*next_word(w) && !is_files(w->word))
			;
		snprintf(t->files, sizeof(t->files), "%s", w->word);
		return read_cells(w, &t->small);
	}
	*w = back;
	return -1; // it did not run
}

static bool is_old(const struct table *t)
{
	return strncmp(t->version, "1.0", 3) == 0;
}

static int as_line(const struct table *t, struct bonnie_csv *ret)
{
	_cleanup_strbuf_ struct strbuf line = { 0 };
	const char *small = t->small.len ? strbuf_str(&t->small) : ",,,,,,,,,,,,";
	size_t pos = 0;

	if (is_old(t))
		strbuf_printf(&line, "%s,%s%s,%s%s", strbuf_str(&t->name), t->size,
			      strbuf_str(&t->big), t->files, small);
	else // the layout of 1.97, less what a table does not say
		strbuf_printf(&line, "1.97,%s,%s,,,%s,%s,%s,,,,%s,,,,,,,,,,,,",
			      t->version, strbuf_str(&t->name), t->size,
			      strbuf_str(&t->big), t->files, small);
	return bonnie_csv_next(strbuf_str(&line), line.len, &pos, ret);
}

// Reads the table whose "Version" is the current word. 0, or -EBADMSG with a fault.
static int read_table(struct words *w, const char *file, struct bonnie_csv *ret,
		      struct fault_list *faults)
{
	struct table t = { 0 };
	int line = w->line, big = 0, small = -1, r = -EBADMSG;

	snprintf(t.version, sizeof(t.version), "%s", next_word(w));
	if (!seek_word(w, "Machine") || !read_name(w, &t)) {
		fault_add(faults, file, line,
			  "no row with a machine's name and a size follows");
	} else {
		big = read_cells(w, &t.big);
		small = big == CELLS ? read_small(w, &t) : -1;
		if (big != CELLS || (small >= 0 && small != CELLS))
			fault_add(
				faults, file, w->line,
				"a row of the table of %s has %d cells where %d belong; "
				"give bonnie++'s CSV line instead",
				strbuf_str(&t.name), big != CELLS ? big : small, CELLS);
		else if (strncmp(t.version, "2.0", 3) == 0 && small >= 0)
			fault_add(faults, file, line,
				  "the table of bonnie++ %s shows no rates of small "
				  "files but their number; give its CSV line instead",
				  t.version);
		else if (as_line(&t, ret) < 0)
			fault_add(faults, file, line,
				  "the table of %s holds a value that is none",
				  strbuf_str(&t.name));
		else
			r = 0;
	}
	strbuf_done(&t.name);
	strbuf_done(&t.big);
	strbuf_done(&t.small);
	return r;
}

int bonnie_table_next(const char *file, const char *text, size_t len, size_t *pos,
		      struct bonnie_csv *ret, int *line, struct fault_list *faults)
{
	struct words w = { .text = text, .len = len, .line = 1 };

	for (size_t i = 0; i < *pos && i < len; i++)
		w.line += text[i] == '\n';
	w.pos = *pos;
	while (*next_word(&w)) {
		struct words back;

		if (strcmp(w.word, "Version") != 0)
			continue;
		back = w;
		*line = w.line;
		if (!isdigit((unsigned char)*next_word(&w)))
			continue;
		w = back;
		if (read_table(&w, file, ret, faults) == 0) {
			*pos = w.pos;
			return 0;
		}
	}
	*pos = len;
	return -ENOENT;
}
