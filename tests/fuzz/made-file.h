// SPDX-License-Identifier: GPL-3.0-or-later
// The input as one file of a filesystem, for parsers that open what they read.
#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/io.h"
#include "common/mem.h"
#include "kexec/entry.h"

// A folder that lives as long as the fuzzer, with `path` as its only file.
static struct tree_list *made_file(const char *path, const uint8_t *data, size_t len)
{
	static char dir[] = "/tmp/assay-fuzz-XXXXXX";
	static struct tree_list trees;
	int fd;

	if (trees.n == 0) {
		_cleanup_free_ char *entries = NULL;

		if (!mkdtemp(dir))
			abort();
		entries = mem_printf("%s/loader/entries", dir);
		io_make_dirs(entries);
		tree_add(&trees, open(dir, O_RDONLY | O_DIRECTORY), "/dev/fuzz", "abc",
			 "label");
	}
	fd = openat(trees.items[0].root, path + 1, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || io_write_all(fd, data, len) < 0)
		abort();
	close(fd);
	return &trees;
}
