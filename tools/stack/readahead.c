// SPDX-License-Identifier: GPL-3.0-or-later
// The same read-ahead on every layer of a stack.
#include <inttypes.h>
#include <limits.h>

#include "common/err.h"
#include "common/io.h"
#include "common/mem.h"
#include "stack/readahead.h"
#include "stack/tree.h"

#define FILE_OF "%s/sys/class/block/%s/queue/read_ahead_kb"

int readahead_equal(const char *root, const char *name, struct strbuf *odd)
{
	int64_t want = io_read_number(-1, FILE_OF, root, name);
	_cleanup_free_ char *text = mem_printf("%" PRId64, want);
	_cleanup_tree_ struct tree above = { 0 };

	if (want < 0 || want > INT_MAX)
		return -ENOENT;
	tree_above(root, name, &above);
	for (size_t i = 0; i < above.n; i++) {
		_cleanup_free_ char *file = mem_printf(FILE_OF, root, above.names[i]);
		int64_t is = io_read_number(-1, "%s", file);

		if (is < 0 || is == want) // a partition has its disk's queue
			continue;
		io_write_file(file, text);
		is = io_read_number(-1, "%s", file);
		if (is != want)
			strbuf_printf(odd, "%s%s (%" PRId64 " KiB)", odd->len ? ", " : "",
				      above.names[i], is);
	}
	return (int)want;
}
