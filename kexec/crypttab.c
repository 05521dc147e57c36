// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes crypttab(5).
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/mem.h"
#include "common/strbuf.h"
#include "kexec/crypttab.h"

static char *take_field(const char **at)
{
	const char *s = *at + strspn(*at, " \t");
	size_t len = strcspn(s, " \t\n");

	*at = s + len;
	return len ? mem_strndup(s, len) : NULL;
}

void crypttab_parse(struct crypttab *c, const char *text)
{
	*c = (struct crypttab){ 0 };
	while (*text) {
		size_t len = strcspn(text, "\n");
		_cleanup_free_ char *line = mem_strndup(text, len);
		const char *at = line + strspn(line, " \t");
		struct crypttab_line l = { 0 };

		if (*at && *at != '#') {
			l.name = take_field(&at);
			l.source = take_field(&at);
			l.key = take_field(&at);
			l.options = take_field(&at);
		}
		if (!l.source) { // nothing that could be opened: kept as it is
			free(l.name);
			l = (struct crypttab_line){ .source = mem_strdup(line) };
		}
		c->lines = mem_grow(c->lines, c->n + 1, sizeof(*c->lines));
		c->lines[c->n++] = l;
		text += len + (text[len] == '\n');
	}
}

char *crypttab_format(const struct crypttab *c)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };

	for (size_t i = 0; i < c->n; i++) {
		const struct crypttab_line *l = &c->lines[i];

		if (l->name)
			strbuf_printf(&text, "%s %s%s%s%s%s\n", l->name, l->source,
				      l->key ? " " : "", l->key ? l->key : "",
				      l->options ? " " : "",
				      l->options ? l->options : "");
		else
			strbuf_printf(&text, "%s\n", l->source);
	}
	return mem_strdup(strbuf_str(&text));
}

void crypttab_done(struct crypttab *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->lines[i].name);
		free(c->lines[i].source);
		free(c->lines[i].key);
		free(c->lines[i].options);
	}
	free(c->lines);
	*c = (struct crypttab){ 0 };
}

bool crypttab_asks(const struct crypttab_line *l)
{
	return !l->key || strcmp(l->key, "none") == 0 || strcmp(l->key, "-") == 0;
}

char *crypttab_option(const char *options, const char *key)
{
	size_t n = strlen(key);

	while (options && *options) {
		size_t len = strcspn(options, ",");

		if (len >= n && strncmp(options, key, n) == 0) {
			if (len == n)
				return mem_strdup("");
			if (options[n] == '=')
				return mem_strndup(options + n + 1, len - n - 1);
		}
		options += len + (options[len] == ',');
	}
	return NULL;
}

static bool same(const char *a, const char *b)
{
	return a && b && strcasecmp(a, b) == 0;
}

// "/dev/vg/lv" is "/dev/mapper/vg-lv", with the dashes within names doubled.
static bool same_volume(const char *source, const char *device)
{
	_cleanup_strbuf_ struct strbuf map = { 0 };
	const char *slash;

	if (!device || strncmp(source, "/dev/", 5) != 0)
		return false;
	slash = strchr(source + 5, '/');
	if (!slash || strchr(slash + 1, '/'))
		return false;
	strbuf_puts(&map, "/dev/mapper/");
	for (const char *s = source + 5; *s; s++)
		strbuf_puts(&map, s == slash  ? "-"
				  : *s == '-' ? "--"
					      : (char[]){ *s, 0 });
	return strcmp(strbuf_str(&map), device) == 0;
}

bool crypttab_names(const char *source, const struct handoff_key *key)
{
	static const struct {
		const char *prefix;
		size_t field;
	} ways[] = {
		{ "UUID=", offsetof(struct handoff_key, uuid) },
		{ "/dev/disk/by-uuid/", offsetof(struct handoff_key, uuid) },
		{ "PARTUUID=", offsetof(struct handoff_key, partuuid) },
		{ "/dev/disk/by-partuuid/", offsetof(struct handoff_key, partuuid) },
		{ "LABEL=", offsetof(struct handoff_key, label) },
		{ "/dev/disk/by-label/", offsetof(struct handoff_key, label) },
		{ "PARTLABEL=", offsetof(struct handoff_key, partlabel) },
		{ "/dev/disk/by-partlabel/", offsetof(struct handoff_key, partlabel) },
	};
	_cleanup_free_ char *plain = NULL;

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		size_t n = strlen(ways[i].prefix), len;
		const char *value = source + n;

		if (strncmp(source, ways[i].prefix, n) != 0)
			continue;
		value += *value == '"';
		len = strcspn(value, "\"");
		plain = mem_strndup(value, len);
		return same(plain,
			    *(const char *const *)((const char *)key + ways[i].field));
	}
	return (key->device && strcmp(source, key->device) == 0) ||
	       same_volume(source, key->device);
}
