// SPDX-License-Identifier: GPL-3.0-or-later
// Finds armoured lines in a captured log, also those that kernel messages cut in two.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "result/recv.h"

#define MARK      ARMOUR_MARK " "
#define MARK_LEN  (sizeof(MARK) - 1)
#define JOINS_MAX 16  // kernel messages within one armoured line
#define LINE_MAX_ 512 // bytes; the rest of an armoured line with a message is shorter

struct line {
	const char *at;
	size_t len; // without "\n"
	int number;
};

struct lines {
	const char *p, *end;
	int number;
};

static bool next_line(struct lines *l, struct line *ret)
{
	const char *nl;

	if (l->p == l->end)
		return false;
	nl = memchr(l->p, '\n', (size_t)(l->end - l->p));
	*ret = (struct line){ l->p, (size_t)((nl ? nl : l->end) - l->p), ++l->number };
	l->p = nl ? nl + 1 : l->end;
	return true;
}

// Appends the line without what terminal programs and UARTs add: NUL and CR.
static void add_clean(struct strbuf *to, const char *p, size_t len)
{
	size_t start = 0;

	for (size_t i = 0; i <= len; i++) {
		if (i < len && p[i] != '\0' && p[i] != '\r')
			continue;
		strbuf_add(to, p + start, i - start);
		start = i + 1;
	}
}

// Where a kernel message "[   12.345678] ..." or "[   12.345678][ T12] ..." begins in
// the text; `len` when there is none. A "<6>" before it belongs to it.
static size_t find_stamp(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		size_t k = i + 1, dots = 0, figures = 0;

		if (s[i] != '[')
			continue;
		for (; k < len &&
		       (isdigit((unsigned char)s[k]) || s[k] == '.' || s[k] == ' ');
		     k++) {
			dots += s[k] == '.';
			figures += s[k] != '.' && s[k] != ' ';
		}
		if (k == len || s[k] != ']' || dots != 1 || figures < 2)
			continue;
		if (i >= 3 && s[i - 1] == '>' && isdigit((unsigned char)s[i - 2]) &&
		    s[i - 3] == '<')
			return i - 3;
		return i;
	}
	return len;
}

// Whether the text ends within a mark.
static bool ends_in_mark(const char *s, size_t len)
{
	for (size_t n = MARK_LEN - 1; n > 0; n--)
		if (len >= n && memcmp(s + len - n, MARK, n) == 0)
			return true;
	return false;
}

static void set_seen(struct recv_scan *scan, int log_line)
{
	size_t byte = (size_t)log_line / 8;

	if (byte >= scan->seen_room) {
		size_t room = byte * 2 + 64;

		scan->seen = mem_grow(scan->seen, room, 1);
		memset(scan->seen + scan->seen_room, 0, room - scan->seen_room);
		scan->seen_room = room;
	}
	scan->seen[byte] |= (unsigned char)(1 << log_line % 8);
}

int recv_scan_unseen(const struct recv_scan *scan, int after, int before)
{
	for (int line = after + 1; line < before; line++)
		if ((size_t)line / 8 >= scan->seen_room ||
		    !(scan->seen[line / 8] & 1 << line % 8))
			return line;
	return after + 1;
}

static void add_chunk(struct recv_scan *scan, const struct armour *a, int log_line)
{
	if (scan->n == scan->room) {
		scan->room = scan->room ? scan->room * 2 : 64;
		scan->chunks = mem_grow(scan->chunks, scan->room, sizeof(*scan->chunks));
	}
	scan->chunks[scan->n++] = (struct recv_chunk){
		.run = (uint32_t)strtoul(a->run_id, NULL, 16), // eight checked digits
		.file = a->file,
		.line = a->line,
		.log_line = log_line,
		.at = scan->data.len,
		.len = (unsigned)a->len,
	};
	strbuf_add(&scan->data, a->data, a->len);
	set_seen(scan, log_line);
}

