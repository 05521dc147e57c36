// SPDX-License-Identifier: GPL-3.0-or-later
// What badblocks prints.
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "suite/badblocks-text.h"

#define LEAST_BLOCK 4096u

// The digits at `*p` as a number; moves behind them. False when there are none.
static bool take_number(const char **p, const char *end, uint64_t *ret)
{
	_cleanup_free_ char *digits = NULL;
	size_t n = 0;

	while (*p + n < end && (*p)[n] >= '0' && (*p)[n] <= '9')
		n++;
	if (n == 0)
		return false;
	digits = mem_strndup(*p, n);
	*p += n;
	return number_uint(digits, ret) == 0;
}

static bool take_text(const char **p, const char *end, const char *what)
{
	size_t n = strlen(what);

	if ((size_t)(end - *p) < n || memcmp(*p, what, n) != 0)
		return false;
	*p += n;
	return true;
}

// "Pass completed, 3 bad blocks found. (1/0/2 errors)"
static void take_counters(const char *p, const char *end, struct badblocks_text *t)
{
	struct badblocks_text c = { 0 };

	if (take_number(&p, end, &c.found) &&
	    take_text(&p, end, " bad blocks found. (") && take_number(&p, end, &c.read) &&
	    take_text(&p, end, "/") && take_number(&p, end, &c.write) &&
	    take_text(&p, end, "/") && take_number(&p, end, &c.compare) &&
	    take_text(&p, end, " errors)")) {
		t->complete = true;
		t->found = c.found;
		t->read = c.read;
		t->write = c.write;
		t->compare = c.compare;
	}
}

// "  0.34% done": the number that ends at `end`.
static double percent_before(const char *start, const char *end)
{
	const char *p = end;
	_cleanup_free_ char *digits = NULL;
	double v;

	while (p > start && strchr("0123456789.", p[-1]))
		p--;
	digits = mem_strndup(p, (size_t)(end - p));
	return number_double(digits, &v) == 0 && v >= 0 && v <= 100 ? v : 0;
}

void badblocks_text_parse(const char *text, size_t len, struct badblocks_text *ret)
{
	static const char passed[] = "Pass completed, ", part[] = "% done",
			  over[] = "done      ";
	const char *end = text + len;

	*ret = (struct badblocks_text){ 0 };
	for (const char *p = text; p < end; p++) {
		const char *q = p;

		if (*p == 'P' && take_text(&q, end, passed)) {
			take_counters(q, end, ret);
		} else if (*p == '%' && take_text(&q, end, part)) {
			ret->percent = percent_before(text, p);
		} else if (*p == 'd' && take_text(&q, end, over)) {
			ret->phases++; // only a finished one is followed by blanks
			ret->percent = 0;
		}
	}
}

void badblocks_text_compact(struct strbuf *text)
{
	size_t to = 0, back = 0;

	for (size_t i = 0; i < text->len; i++) {
		if (text->data[i] == '\b') {
			back++;
			continue;
		}
		if (back > 0) { // what follows is written over what was there
			to -= back < to ? back : to;
			back = 0;
		}
		text->data[to++] = text->data[i];
	}
	for (; back > 0; back--) // nothing followed yet: as it is on a screen
		text->data[to++] = '\b';
	text->len = to;
	if (text->data)
		text->data[to] = '\0';
}

unsigned badblocks_block_size(uint64_t size, unsigned sector)
{
	unsigned block = sector > LEAST_BLOCK ? sector : LEAST_BLOCK;

	while (size / block >= UINT32_MAX)
		block *= 2;
	return block;
}
