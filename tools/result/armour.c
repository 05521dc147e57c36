// SPDX-License-Identifier: GPL-3.0-or-later
// One armoured line: written and read.
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/crc32.h"
#include "common/number.h"
#include "result/armour.h"

#define MARK     ARMOUR_MARK " "
#define MARK_LEN (sizeof(MARK) - 1)
#define TEXT_MAX (ARMOUR_BYTES / 3 * 4)

static const char digits64[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void encode(struct strbuf *to, const unsigned char *p, size_t len)
{
	for (size_t i = 0; i < len; i += 3) {
		size_t left = len - i;
		uint32_t v = (uint32_t)p[i] << 16;
		char quad[4];

		if (left > 1)
			v |= (uint32_t)p[i + 1] << 8;
		if (left > 2)
			v |= p[i + 2];
		for (int k = 0; k < 4; k++)
			quad[k] = digits64[v >> (18 - 6 * k) & 63];
		if (left < 3)
			quad[3] = '=';
		if (left < 2)
			quad[2] = '=';
		strbuf_add(to, quad, 4);
	}
}

// Returns the number of bytes decoded, or -1.
static int decode(const char *text, size_t len, unsigned char *to)
{
	size_t n = 0;

	if (len % 4 != 0 || len > TEXT_MAX)
		return -1;
	for (size_t i = 0; i < len; i += 4) {
		size_t pad = 0;
		uint32_t v = 0;

		if (i + 4 == len && text[i + 3] == '=')
			pad = text[i + 2] == '=' ? 2 : 1;
		for (size_t k = 0; k < 4 - pad; k++) {
			const char *d =
				memchr(digits64, text[i + k], sizeof(digits64) - 1);

			if (!d)
				return -1;
			v |= (uint32_t)(d - digits64) << (18 - 6 * k);
		}
		to[n++] = (unsigned char)(v >> 16);
		if (pad < 2)
			to[n++] = (unsigned char)(v >> 8);
		if (pad < 1)
			to[n++] = (unsigned char)v;
	}
	return (int)n;
}

void armour_line(struct strbuf *to, const char *run_id, unsigned file, unsigned line,
		 const void *data, size_t len)
{
	_cleanup_strbuf_ struct strbuf b = { 0 };

	if (len > ARMOUR_BYTES)
		len = ARMOUR_BYTES;
	strbuf_printf(&b, "%s %u %u ", run_id, file, line);
	if (len)
		encode(&b, data, len);
	else
		strbuf_puts(&b, ".");
	strbuf_printf(to, MARK "%s %08x\n", b.data, crc32_add(0, b.data, b.len));
}

// One word of a line: [at, at + len).
struct word {
	const char *at;
	size_t len;
};

// Takes the word up to the next blank and steps over that blank.
static int take_word(const char **p, const char *end, struct word *w)
{
	const char *blank = memchr(*p, ' ', (size_t)(end - *p));

	if (!blank || blank == *p)
		return -EBADMSG;
	*w = (struct word){ *p, (size_t)(blank - *p) };
	*p = blank + 1;
	return 0;
}

static int take_number(const char **p, const char *end, unsigned *ret)
{
	struct word w;
	char text[12];
	uint64_t v;

	if (take_word(p, end, &w) < 0 || w.len >= sizeof(text))
		return -EBADMSG;
	snprintf(text, sizeof(text), "%.*s", (int)w.len, w.at);
	if (number_uint(text, &v) < 0 || v > UINT32_MAX)
		return -EBADMSG;
	*ret = (unsigned)v;
	return 0;
}

static int parse_words(const char *text, const char *end, struct armour *ret)
{
	const char *p = text;
	struct word run, data;
	char crc[9];
	int n;

	if (take_word(&p, end, &run) < 0 || run.len != 8)
		return -EBADMSG;
	for (size_t i = 0; i < 8; i++)
		if (!isxdigit((unsigned char)run.at[i]))
			return -EBADMSG;
	memcpy(ret->run_id, run.at, 8);
	ret->run_id[8] = '\0';
	if (take_number(&p, end, &ret->file) < 0)
		return -EBADMSG;
	if (take_number(&p, end, &ret->line) < 0)
		return -EBADMSG;
	ret->known = true;
	if (take_word(&p, end, &data) < 0 || end - p < 8)
		return -EBADMSG;
	snprintf(crc, sizeof(crc), "%08x",
		 crc32_add(0, text, (size_t)(data.at + data.len - text)));
	if (memcmp(crc, p, 8) != 0)
		return -EBADMSG;
	if (data.len == 1 && data.at[0] == '.')
		return 0;
	n = decode(data.at, data.len, ret->data);
	if (n < 0)
		return -EBADMSG;
	ret->len = (size_t)n;
	return 0;
}

int armour_next(const char *text, size_t len, size_t *pos, struct armour *ret)
{
	const char *end = text + len, *next;
	const char *mark = memmem(text + *pos, len - *pos, MARK, MARK_LEN);

	*ret = (struct armour){ 0 };
	if (!mark)
		return -ENOENT;
	mark += MARK_LEN;
	next = memmem(mark, (size_t)(end - mark), MARK, MARK_LEN);
	if (!next)
		next = end;
	*pos = (size_t)(next - text);
	return parse_words(mark, next, ret);
}

int armour_parse(const char *text, size_t len, struct armour *ret)
{
	struct armour first;
	size_t pos = 0;
	int r = armour_next(text, len, &pos, ret), next = r;

	first = *ret;
	while (next == -EBADMSG)
		next = armour_next(text, len, &pos, ret);
	if (next == 0)
		return 0;
	*ret = first;
	return r;
}