static void add_damage(struct recv_scan *scan, const struct armour *a, int log_line)
{
	if (scan->n_damage == scan->damage_room) {
		scan->damage_room = scan->damage_room ? scan->damage_room * 2 : 16;
		scan->damage =
			mem_grow(scan->damage, scan->damage_room, sizeof(*scan->damage));
	}
	scan->damage[scan->n_damage++] = (struct recv_damage){
		.log_line = log_line,
		.known = a->known,
		.run = a->known ? (uint32_t)strtoul(a->run_id, NULL, 16) : 0,
		.file = a->file,
		.line = a->line,
	};
}

// Takes every armoured line in the text, save a damaged last one: that goes to `rest`,
// and true is returned.
static bool take_all(struct recv_scan *scan, const struct strbuf *text, int number,
		     struct armour *rest)
{
	struct armour a, held = { 0 };
	bool hold = false;
	size_t pos = 0;
	int r;

	while ((r = armour_next(strbuf_str(text), text->len, &pos, &a)) != -ENOENT) {
		if (hold)
			add_damage(scan, &held, number);
		hold = r < 0;
		held = a;
		if (r == 0)
			add_chunk(scan, &a, number);
	}
	*rest = held;
	return hold;
}

// The text from its last mark on (or all of it): what stands before has been taken.
static size_t last_mark(const char *s, size_t len)
{
	size_t at = 0;

	for (const char *p = s; (p = memmem(p, len - (size_t)(p - s), MARK, MARK_LEN));
	     p += MARK_LEN)
		at = (size_t)(p - s);
	return at;
}

// Whether the joined text is now whole: 0; -EAGAIN when more may help; -EBADMSG when
// the next armoured line has begun.
static int try_joined(struct recv_scan *scan, const struct strbuf *joined, int number,
		      int last)
{
	struct armour a, rest;
	size_t pos = 0;

	if (armour_next(joined->data, joined->len, &pos, &a) < 0)
		return pos < joined->len && pos > 0 ? -EBADMSG : -EAGAIN;
	if (take_all(scan, joined, number, &rest))
		add_damage(scan, &rest, last);
	return 0;
}

// Tries to mend a line whose end was pushed away by kernel messages: cuts each of them
// and joins what follows. On success the lines used are consumed.
static bool mend(struct recv_scan *scan, const struct strbuf *text, bool damaged,
		 struct lines *lines, int number)
{
	_cleanup_strbuf_ struct strbuf joined = { 0 };
	size_t cut = find_stamp(strbuf_str(text), text->len), from;
	struct lines ahead = *lines;
	struct line l;

	if (cut == text->len || (!damaged && !ends_in_mark(text->data, cut)))
		return false;
	from = last_mark(text->data, cut);
	strbuf_add(&joined, text->data + from, cut - from);
	for (int i = 0; i < JOINS_MAX && next_line(&ahead, &l) && l.len <= LINE_MAX_;
	     i++) {
		size_t before = joined.len;
		int r;

		add_clean(&joined, l.at, l.len);
		r = try_joined(scan, &joined, number, l.number);
		if (r == 0)
			*lines = ahead;
		if (r != -EAGAIN)
			return r == 0;
		cut = before + find_stamp(joined.data + before, joined.len - before);
		if (cut == joined.len)
			return false; // a line that is no kernel message and does not fit
		joined.len = cut;
		joined.data[cut] = '\0';
	}
	return false;
}

void recv_scan(struct recv_scan *scan, const char *log, size_t len)
{
	struct lines lines = { log, log + len, 0 };
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct line l;

	while (next_line(&lines, &l)) {
		struct armour rest;
		bool damaged;

		text.len = 0;
		add_clean(&text, l.at, l.len);
		damaged = take_all(scan, &text, l.number, &rest);
		if (!damaged && memmem(strbuf_str(&text), text.len, MARK, MARK_LEN))
			continue;
		if (mend(scan, &text, damaged, &lines, l.number))
			continue;
		if (damaged)
			add_damage(scan, &rest, l.number);
	}
}

void recv_scan_done(struct recv_scan *scan)
{
	free(scan->chunks);
	free(scan->damage);
	free(scan->seen);
	strbuf_done(&scan->data);
	*scan = (struct recv_scan){ 0 };
}
