// SPDX-License-Identifier: GPL-3.0-or-later
// Plans from a web server, and results to one.
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/clock.h"
#include "common/http.h"
#include "common/io.h"
#include "common/mem.h"
#include "run-network.h"

#define PLAN_TIME    (20 * CLOCK_SECOND)
#define PUT_TIME     (120 * CLOCK_SECOND)
#define DMI          "/sys/class/dmi/id/"
#define FILE_MAX     ((size_t)64 << 20)
#define DEPTH_MAX    4
#define STATUS_OK(s) ((s) >= 200 && (s) < 300)

// Text of the firmware's as part of a URL: what is no letter, digit, '.', '-' or '_' is
// written as '_', so that an administrator can make a file of that name.
static char *as_name(const char *text, bool lower)
{
	char *name = mem_strdup(text);

	for (char *p = name; p && *p; p++) {
		if (!isalnum((unsigned char)*p) && !strchr("-._", *p))
			*p = '_';
		if (lower)
			*p = (char)tolower((unsigned char)*p);
	}
	return name;
}

static int get(const char *url, struct strbuf *text, struct err *err)
{
	struct err why = { 0 };
	int r = http_request("GET", url, NULL, 0, PLAN_TIME, text, &why);

	if (r < 0)
		return err_set(err, r, "%s", why.text);
	if (r == 404 || r == 403)
		return err_set(err, -ENOENT, "%s: the server has no such file", url);
	if (!STATUS_OK(r))
		return err_set(err, -EREMOTEIO, "%s: the server says %d", url, r);
	return 0;
}

// Tries folder + name + ".ini"; -ENOENT when there is no such file, or no such name.
static int try_name(const char *folder, char *name, char **file, struct strbuf *text,
		    struct err *err)
{
	_cleanup_free_ char *mine = name;
	int r;

	if (!mine || !*mine)
		return -ENOENT;
	free(*file);
	*file = mem_printf("%s%s.ini", folder, mine);
	r = get(*file, text, err);
	if (r < 0)
		strbuf_done(text);
	return r;
}

static int try_cards(const char *folder, char **file, struct strbuf *text,
		     struct err *err)
{
	DIR *dir = opendir("/sys/class/net");
	struct dirent *e;
	int r = -ENOENT;

	while (dir && r == -ENOENT && (e = readdir(dir))) {
		_cleanup_free_ char *mac =
			io_read_line("/sys/class/net/%s/address", e->d_name);

		for (char *p = mac; p && *p; p++)
			if (*p == ':')
				*p = '-';
		if (mac && e->d_name[0] != '.' && strcmp(e->d_name, "lo") != 0)
			r = try_name(folder, TAKE_PTR(mac), file, text, err);
	}
	if (dir)
		closedir(dir);
	return r;
}

int network_plan(const char *url, char **file, struct strbuf *text, struct err *err)
{
	static const struct {
		const char *attribute;
		bool lower;
	} ids[] = { { DMI "product_serial", false }, { DMI "product_uuid", true } };
	int r;

	*file = NULL;
	if (!*url || url[strlen(url) - 1] != '/') {
		*file = mem_strdup(url);
		return get(url, text, err);
	}
	r = try_cards(url, file, text, err);
	for (size_t i = 0; r == -ENOENT && i < ARRAY_SIZE(ids); i++) {
		_cleanup_free_ char *id = io_read_line("%s", ids[i].attribute);

		r = try_name(url, as_name(id, ids[i].lower), file, text, err);
	}
	if (r == -ENOENT)
		r = try_name(url, mem_strdup("default"), file, text, err);
	if (r == -ENOENT)
		err_set(err, r, "%s has no plan for this machine, and no default.ini",
			url);
	return r;
}

// Folders that a WebDAV server wants to be told of; others refuse, and need none.
static void make_collections(const char *url)
{
	_cleanup_free_ char *copy = mem_strdup(url);
	char *at = strstr(copy, "://");

	at = at ? strchr(at + 3, '/') : NULL;
	while (at && (at = strchr(at + 1, '/'))) {
		struct err ignored = { 0 };

		*at = '\0';
		http_request("MKCOL", copy, NULL, 0, PLAN_TIME, NULL, &ignored);
		*at = '/';
	}
}

static bool is_there(const char *url, const struct strbuf *data)
{
	_cleanup_strbuf_ struct strbuf back = { 0 };
	struct err ignored = { 0 };
	int r = http_request("GET", url, NULL, 0, PUT_TIME, &back, &ignored);

	return STATUS_OK(r) && back.len == data->len &&
	       (!data->len || memcmp(back.data, data->data, data->len) == 0);
}

static int put(const char *path, const char *url, struct err *err)
{
	_cleanup_strbuf_ struct strbuf data = { 0 };
	int r = io_read_file(path, &data, FILE_MAX);

	if (r < 0)
		return err_set(err, r, "%s: %s", path, strerror(-r));
	if (is_there(url, &data))
		return 0;
	r = http_request("PUT", url, data.data, data.len, PUT_TIME, NULL, err);
	if (r == 404 || r == 409) {
		make_collections(url);
		r = http_request("PUT", url, data.data, data.len, PUT_TIME, NULL, err);
	}
	if (r < 0)
		return r;
	if (!STATUS_OK(r))
		return err_set(err, -EREMOTEIO, "%s: the server says %d", url, r);
	if (!is_there(url, &data))
		return err_set(err, -EIO,
			       "%s: what the server gives back is not what was "
			       "sent",
			       url);
	return 0;
}

static int upload(const char *dir, const char *url, int depth, struct err *err)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	int n = 0, r = 0;

	if (!d || depth > DEPTH_MAX) {
		r = d ? -ELOOP : -errno;
		if (d)
			closedir(d);
		return err_set(err, r, "%s: %s", dir, strerror(-r));
	}
	while (r >= 0 && (e = readdir(d))) {
		_cleanup_free_ char *path = mem_printf("%s/%s", dir, e->d_name);
		_cleanup_free_ char *name = as_name(e->d_name, false);
		_cleanup_free_ char *to = mem_printf("%s/%s", url, name);
		struct stat st;

		if (e->d_name[0] == '.' || stat(path, &st) < 0)
			continue;
		r = S_ISDIR(st.st_mode) ? upload(path, to, depth + 1, err)
					: put(path, to, err);
		n += S_ISDIR(st.st_mode) ? r : 1;
	}
	closedir(d);
	return r < 0 ? r : n;
}

int network_upload(const char *dir, const char *url, struct err *err)
{
	return upload(dir, url, 0, err);
}
