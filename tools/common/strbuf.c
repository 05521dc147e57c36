// SPDX-License-Identifier: GPL-3.0-or-later
// A growing string of bytes.
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "common/strbuf.h"

static void reserve(struct strbuf *b, size_t more)
{
	size_t need = b->len + more + 1;

	if (need <= b->room)
		return;
	b->room = need < 128 ? 128 : need + need / 2;
	b->data = mem_grow(b->data, b->room, 1);
}

void strbuf_add(struct strbuf *b, const void *data, size_t len)
{
	reserve(b, len);
	if (len)
		memcpy(b->data + b->len, data, len);
	b->len += len;
	b->data[b->len] = '\0';
}

void strbuf_puts(struct strbuf *b, const char *s)
{
	strbuf_add(b, s, strlen(s));
}

void strbuf_vprintf(struct strbuf *b, const char *fmt, va_list ap)
{
	_cleanup_free_ char *s = mem_vprintf(fmt, ap);

	strbuf_puts(b, s);
}

void strbuf_printf(struct strbuf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	strbuf_vprintf(b, fmt, ap);
	va_end(ap);
}

const char *strbuf_str(const struct strbuf *b)
{
	return b->data ? b->data : "";
}

char *strbuf_take(struct strbuf *b)
{
	reserve(b, 0);
	b->data[b->len] = '\0';
	b->len = b->room = 0;
	return TAKE_PTR(b->data);
}

void strbuf_done(struct strbuf *b)
{
	free(b->data);
	*b = (struct strbuf){ 0 };
}
