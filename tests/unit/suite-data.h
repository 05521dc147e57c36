// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded files for the tests of the suite.
#pragma once

#include "unit.h"

#include <string.h>

#include "common/io.h"

#define SUITE_DATA "tests/data/suite/"

static inline void load_data(const char *name, struct strbuf *to)
{
	char path[256] = SUITE_DATA;

	strncat(path, name, sizeof(path) - strlen(path) - 1);
	if (io_read_file(path, to, 1 << 22) < 0)
		fail_msg("%s: cannot be read (run from the top of the tree)", path);
}
