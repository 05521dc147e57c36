// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the document of a campaign.
#include <string.h>
#include <sys/stat.h>

#include "common/io.h"
#include "common/mem.h"
#include "report/load.h"

#define RESULT_MAX ((size_t)256 << 20)

struct json_object *report_load(const char *path, struct err *err)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	_cleanup_free_ char *file = NULL;
	struct json_object *result;
	struct stat st;
	int r;

	if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
		file = mem_strdup(path);
	else
		file = mem_printf("%s/result.json", path);
	r = io_read_file(file, &text, RESULT_MAX);
	if (r < 0) {
		err_set(err, r, "cannot read %s: %s", file, strerror(-r));
		return NULL;
	}
	result = json_parse_text(strbuf_str(&text), text.len, err);
	if (!result)
		err_prefix(err, -EBADMSG, "%s", file);
	return result;
}
