// SPDX-License-Identifier: GPL-3.0-or-later
// A web server's answer, and an address from the kernel command line.
#include <stdint.h>
#include <stdlib.h>

#include "common/http.h"
#include "common/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *url = mem_strndup((const char *)data, size);
	struct http_head head;
	struct http_url u;

	if (http_head_parse(&head, (const char *)data, size) == 0 && head.body > size)
		abort();
	if (http_url_parse(&u, url, NULL) == 0 && (!*u.host || u.path[0] != '/'))
		abort();
	http_url_done(&u);
	return 0;
}
