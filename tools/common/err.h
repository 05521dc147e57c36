// SPDX-License-Identifier: GPL-3.0-or-later
// Errors are data: a code and a sentence that ends up in the result and the report.
#pragma once

#include <errno.h>

#include "common/macro.h"

// A failure. `code` is a negative errno, 0 while nothing failed. `text` tells a person
// what happened, to which device, and what to do; it never holds a secret.
struct err {
	int code;
	char text[512];
};

// Sets `err` (which may be NULL) and returns `code`, so that a function can
// `return err_set(err, -EBUSY, "%s: mounted at %s", path, where);`
int err_set(struct err *err, int code, const char *fmt, ...) _printf_(3, 4);

// Puts "prefix: " before the text of an error that came from below; returns err->code,
// or `code` where err is NULL.
int err_prefix(struct err *err, int code, const char *fmt, ...) _printf_(3, 4);
