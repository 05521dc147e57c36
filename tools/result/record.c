// SPDX-License-Identifier: GPL-3.0-or-later
// One line of records.jsonl.
#include <stdio.h>
#include <string.h>

#include "common/crc32.h"
#include "common/mem.h"
#include "result/record.h"

#define TAIL     ",\"crc\":\""
#define TAIL_LEN (sizeof(TAIL) - 1 + 8 + 2) // the digits, quote and brace

// Length of the valid UTF-8 sequence at `s`, 0 when it is none.
static size_t utf8_len(const unsigned char *s, size_t len)
{
	static const struct {
		unsigned char first, last; // of the lead byte
		unsigned char low, high; // of the second byte: no overlong, no surrogate
		unsigned char n;
	} rows[] = {
		{ 0x00, 0x7f, 0, 0, 1 },       { 0xc2, 0xdf, 0x80, 0xbf, 2 },
		{ 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
		{ 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
		{ 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 },
		{ 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (s[0] < rows[i].first || s[0] > rows[i].last)
			continue;
		if (rows[i].n > len)
			return 0;
		if (rows[i].n > 1 && (s[1] < rows[i].low || s[1] > rows[i].high))
			return 0;
		for (size_t k = 2; k < rows[i].n; k++)
			if ((s[k] & 0xc0) != 0x80)
				return 0;
		return rows[i].n;
	}
	return 0;
}

void record_clean_utf8(char *text, size_t len)
{
	for (size_t i = 0; i < len;) {
		size_t n = utf8_len((const unsigned char *)text + i, len - i);

		if (n == 0)
			text[i] = '?';
		i += n ? n : 1;
	}
}

void record_line(struct strbuf *to, struct json_object *record, const char *run_id,
		 uint64_t seq, uint64_t t_ns)
{
	_cleanup_free_ char *body = NULL;
	char t[32];
	size_t len;

	json_object_object_del(record, "crc");
	json_object_object_del(record, "t"); // so that it comes where it is documented
	json_set_str(record, "run_id", run_id);
	json_set_uint(record, "seq", seq);
	snprintf(t, sizeof(t), "%.6f", (double)t_ns / 1e9);
	json_set(record, "t", json_object_new_double_s((double)t_ns / 1e9, t));
	body = mem_strdup(json_line(record));
	len = strlen(body) - 1; // without "}"
	record_clean_utf8(body, len);
	strbuf_add(to, body, len);
	strbuf_printf(to, TAIL "%08x\"}\n", crc32_add(0, body, len));
}

int record_check_line(const char *line, size_t len)
{
	char tail[TAIL_LEN + 1];

	while (len > 0 && (line[len - 1] == '\n' || line[len - 1] == '\r'))
		len--;
	if (len <= TAIL_LEN || line[0] != '{')
		return -EBADMSG;
	len -= TAIL_LEN;
	snprintf(tail, sizeof(tail), TAIL "%08x\"}", crc32_add(0, line, len));
	return memcmp(line + len, tail, TAIL_LEN) == 0 ? 0 : -EBADMSG;
}

struct json_object *record_parse_line(const char *line, size_t len)
{
	struct json_object *o;

	if (record_check_line(line, len) < 0)
		return NULL;
	o = json_parse_text(line, len, NULL);
	if (json_object_is_type(o, json_type_object))
		return o;
	json_object_put(o);
	return NULL;
}
