// SPDX-License-Identifier: GPL-3.0-or-later
// Whole files and whole writes.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/strbuf.h"

// Appends a file's content to `out`, at most `max` bytes; a longer file is -EFBIG.
// Works on /proc and /sys, whose sizes are not known. Returns 0 or -errno.
int io_read_file(const char *path, struct strbuf *out, size_t max);

// The first line of a small file without its newline and outer blanks, e.g. a sysfs
// attribute; NULL when it cannot be read. The caller frees. `fmt` builds the path.
char *io_read_line(const char *fmt, ...) _printf_(1, 2);

// The attribute as a number; `fallback` when it cannot be read or is no number.
int64_t io_read_number(int64_t fallback, const char *fmt, ...) _printf_(2, 3);

// Writes everything, through interruptions and short writes. Returns 0 or -errno.
int io_write_all(int fd, const void *data, size_t len);

// Writes to an existing file such as a sysfs attribute. Returns 0 or -errno.
int io_write_file(const char *path, const char *text);

// Replaces a file whole: writes path.new, syncs it, renames it, syncs the folder.
int io_replace_file(const char *path, const void *data, size_t len);

// mkdir -p with mode 0755 (existing folders are left as they are). 0 or -errno.
int io_make_dirs(const char *path);

bool io_exists(const char *path);
