// SPDX-License-Identifier: GPL-3.0-or-later
// As much of HTTP/1.0 (RFC 1945) as plans and results need: GET, PUT and MKCOL to a plain
// web server, one request per connection.
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "common/strbuf.h"

#define HTTP_ANSWER_MAX ((size_t)64 << 20)

// Where a URL leads. Only http: the results of a rack go to a server in the same rack.
struct http_url {
	char *host, *port; // "10.0.2.2", "80"
	char *path;        // "/plans/a.ini", never empty
};

// The answer's head, apart from its body.
struct http_head {
	int status;     // 200, 404, ...
	int64_t length; // of the body; -1 when the server does not tell
	size_t body;    // where the body begins
};

// Takes a URL apart: http://HOST[:PORT][/PATH], HOST may be [IPv6]. 0 or -EINVAL with
// the reason. The caller calls http_url_done().
int http_url_parse(struct http_url *u, const char *url, struct err *err);
void http_url_done(struct http_url *u);

// Reads the head of an answer. 0; -EAGAIN when it is not complete yet; -EBADMSG when
// this is no HTTP.
int http_head_parse(struct http_head *h, const char *data, size_t len);

// One request: `method` "GET", "PUT" or "MKCOL"; `data` is what is sent. The answer's
// body goes to `answer` (may be NULL). Returns the status (200, 404, ...) or -errno when
// there was no whole answer within `timeout_ns`.
int http_request(const char *method, const char *url, const void *data, size_t len,
		 uint64_t timeout_ns, struct strbuf *answer, struct err *err);
