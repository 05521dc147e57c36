// SPDX-License-Identifier: GPL-3.0-or-later
// Allocation that cannot fail.
#include <stdio.h>
#include <string.h>

#include "common/mem.h"

static void *checked(void *p)
{
	static const char text[] = "assay: out of memory\n";

	if (p)
		return p;
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(71);
	_exit(70);
}

void *mem_new(size_t n, size_t size)
{
	return checked(calloc(n ? n : 1, size ? size : 1));
}

void *mem_grow(void *p, size_t n, size_t size)
{
	return checked(reallocarray(p, n ? n : 1, size ? size : 1));
}

char *mem_strdup(const char *s)
{
	return s ? checked(strdup(s)) : NULL;
}

char *mem_strndup(const char *s, size_t n)
{
	return s ? checked(strndup(s, n)) : NULL;
}

char *mem_vprintf(const char *fmt, va_list ap)
{
	char *s = NULL;

	return checked(vasprintf(&s, fmt, ap) < 0 ? NULL : s);
}

char *mem_printf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = mem_vprintf(fmt, ap);
	va_end(ap);
	return s;
}
