// SPDX-License-Identifier: GPL-3.0-or-later
// The sections and keys of a plan as written: find, add, free, and what a name may be.
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "common/mem.h"
#include "plan/raw.h"

#define ASCII_LOWER "abcdefghijklmnopqrstuvwxyz"
#define ASCII_UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define ASCII_DIGIT "0123456789"

const char *const raw_kinds[] = { "plan", "target", "arm", "test", "accept", NULL };

bool raw_kind_named(const char *kind)
{
	return strcmp(kind, "arm") == 0 || strcmp(kind, "test") == 0;
}

bool raw_name_valid(const char *name)
{
	size_t len = strlen(name);

	return len >= 1 && len <= RAW_NAME_MAX && name[0] != '-' && name[0] != '_' &&
	       strspn(name, ASCII_LOWER ASCII_UPPER ASCII_DIGIT "-_") == len;
}

bool raw_key_secret(const char *key, bool cmdline)
{
	static const char *const words[] = { "passphrase", "passwd", "password",
					     "secret" };
	// These name a file and a length; neither is a secret.
	static const char *const harmless[] = { "key-file", "key-size" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strcasestr(key, words[i]))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(harmless); i++)
		if (strcmp(key, harmless[i]) == 0)
			return false;
	return cmdline && strcasestr(key, "key");
}

// Length of the UTF-8 character at `s`, 0 when it is none: no overlong forms, no
// surrogates, nothing beyond U+10FFFF.
static size_t utf8_len(const unsigned char *s)
{
	size_t len = s[0] < 0x80 ? 1 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;

	if ((s[0] >= 0x80 && s[0] < 0xc2) || s[0] > 0xf4)
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90))
		return 0;
	return len;
}

const char *raw_bad_byte(const char *text)
{
	while (*text) {
		size_t len = utf8_len((const unsigned char *)text);

		if (len == 0 || *text == 0x7f ||
		    (len == 1 && (unsigned char)*text < ' ' && !strchr("\t\r\n", *text)))
			return text;
		text += len;
	}
	return NULL;
}

// Names meet on FAT, where "Plain" and "plain" are one folder: case counts for nothing.
struct raw_section *raw_find(const struct raw_plan *raw, const char *kind,
			     const char *name)
{
	for (size_t i = 0; i < raw->n; i++) {
		struct raw_section *s = &raw->sections[i];

		if (!s->ignored && strcmp(s->kind, kind) == 0 &&
		    (!name || strcasecmp(s->name, name) == 0))
			return s;
	}
	return NULL;
}

struct raw_section *raw_add_section(struct raw_plan *raw, const char *kind,
				    const char *name, int line)
{
	struct raw_section *s;

	raw->sections = mem_grow(raw->sections, raw->n + 1, sizeof(*raw->sections));
	s = &raw->sections[raw->n++];
	*s = (struct raw_section){ .kind = kind, .name = mem_strdup(name), .line = line };
	return s;
}

struct raw_entry *raw_find_entry(const struct raw_section *section, const char *key)
{
	for (size_t i = 0; i < section->n; i++)
		if (strcmp(section->entries[i].key, key) == 0)
			return &section->entries[i];
	return NULL;
}

void raw_add_entry(struct raw_section *section, const struct raw_entry *copy_of)
{
	struct raw_entry *e;

	section->entries = mem_grow(section->entries, section->n + 1, sizeof(*e));
	e = &section->entries[section->n++];
	*e = *copy_of;
	e->key = mem_strdup(copy_of->key);
	e->value = mem_strdup(copy_of->value);
}

void raw_done(struct raw_plan *raw)
{
	for (size_t i = 0; i < raw->n; i++) {
		for (size_t j = 0; j < raw->sections[i].n; j++) {
			free(raw->sections[i].entries[j].key);
			free(raw->sections[i].entries[j].value);
		}
		free(raw->sections[i].entries);
		free(raw->sections[i].name);
	}
	free(raw->sections);
	*raw = (struct raw_plan){ 0 };
}
