// SPDX-License-Identifier: GPL-3.0-or-later
// Edits a kernel command line.
#include <string.h>

#include "common/mem.h"
#include "kexec/options.h"

size_t options_next(const char **at, const char **word)
{
	const char *s = *at + strspn(*at, " \t\n");
	bool quoted = false;

	*word = s;
	for (; *s && (quoted || !strchr(" \t\n", *s)); s++)
		quoted ^= *s == '"';
	*at = s;
	return (size_t)(s - *word);
}

static bool word_is(const char *word, size_t len, const char *key)
{
	size_t n = strlen(key);

	return len >= n && strncmp(word, key, n) == 0 && (len == n || word[n] == '=');
}

bool options_has(const char *options, const char *key)
{
	const char *word;
	size_t len;

	while ((len = options_next(&options, &word)))
		if (word_is(word, len, key))
			return true;
	return false;
}

char *options_without(const char *options, const char *key)
{
	_cleanup_strbuf_ struct strbuf kept = { 0 };
	const char *word;
	size_t len;

	while ((len = options_next(&options, &word))) {
		if (word_is(word, len, key))
			continue;
		strbuf_puts(&kept, kept.len ? " " : "");
		strbuf_add(&kept, word, len);
	}
	return mem_strdup(strbuf_str(&kept));
}

char *options_with(const char *options, const char *more)
{
	return mem_printf("%s%s%s", options, *options && *more ? " " : "", more);
}

static void replace(char **to, char *by)
{
	free(*to);
	*to = by;
}

char *options_for_kexec(const char *options, const struct cmdline *ours)
{
	static const char *const useless[] = { "retain_initrd", "BOOT_IMAGE", "initrd" };
	char *all = mem_strdup(options);

	for (size_t i = 0; i < ARRAY_SIZE(useless); i++)
		replace(&all, options_without(all, useless[i]));
	if (options_has(all, "console"))
		return all;
	for (size_t i = 0; i < ours->n; i++) {
		_cleanup_free_ char *word = NULL;

		if (strcmp(ours->items[i].key, "console") != 0 || !ours->items[i].value)
			continue;
		word = mem_printf("console=%s", ours->items[i].value);
		replace(&all, options_with(all, word));
	}
	return all;
}
