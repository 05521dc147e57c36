// SPDX-License-Identifier: GPL-3.0-or-later
// Errors as data.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/err.h"

int err_set(struct err *err, int code, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return code;
	err->code = code;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	return code;
}

int err_prefix(struct err *err, int code, const char *fmt, ...)
{
	char text[sizeof(err->text)];
	va_list ap;
	int n;

	if (!err)
		return code;
	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n < sizeof(text))
		snprintf(text + n, sizeof(text) - (size_t)n, ": %s", err->text);
	memcpy(err->text, text, sizeof(err->text));
	if (!err->code)
		err->code = code;
	return err->code;
}
