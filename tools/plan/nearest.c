// SPDX-License-Identifier: GPL-3.0-or-later
// The nearest known word by optimal string alignment distance.
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "plan/nearest.h"

#define WORD_MAX 64 // longer words are no slip of the finger

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned m = a < b ? a : b;

	return m < c ? m : c;
}

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

// How many letters to add, drop, replace or swap with their neighbour.
static unsigned distance(const char *a, const char *b)
{
	unsigned rows[3][WORD_MAX + 1];
	unsigned *before = rows[0], *last = rows[1], *now = rows[2];
	size_t na = strlen(a), nb = strlen(b);

	if (na > WORD_MAX || nb > WORD_MAX)
		return WORD_MAX;
	memset(rows, 0, sizeof(rows));
	for (size_t j = 0; j <= nb; j++)
		last[j] = (unsigned)j;
	for (size_t i = 1; i <= na; i++) {
		unsigned *oldest = before;

		now[0] = (unsigned)i;
		for (size_t j = 1; j <= nb; j++) {
			now[j] = min3(last[j] + 1, now[j - 1] + 1,
				      last[j - 1] + !same(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) &&
			    same(a[i - 2], b[j - 1]) && before[j - 2] + 1 < now[j])
				now[j] = before[j - 2] + 1;
		}
		before = last;
		last = now;
		now = oldest;
	}
	return last[nb];
}

const char *nearest_word(const char *word, const char *const *words)
{
	size_t len = strlen(word);
	unsigned best = 2 + (unsigned)len / 4; // one slip, and one more per four letters
	const char *found = NULL;

	for (; *words; words++) {
		unsigned d = distance(word, *words);

		if (d < best && d < len && d < strlen(*words)) {
			best = d;
			found = *words;
		}
	}
	return found;
}

void nearest_list(struct strbuf *to, const char *const *words, const char *joint)
{
	for (size_t i = 0; words[i]; i++) {
		if (i > 0 && words[i + 1])
			strbuf_puts(to, ", ");
		else if (i > 0)
			strbuf_printf(to, " %s ", joint);
		strbuf_puts(to, words[i]);
	}
}

void nearest_hint(struct strbuf *to, const char *word, const char *const *words)
{
	const char *near = nearest_word(word, words);

	if (near) {
		strbuf_printf(to, "; did you mean \"%s\"?", near);
	} else if (words[0]) {
		strbuf_puts(to, words[1] ? "; known are " : "; known is ");
		nearest_list(to, words, "and");
	}
}
