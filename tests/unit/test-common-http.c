// SPDX-License-Identifier: GPL-3.0-or-later
// HTTP: addresses, heads of answers, and requests to a server of the test's own.
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/http.h"
#include "unit.h"

static const struct {
	const char *url, *host, *port, *path; // host NULL: refused
} urls[] = {
	{ "http://10.0.2.2/plans/a.ini", "10.0.2.2", "80", "/plans/a.ini" },
	{ "http://server:8080/", "server", "8080", "/" },
	{ "http://server", "server", "80", "/" },
	{ "http://server:/x", "server", "80", "/x" },
	{ "http://[fe80::1]:81/x", "fe80::1", "81", "/x" },
	{ "http://[::1]", "::1", "80", "/" },
	{ "http://h/a:b", "h", "80", "/a:b" },
	{ "https://server/", NULL, NULL, NULL },
	{ "ftp://server/", NULL, NULL, NULL },
	{ "http:///x", NULL, NULL, NULL },
	{ "http://:80/x", NULL, NULL, NULL },
	{ "http://[::1/x", NULL, NULL, NULL },
	{ "http://h/a b", NULL, NULL, NULL },
	{ "http://h/a\r\nX: y", NULL, NULL, NULL },
};

static void addresses(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
		struct err err = { 0 };
		struct http_url u;
		int r = http_url_parse(&u, urls[i].url, &err);

		assert_int_equal(r, urls[i].host ? 0 : -EINVAL);
		if (urls[i].host) {
			assert_string_equal(u.host, urls[i].host);
			assert_string_equal(u.port, urls[i].port);
			assert_string_equal(u.path, urls[i].path);
		}
		http_url_done(&u);
	}
}

static const struct {
	const char *text;
	int r, status;
	int64_t length;
	size_t body;
} heads[] = {
	{ "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello", 0, 200, 5, 38 },
	{ "HTTP/1.1 404 Not Found\n\nx", 0, 404, -1, 24 },
	{ "HTTP/1.1 204 \r\nCONTENT-LENGTH:\t0 \r\n\r\n", 0, 204, 0, 37 },
	{ "HTTP/1.0 200 OK\r\nContent-Length: -1\r\n\r\n", 0, 200, -1, 39 },
	{ "HTTP/1.0 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", 0, 200, -1,
	  57 },
	{ "HTTP/1.0 200 OK\r\nX-Content-Length: 3\r\n\r\n", 0, 200, -1, 40 },
	{ "HTTP/1.0 200 OK\r\n", -EAGAIN, 0, 0, 0 },
	{ "", -EAGAIN, 0, 0, 0 },
	{ "HTTP/1.0 2x0 OK\r\n\r\n", -EBADMSG, 0, 0, 0 },
	{ "HTTP/1.0 099 OK\r\n\r\n", -EBADMSG, 0, 0, 0 },
	{ "HTTP/1.0\r\n\r\n", -EBADMSG, 0, 0, 0 },
	{ "220 smtp ready\r\n\r\n", -EBADMSG, 0, 0, 0 },
};

static void heads_of_answers(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		struct http_head h;
		int r = http_head_parse(&h, heads[i].text, strlen(heads[i].text));

		if (r != heads[i].r ||
		    (r == 0 && (h.status != heads[i].status ||
				h.length != heads[i].length || h.body != heads[i].body)))
			fail_msg("%s: %d, status %d, length %lld, body %zu",
				 heads[i].text, r, h.status, (long long)h.length, h.body);
	}
}

struct server {
	int port;
	pid_t pid;
};

static void assert_contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		_exit(1);
}

// Serves one connection: reads up to `wants`, answers with `says`, NULL: never.
static struct server serve(const char *wants, const char *says)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	socklen_t size = sizeof(a);
	char got[4096] = "";
	size_t n = 0;
	pid_t pid;
	int fd;

	assert_int_equal(bind(listener, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(listener, 1), 0);
	assert_int_equal(getsockname(listener, (struct sockaddr *)&a, &size), 0);
	pid = fork();
	if (pid == 0) {
		alarm(20);
		fd = accept(listener, NULL, NULL);
		while (!strstr(got, wants) && n < sizeof(got) - 1) {
			ssize_t r = read(fd, got + n, sizeof(got) - 1 - n);

			if (r <= 0)
				break;
			n += (size_t)r;
		}
		assert_contains(got, wants);
		if (!says)
			pause();
		else if (write(fd, says, strlen(says)) < 0)
			_exit(1);
		_exit(0);
	}
	close(listener);
	return (struct server){ ntohs(a.sin_port), pid };
}

static int ask(const struct server *s, const char *method, const char *data,
	       uint64_t timeout_ns, struct strbuf *answer, struct err *err)
{
	char url[64];

	snprintf(url, sizeof(url), "http://127.0.0.1:%d/a/b.json", s->port);
	return http_request(method, url, data, strlen(data), timeout_ns, answer, err);
}

static void assert_served(const struct server *s)
{
	int status;

	assert_int_equal(waitpid(s->pid, &status, 0), s->pid);
	assert_int_equal(status, 0);
}

static void requests(void **state)
{
	struct server s = serve("GET /a/b.json HTTP/1.0\r\n",
				"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello");
	struct strbuf answer = { 0 };
	struct err err = { 0 };

	(void)state;
	assert_int_equal(ask(&s, "GET", "", 10 * CLOCK_SECOND, &answer, &err), 200);
	assert_string_equal(strbuf_str(&answer), "hello");
	assert_served(&s);
	strbuf_done(&answer);
	s = serve("Content-Length: 7\r\nConnection: close\r\n\r\nresults",
		  "HTTP/1.1 201 Created\r\n\r\n");
	assert_int_equal(ask(&s, "PUT", "results", 10 * CLOCK_SECOND, NULL, &err), 201);
	assert_served(&s);
}

static void what_goes_wrong(void **state)
{
	struct server s =
		serve("GET", "HTTP/1.0 200 OK\r\nContent-Length: 9\r\n\r\nhello");
	struct err err = { 0 };

	(void)state;
	assert_int_equal(ask(&s, "GET", "", 10 * CLOCK_SECOND, NULL, &err), -EIO);
	assert_non_null(strstr(err.text, "cut short"));
	assert_served(&s);
	s = serve("GET", "SSH-2.0-OpenSSH\r\n");
	assert_int_equal(ask(&s, "GET", "", 10 * CLOCK_SECOND, NULL, &err), -EBADMSG);
	assert_served(&s);
	assert_int_equal(ask(&s, "GET", "", 10 * CLOCK_SECOND, NULL, &err),
			 -ECONNREFUSED);
	s = serve("GET", NULL);
	assert_int_equal(ask(&s, "GET", "", CLOCK_SECOND / 5, NULL, &err), -ETIMEDOUT);
	kill(s.pid, SIGKILL);
	waitpid(s.pid, NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses),
		cmocka_unit_test(heads_of_answers),
		cmocka_unit_test(requests),
		cmocka_unit_test(what_goes_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
