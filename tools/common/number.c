// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and sizes as text, both ways.
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/number.h"

int number_int(const char *s, int64_t *ret)
{
	long long v;
	char *end;

	if (!isdigit((unsigned char)*s) && *s != '-')
		return -EINVAL;
	errno = 0;
	v = strtoll(s, &end, 10);
	if (end == s || *end)
		return -EINVAL;
	if (errno)
		return -errno;
	*ret = v;
	return 0;
}

int number_uint(const char *s, uint64_t *ret)
{
	unsigned long long v;
	char *end;

	if (!isdigit((unsigned char)*s))
		return -EINVAL;
	errno = 0;
	v = strtoull(s, &end, 10);
	if (end == s || *end)
		return -EINVAL;
	if (errno)
		return -errno;
	*ret = v;
	return 0;
}

// Reads the number at the start of `s`: digits with at most one point. strtod() alone
// would also take exponents, hex, inf and nan.
static int leading_double(const char *s, double *ret, const char **rest)
{
	size_t len = strspn(s, "0123456789."), digits = strspn(s, "0123456789");
	char text[64], *end;

	if (len >= sizeof(text) || (digits == 0 && (s[0] != '.' || len < 2)))
		return -EINVAL;
	memcpy(text, s, len);
	text[len] = '\0';
	errno = 0;
	*ret = strtod(text, &end);
	if (errno)
		return -ERANGE; // it sets no other
	if (*end)
		return -EINVAL; // a second point
	*rest = s + len;
	return 0;
}

int number_double(const char *s, double *ret)
{
	bool minus = *s == '-';
	const char *rest;
	int r = leading_double(s + minus, ret, &rest);

	if (r < 0)
		return r;
	if (minus)
		*ret = -*ret;
	return *rest ? -EINVAL : 0;
}

int number_size(const char *s, uint64_t *ret)
{
	static const struct {
		const char *suffix;
		double factor;
	} units[] = {
		{ "", 1 },         { "B", 1 },     { "K", 0x1p10 },
		{ "KiB", 0x1p10 }, { "kB", 1e3 },  { "M", 0x1p20 },
		{ "MiB", 0x1p20 }, { "MB", 1e6 },  { "G", 0x1p30 },
		{ "GiB", 0x1p30 }, { "GB", 1e9 },  { "T", 0x1p40 },
		{ "TiB", 0x1p40 }, { "TB", 1e12 }, { "k", 0x1p10 },
	};
	const char *rest;
	double v;
	int r = number_uint(s, ret);

	if (r != -EINVAL)
		return r; // a plain count of bytes keeps all its digits
	r = leading_double(s, &v, &rest);
	if (r < 0)
		return r;
	while (*rest == ' ')
		rest++;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(rest, units[i].suffix) != 0)
			continue;
		v *= units[i].factor;
		if (v >= 0x1p64)
			return -ERANGE;
		*ret = (uint64_t)v;
		return 0;
	}
	return -EINVAL;
}

int number_duration(const char *s, uint64_t *ret_ns)
{
	static const struct {
		const char *suffix;
		double seconds;
	} units[] = {
		{ "", 1 },   { "s", 1 },    { "ms", 1e-3 }, { "us", 1e-6 },
		{ "m", 60 }, { "min", 60 }, { "h", 3600 },  { "d", 86400 },
	};
	const char *rest;
	double v;
	int r = leading_double(s, &v, &rest);

	if (r < 0)
		return r;
	while (*rest == ' ')
		rest++;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(rest, units[i].suffix) != 0)
			continue;
		v *= units[i].seconds * 1e9;
		if (v >= 0x1p63)
			return -ERANGE;
		*ret_ns = (uint64_t)llround(v);
		return 0;
	}
	return -EINVAL;
}

int number_bool(const char *s)
{
	static const char *const yes[] = { "yes", "true", "on", "1" };
	static const char *const no[] = { "no", "false", "off", "0" };

	for (size_t i = 0; i < 4; i++) {
		if (strcasecmp(s, yes[i]) == 0)
			return 1;
		if (strcasecmp(s, no[i]) == 0)
			return 0;
	}
	return -EINVAL;
}

static void format_si(struct strbuf *to, double v, const char *unit)
{
	static const char *const prefix[] = { "", "k", "M", "G", "T", "P" };
	size_t i = 0;

	while (v >= 999.5 && i + 1 < sizeof(prefix) / sizeof(prefix[0])) {
		v /= 1000;
		i++;
	}
	strbuf_printf(to, "%.*f %s%s",
		      i == 0 || v >= 99.95 ? 0
		      : v >= 9.995         ? 1
					   : 2,
		      v, prefix[i], unit);
}

void number_format_exact(struct strbuf *to, double value)
{
	char text[32];

	for (int digits = 1; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (isnan(value) || strtod(text, NULL) == value)
			break;
	}
	strbuf_puts(to, isnan(value) ? "nan" : text);
}

void number_format_bytes(struct strbuf *to, uint64_t bytes)
{
	format_si(to, (double)bytes, "B");
}

void number_format_rate(struct strbuf *to, double bytes_per_second)
{
	format_si(to, bytes_per_second, "B/s");
}

void number_format_duration(struct strbuf *to, uint64_t ns)
{
	double s = (double)ns / 1e9;
	uint64_t whole = (ns + 500000000) / 1000000000;

	if (whole >= 3600)
		strbuf_printf(to, "%llu h %llu min", (unsigned long long)(whole / 3600),
			      (unsigned long long)(whole % 3600 / 60));
	else if (whole >= 120)
		strbuf_printf(to, "%llu min %llu s", (unsigned long long)(whole / 60),
			      (unsigned long long)(whole % 60));
	else if (s >= 1)
		strbuf_printf(to, "%.1f s", s);
	else if (s >= 1e-3)
		strbuf_printf(to, "%.1f ms", s * 1e3);
	else
		strbuf_printf(to, "%.1f us", s * 1e6);
}
