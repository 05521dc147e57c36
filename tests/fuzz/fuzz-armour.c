// SPDX-License-Identifier: GPL-3.0-or-later
// Rebuilding files from any log, below a folder in RAM that is emptied
// after each input.
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "common/mem.h"
#include "result/armour.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char root[] = "/dev/shm/assay-fuzz-XXXXXX/out";

static int remove_it(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	return ftw->level > 0 ? remove(path) : 0;
}

static void remove_root(void)
{
	rmdir(root);
	root[sizeof(root) - 5] = '\0';
	rmdir(root);
}

static void make_root(void)
{
	root[sizeof(root) - 5] = '\0';
	if (!mkdtemp(root))
		abort();
	root[sizeof(root) - 5] = '/';
	if (mkdir(root, 0700) < 0)
		abort();
	atexit(remove_root);
}

// Nothing may appear beside the folder.
static void check_outside(void)
{
	struct stat st;

	root[sizeof(root) - 5] = '\0';
	if (stat(root, &st) < 0 || st.st_nlink != 3)
		abort();
	root[sizeof(root) - 5] = '/';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fault_list faults = { 0 };
	struct err err = { 0 };
	struct armour line;

	if (root[sizeof(root) - 6] == 'X')
		make_root();
	armour_parse((const char *)data, size, &line);
	armour_receive((const char *)data, size, "log", root, &faults, &err);
	check_outside();
	if (nftw(root, remove_it, 16, FTW_DEPTH | FTW_PHYS) < 0)
		abort();
	fault_done(&faults);
	return 0;
}
