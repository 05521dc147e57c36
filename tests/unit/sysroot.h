// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded files of a machine, laid below a folder of their own for the test that runs.
#pragma once

#include "unit.h"

#include <ftw.h>
#include <stdio.h>
#include <string.h>

#include "common/io.h"
#include "common/mem.h"

static char sysroot[64];

static inline int sysroot_remove_one(const char *path, const struct stat *s, int type,
				     struct FTW *ftw)
{
	(void)s;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline int sysroot_new(void **state)
{
	(void)state;
	snprintf(sysroot, sizeof(sysroot), "/tmp/assay-root-XXXXXX");
	return mkdtemp(sysroot) ? 0 : -1;
}

static inline int sysroot_done(void **state)
{
	(void)state;
	return nftw(sysroot, sysroot_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

// A file with its folders; one that is there is replaced.
static inline void sysroot_data(const char *path, const void *data, size_t len)
{
	_cleanup_free_ char *full = mem_printf("%s/%s", sysroot, path);
	_cleanup_free_ char *dir = mem_strndup(full, (size_t)(strrchr(full, '/') - full));
	FILE *f;

	assert_int_equal(io_make_dirs(dir), 0);
	f = fopen(full, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

static inline void sysroot_file(const char *path, const char *text)
{
	sysroot_data(path, text, strlen(text));
}

// A folder, and a symlink to it; both below the root.
static inline void sysroot_link(const char *path, const char *to)
{
	_cleanup_free_ char *full = mem_printf("%s/%s", sysroot, path);
	_cleanup_free_ char *dir = mem_strndup(full, (size_t)(strrchr(full, '/') - full));
	_cleanup_free_ char *target = mem_printf("%s/%s", sysroot, to);

	assert_int_equal(io_make_dirs(dir), 0);
	assert_int_equal(io_make_dirs(target), 0);
	assert_int_equal(symlink(target, full), 0);
}
