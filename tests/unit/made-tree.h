// SPDX-License-Identifier: GPL-3.0-or-later
// A filesystem made for one test: files below a temporary folder, as a tree_list of one.
#pragma once

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>

#include "common/io.h"
#include "common/mem.h"
#include "kexec/tree.h"
#include "unit.h"

static char made_dir[] = "/tmp/assay-tree-XXXXXX";
static struct tree_list made;

static void made_begin(void)
{
	strcpy(made_dir + sizeof(made_dir) - 7, "XXXXXX");
	assert_non_null(mkdtemp(made_dir));
	tree_add(&made, open(made_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
		 "/dev/vg/made", "made-uuid", "made-label");
}

static void made_file(const char *path, const void *data, size_t len)
{
	_cleanup_free_ char *full = mem_printf("%s%s", made_dir, path);
	_cleanup_free_ char *dir = mem_strdup(full);

	*strrchr(dir, '/') = '\0';
	assert_int_equal(io_make_dirs(dir), 0);
	assert_int_equal(io_replace_file(full, data, len), 0);
}

static inline void made_text(const char *path, const char *text)
{
	made_file(path, text, strlen(text));
}

static inline void made_link(const char *path, const char *to)
{
	_cleanup_free_ char *full = mem_printf("%s%s", made_dir, path);

	assert_int_equal(symlink(to, full), 0);
}

static int made_remove(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int made_setup(void **state)
{
	(void)state;
	made_begin();
	return 0;
}

static int made_teardown(void **state)
{
	(void)state;
	tree_list_done(&made);
	return nftw(made_dir, made_remove, 16, FTW_DEPTH | FTW_PHYS);
}
