// SPDX-License-Identifier: GPL-3.0-or-later
// One line of records.jsonl: JSON whose last member is a checksum of all before it.
//
//   {"kind":"run",...,"run_id":"0a1b2c3d","seq":7,"t":81.250,"crc":"89abcdef"}
//
// "crc" is CRC-32 of the line from "{" up to (not including) the comma before "crc".
// Without Assay:  head -c -18 line | crc32 /dev/stdin   (the tail `,"crc":"........"}`
// has 18 bytes). "t" counts seconds on the monotonic clock, so it starts at power on.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/json.h"
#include "common/strbuf.h"

// Adds run_id, seq, t and crc to `record` (an object) and appends the line with "\n" to
// `to`. Bytes that are not UTF-8 become "?".
void record_line(struct strbuf *to, struct json_object *record, const char *run_id,
		 uint64_t seq, uint64_t t_ns);

// Whether the line (with or without its "\n") is whole: 0 or -EBADMSG.
int record_check_line(const char *line, size_t len);

// The record of a whole line; NULL when it is damaged. The caller puts it.
struct json_object *record_parse_line(const char *line, size_t len);

// Replaces, in place, every byte that is not part of valid UTF-8 by "?".
void record_clean_utf8(char *text, size_t len);
