// SPDX-License-Identifier: GPL-3.0-or-later
// A small HTTP/1.0 client. No wait of it is longer than its deadline.
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

#include "common/clock.h"
#include "common/http.h"
#include "common/mem.h"
#include "common/number.h"

#define SCHEME "http://"

int http_url_parse(struct http_url *u, const char *url, struct err *err)
{
	const char *host, *end, *path, *colon;

	*u = (struct http_url){ 0 };
	if (strncmp(url, SCHEME, strlen(SCHEME)) != 0)
		return err_set(err, -EINVAL,
			       "%s: only addresses that begin with http:// are known",
			       url);
	for (const char *p = url; *p; p++)
		if (*p <= ' ' || *p == 0x7f)
			return err_set(err, -EINVAL, "%s: holds a blank", url);
	host = url + strlen(SCHEME);
	path = host + strcspn(host, "/");
	end = *host == '[' ? memchr(host, ']', (size_t)(path - host)) : NULL;
	if (*host == '[' && !end)
		return err_set(err, -EINVAL, "%s: a ] is missing", url);
	colon = memchr(end ? end : host, ':', (size_t)(path - (end ? end : host)));
	if (end)
		host++;
	else
		end = colon ? colon : path;
	if (end == host)
		return err_set(err, -EINVAL, "%s: names no host", url);
	u->host = mem_strndup(host, (size_t)(end - host));
	u->port = colon && colon + 1 < path
			  ? mem_strndup(colon + 1, (size_t)(path - colon - 1))
			  : mem_strdup("80");
	u->path = mem_strdup(*path ? path : "/");
	return 0;
}

void http_url_done(struct http_url *u)
{
	free(u->host);
	free(u->port);
	free(u->path);
	*u = (struct http_url){ 0 };
}

// The number of a "Content-Length:" line; -1 when it is not that line or no number.
static int64_t content_length(const char *line, size_t len)
{
	static const char key[] = "content-length:";
	_cleanup_free_ char *value = NULL;
	uint64_t n;

	if (len < sizeof(key) - 1 || strncasecmp(line, key, sizeof(key) - 1) != 0)
		return -1;
	line += sizeof(key) - 1;
	len -= sizeof(key) - 1;
	while (len && (*line == ' ' || *line == '\t')) {
		line++;
		len--;
	}
	while (len && (line[len - 1] == ' ' || line[len - 1] == '\r'))
		len--;
	value = mem_strndup(line, len);
	return number_uint(value, &n) == 0 && n <= INT64_MAX ? (int64_t)n : -1;
}

// "HTTP/1.1 200 OK": the number, or -1.
static int status_of(const char *line, size_t len)
{
	int n = 0;

	if (len < 12 || strncmp(line, "HTTP/1.", 7) != 0 || line[8] != ' ')
		return -1;
	for (size_t i = 9; i < 12; i++) {
		if (line[i] < '0' || line[i] > '9')
			return -1;
		n = n * 10 + line[i] - '0';
	}
	return n >= 100 ? n : -1;
}

int http_head_parse(struct http_head *h, const char *data, size_t len)
{
	const char *line = data, *stop = data + len, *end;

	*h = (struct http_head){ .length = -1 };
	while ((end = memchr(line, '\n', (size_t)(stop - line)))) {
		size_t n = (size_t)(end - line);

		if (line == data) {
			h->status = status_of(line, n);
			if (h->status < 0)
				return -EBADMSG;
		} else if (n == 0 || (n == 1 && *line == '\r')) {
			h->body = (size_t)(end + 1 - data);
			return 0;
		} else if (h->length < 0) {
			h->length = content_length(line, n);
		}
		line = end + 1;
	}
	return len > 65536 ? -EBADMSG : -EAGAIN;
}

static int wait_for(int fd, short events, uint64_t deadline_ns)
{
	struct pollfd p = { .fd = fd, .events = events };
	int r = poll(&p, 1, clock_poll_ms(deadline_ns));

	return r < 0 ? -errno : r == 0 ? -ETIMEDOUT : 0;
}

