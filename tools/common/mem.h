// SPDX-License-Identifier: GPL-3.0-or-later
// Allocation that cannot fail: out of memory is said on stderr and ends the program
// (exit 70). PID 1 sees that exit and makes a result of it.
#pragma once

#include <stdarg.h>
#include <stddef.h>

#include "common/macro.h"

// `n` zeroed elements of `size` bytes; the caller frees.
void *mem_new(size_t n, size_t size) _must_check_;

// Room for `n` elements in all; new room is not zeroed. Replaces `p`.
void *mem_grow(void *p, size_t n, size_t size) _must_check_;

// Copies of strings; NULL gives NULL. The caller frees.
char *mem_strdup(const char *s) _must_check_;
char *mem_strndup(const char *s, size_t n) _must_check_;

// Formatted strings; the caller frees.
char *mem_printf(const char *fmt, ...) _printf_(1, 2) _must_check_;
char *mem_vprintf(const char *fmt, va_list ap) _printf_(1, 0) _must_check_;
