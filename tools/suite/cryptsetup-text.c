// SPDX-License-Identifier: GPL-3.0-or-later
// What `cryptsetup benchmark` prints in the C locale.
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "suite/cryptsetup-text.h"

#define MIB   1048576.0
#define WORDS 16

static size_t split(char *line, char **words)
{
	char *save = NULL;
	size_t n = 0;

	for (char *w = strtok_r(line, " \t\r", &save); w && n < WORDS;
	     w = strtok_r(NULL, " \t\r", &save))
		words[n++] = w;
	return n;
}

// A rate at words[0] and [1], or "N/A"; returns how many words it has, 0 when it is none.
static size_t read_rate(char *const *words, size_t n, double *ret)
{
	*ret = -1;
	if (n >= 1 && strcmp(words[0], "N/A") == 0)
		return 1;
	if (n < 2 || strcmp(words[1], "MiB/s") != 0 || number_double(words[0], ret) < 0 ||
	    *ret < 0)
		return 0;
	*ret *= MIB;
	return 2;
}

// Metrics are named as the engine cryptobench names them.
static char *metric_name(const char *cipher, const char *bits, const char *way)
{
	char *name = mem_printf("%s%s%s%s", cipher, bits, *way ? "_" : "", way);

	for (char *p = name; *p; p++)
		*p = *p == '-' ? '_' : *p;
	return name;
}

// "aes-xts  512b  1500.0 MiB/s  1600.0 MiB/s"
static bool read_cipher(char *const *w, size_t n, struct metric_list *to)
{
	static const char *const ways[] = { "encrypt", "decrypt" };
	size_t at = 2, bits = n > 1 ? strlen(w[1]) : 0;
	double rates[2];
	uint64_t ignored;

	if (bits < 2 || w[1][bits - 1] != 'b')
		return false;
	w[1][bits - 1] = '\0';
	for (size_t i = 0; i < 2; i++) {
		size_t used = read_rate(w + at, n - at, &rates[i]);

		if (used == 0)
			return false;
		at += used;
	}
	if (at != n || number_uint(w[1], &ignored) < 0)
		return false;
	for (size_t i = 0; i < 2; i++) {
		_cleanup_free_ char *stem = mem_printf("%s-", w[0]);
		_cleanup_free_ char *name = metric_name(stem, w[1], ways[i]);

		if (rates[i] >= 0)
			metric_add(to, name, "B/s", BETTER_HIGHER, BOUND_EXACT, rates[i]);
	}
	return true;
}

// "PBKDF2-sha256  1234567 iterations per second for 256-bit key"; version 1 ends before
// "for".
static bool read_pbkdf2(char *const *w, size_t n, struct metric_list *to)
{
	_cleanup_free_ char *name = NULL;
	double v;

	if (n < 5 || strncmp(w[0], "PBKDF2-", 7) != 0 ||
	    strcmp(w[2], "iterations") != 0 || strcmp(w[3], "per") != 0 ||
	    strcmp(w[4], "second") != 0)
		return false;
	if (strcmp(w[1], "N/A") == 0)
		return true;
	if (number_double(w[1], &v) < 0 || v < 0)
		return false;
	name = metric_name("pbkdf2-", w[0] + 7, "");
	metric_add(to, name, "1/s", BETTER_HIGHER, BOUND_EXACT, v);
	return true;
}

// "argon2id  4 iterations, 1048576 memory, 4 parallel threads (CPUs) for 256-bit key ..."
static bool read_argon2(char *const *w, size_t n, struct json_object *detail)
{
	static const struct {
		size_t at;
		const char *key;
	} parts[] = { { 1, "iterations" }, { 3, "memory_kib" }, { 5, "threads" } };
	struct json_object *o;
	uint64_t v[ARRAY_SIZE(parts)];

	if (n < 8 || strncmp(w[0], "argon2", 6) != 0 || strcmp(w[6], "parallel") != 0)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (number_uint(w[parts[i].at], &v[i]) < 0)
			return false;
	o = json_new();
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		json_set_uint(o, parts[i].key, v[i]);
	json_set(detail, w[0], o);
	return true;
}

size_t cryptsetup_text_parse(const char *text, size_t len, struct metric_list *to,
			     struct json_object *detail)
{
	_cleanup_free_ char *copy = mem_strndup(text ? text : "", text ? len : 0);
	char *next = copy;
	size_t understood = 0;

	while (next) {
		char *words[WORDS];
		size_t n = split(strsep(&next, "\n"), words);

		understood += n > 0 &&
			      (read_cipher(words, n, to) || read_pbkdf2(words, n, to) ||
			       read_argon2(words, n, detail));
	}
	return understood;
}
