// SPDX-License-Identifier: GPL-3.0-or-later
// Version comparison of the UAPI group's Version Format Specification.
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "kexec/version.h"

static bool is_valid(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("~-^.", c));
}

// At a separator in just one of them, that one is the older. Returns 0 when it was
// skipped in both, 2 when it is in neither.
static int compare_separator(const char **a, const char **b, char separator)
{
	if (**a != separator && **b != separator)
		return 2;
	if (**a != separator || **b != separator)
		return **a == separator ? -1 : 1;
	(*a)++;
	(*b)++;
	return 0;
}

static size_t digits(const char **s)
{
	while (**s == '0')
		(*s)++;
	return strspn(*s, "0123456789");
}

static int compare_number(const char **a, const char **b)
{
	size_t n = digits(a), m = digits(b);
	int r = n != m ? (n < m ? -1 : 1) : memcmp(*a, *b, n);

	*a += n;
	*b += m;
	return r;
}

static size_t letters(const char *s)
{
	size_t n = 0;

	while (isalpha((unsigned char)s[n]))
		n++;
	return n;
}

// Capitals sort before small letters, as in ASCII; a prefix before what is longer.
static int compare_letters(const char **a, const char **b)
{
	size_t n = letters(*a), m = letters(*b);
	int r = memcmp(*a, *b, n < m ? n : m);

	*a += n;
	*b += m;
	return r ? r : (n < m ? -1 : n > m);
}

int version_compare(const char *a, const char *b)
{
	for (;;) {
		int r;

		while (*a && !is_valid(*a))
			a++;
		while (*b && !is_valid(*b))
			b++;
		r = compare_separator(&a, &b, '~');
		if (r == -1 || r == 1)
			return r;
		if (r == 0)
			continue;
		if (!*a || !*b)
			return *a ? 1 : *b ? -1 : 0;
		for (const char *separator = "-^."; *separator && r == 2; separator++)
			r = compare_separator(&a, &b, *separator);
		if (r == -1 || r == 1)
			return r;
		if (r == 0)
			continue;
		if (isdigit((unsigned char)*a) || isdigit((unsigned char)*b)) {
			if (!isdigit((unsigned char)*a) || !isdigit((unsigned char)*b))
				return isdigit((unsigned char)*a) ? 1 : -1;
			r = compare_number(&a, &b);
		} else {
			r = compare_letters(&a, &b);
		}
		if (r)
			return r < 0 ? -1 : 1;
	}
}
