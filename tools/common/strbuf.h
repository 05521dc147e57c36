// SPDX-License-Identifier: GPL-3.0-or-later
// A growing string of bytes.
#pragma once

#include <stdarg.h>
#include <stddef.h>

#include "common/macro.h"

// `data` is NUL-terminated once anything was added; `len` does not count that NUL.
// `= {0}` is an empty buffer.
struct strbuf {
	char *data;
	size_t len, room;
};

void strbuf_add(struct strbuf *b, const void *data, size_t len);
void strbuf_puts(struct strbuf *b, const char *s);
void strbuf_printf(struct strbuf *b, const char *fmt, ...) _printf_(2, 3);
void strbuf_vprintf(struct strbuf *b, const char *fmt, va_list ap) _printf_(2, 0);

// The text so far, never NULL; valid until the next change.
const char *strbuf_str(const struct strbuf *b);

// Hands the text to the caller, who frees it; the buffer is empty afterwards.
char *strbuf_take(struct strbuf *b) _must_check_;

void strbuf_done(struct strbuf *b);
#define _cleanup_strbuf_ _cleanup_(strbuf_done)