static int connect_one(const struct addrinfo *a, uint64_t deadline_ns)
{
	_cleanup_close_ int fd = socket(
		a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, a->ai_protocol);
	socklen_t size = sizeof(int);
	int code = 0, r;

	if (fd < 0)
		return -errno;
	if (connect(fd, a->ai_addr, a->ai_addrlen) < 0 && errno != EINPROGRESS)
		return -errno;
	r = wait_for(fd, POLLOUT, deadline_ns);
	if (r < 0)
		return r;
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &size) < 0 || code)
		return code ? -code : -errno;
	return TAKE_FD(fd);
}

static int connect_to(const struct http_url *u, uint64_t deadline_ns, struct err *err)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *all = NULL;
	int r = getaddrinfo(u->host, u->port, &hints, &all);

	if (r != 0)
		return err_set(err, -EHOSTUNREACH, "%s: %s", u->host, gai_strerror(r));
	r = -EHOSTUNREACH;
	for (const struct addrinfo *a = all; a && r < 0; a = a->ai_next)
		r = connect_one(a, deadline_ns);
	freeaddrinfo(all);
	return r < 0 ? err_set(err, r, "%s, port %s: %s", u->host, u->port, strerror(-r))
		     : r;
}

static int send_all(int fd, const void *data, size_t len, uint64_t deadline_ns)
{
	const char *at = data;

	while (len) {
		ssize_t n = send(fd, at, len, MSG_NOSIGNAL);
		int r;

		if (n > 0) {
			at += n;
			len -= (size_t)n;
			continue;
		}
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return -errno;
		r = wait_for(fd, POLLOUT, deadline_ns);
		if (r < 0)
			return r;
	}
	return 0;
}

// Until the server closes: that ends an answer of HTTP/1.0.
static int receive_all(int fd, struct strbuf *to, uint64_t deadline_ns)
{
	char chunk[16384];

	for (;;) {
		ssize_t n = recv(fd, chunk, sizeof(chunk), 0);
		int r;

		if (n == 0)
			return 0;
		if (n > 0) {
			if (to->len + (size_t)n > HTTP_ANSWER_MAX)
				return -EFBIG;
			strbuf_add(to, chunk, (size_t)n);
			continue;
		}
		if (errno != EAGAIN && errno != EINTR)
			return -errno;
		r = wait_for(fd, POLLIN, deadline_ns);
		if (r < 0)
			return r;
	}
}

static int talk(const char *method, const struct http_url *u, const void *data,
		size_t len, uint64_t deadline_ns, struct strbuf *all, struct err *err)
{
	bool v6 = strchr(u->host, ':') != NULL;
	_cleanup_free_ char *head = mem_printf(
		"%s %s HTTP/1.0\r\nHost: %s%s%s:%s\r\nContent-Length: %zu\r\n"
		"Connection: close\r\n\r\n",
		method, u->path, v6 ? "[" : "", u->host, v6 ? "]" : "", u->port, len);
	_cleanup_close_ int fd = connect_to(u, deadline_ns, err);
	int r;

	if (fd < 0)
		return fd;
	r = send_all(fd, head, strlen(head), deadline_ns);
	if (r == 0)
		r = send_all(fd, data, len, deadline_ns);
	// A server that refuses may answer before it has read all.
	if (r == 0 || r == -EPIPE || r == -ECONNRESET)
		r = receive_all(fd, all, deadline_ns);
	return r < 0 ? err_set(err, r, "%s: %s", u->host, strerror(-r)) : 0;
}

int http_request(const char *method, const char *url, const void *data, size_t len,
		 uint64_t timeout_ns, struct strbuf *answer, struct err *err)
{
	_cleanup_strbuf_ struct strbuf all = { 0 };
	struct http_head head;
	struct http_url u;
	int r = http_url_parse(&u, url, err);

	if (u.host)
		r = talk(method, &u, data, len, clock_mono_ns() + timeout_ns, &all, err);
	http_url_done(&u);
	if (r < 0)
		return r;
	r = http_head_parse(&head, strbuf_str(&all), all.len);
	if (r < 0)
		return err_set(err, -EBADMSG, "%s: the answer is no HTTP", url);
	if (head.length >= 0 && (uint64_t)head.length != all.len - head.body)
		return err_set(err, -EIO, "%s: the answer was cut short", url);
	if (answer)
		strbuf_add(answer, all.data + head.body, all.len - head.body);
	return head.status;
}
