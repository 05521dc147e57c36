// SPDX-License-Identifier: GPL-3.0-or-later
// Puts "assay.SECTION.KEY=VALUE" of the kernel command line over a plan as written. No
// message repeats a value: it may be a secret at the wrong place.
#include <string.h>

#include "common/mem.h"
#include "plan/nearest.h"
#include "plan/raw.h"

#define PREFIX "assay."

// Keys that others read: where the plan is, and what the machine was booted from and by.
static const char *const elsewhere[] = { "plan", "medium", "server", "menu", NULL };

// Short forms.
static const struct {
	const char *key, *section, *means;
} aliases[] = {
	{ "then", "plan", "then" },
};

static void unknown_section(const char *key, struct fault_list *faults)
{
	static const char *const known[] = {
		"plan", "target", "arm", "test", "then", NULL
	};
	_cleanup_free_ char *word = mem_strndup(key, strcspn(key, "."));
	_cleanup_strbuf_ struct strbuf hint = { 0 };

	if (strcmp(word, "accept") == 0) {
		fault_add(faults, RAW_CMDLINE, 0,
			  PREFIX "%s: [accept] can only be changed in the plan", key);
		return;
	}
	nearest_hint(&hint, word, known);
	fault_add(faults, RAW_CMDLINE, 0, "unknown " PREFIX "%s%s", key,
		  strbuf_str(&hint));
}

static void no_setting(const char *key, struct fault_list *faults)
{
	fault_add(faults, RAW_CMDLINE, 0,
		  PREFIX "%s is no setting; write " PREFIX "SECTION.KEY=VALUE, or " PREFIX
			 "arm.NAME.KEY=VALUE for an arm, the same for a test",
		  key);
}

static void unknown_name(const struct raw_plan *raw, const char *kind, const char *name,
			 struct fault_list *faults)
{
	_cleanup_strbuf_ struct strbuf hint = { 0 };
	_cleanup_free_ const char **known = mem_new(raw->n + 1, sizeof(*known));
	size_t n = 0;

	for (size_t i = 0; i < raw->n; i++)
		if (!raw->sections[i].ignored && strcmp(raw->sections[i].kind, kind) == 0)
			known[n++] = raw->sections[i].name;
	nearest_hint(&hint, name, known);
	fault_add(faults, RAW_CMDLINE, 0,
		  PREFIX "%s.%s: the plan has no %s of that name%s", kind, name, kind,
		  strbuf_str(&hint));
}

static bool value_good(const char *key, const char *value, struct fault_list *faults)
{
	size_t len = value ? strlen(value) : 0;
	const char *why = NULL;

	if (!value)
		return true;
	if (!*value)
		why = "has no value";
	else if (raw_bad_byte(value) || strpbrk(value, "\r\n"))
		why = "is not printable UTF-8 text";
	else if (len > RAW_LINE_MAX / 2)
		why = "is too long";
	else if (strstr(value, " ;") || strstr(value, "\t;") || value[0] == ';')
		why = "has a ; after a blank, which starts a comment in a plan";
	if (why)
		fault_add(faults, RAW_CMDLINE, 0, PREFIX "%s %s", key, why);
	return !why;
}

// `path` is the whole key, for messages; it lives as long as the overrides do.
static void set(struct raw_section *s, const char *key, const char *value,
		const char *path)
{
	const struct raw_entry e = { .key = mem_strdup(key),
				     .value = mem_strdup(value),
				     .cmdline = path };
	struct raw_entry *old = raw_find_entry(s, key);

	if (old) {
		free(old->key);
		free(old->value);
		*old = e;
		return;
	}
	raw_add_entry(s, &e);
	free(e.key);
	free(e.value);
}

// Finds the section that "arm.plain.stack" speaks of, and sets `*key` to "stack".
static struct raw_section *find_section(struct raw_plan *raw, const char *path,
					const char **key, struct fault_list *faults)
{
	_cleanup_free_ char *kind = mem_strndup(path, strcspn(path, "."));
	_cleanup_free_ char *name = NULL;
	struct raw_section *s = NULL;
	const char *rest = path + strlen(kind), *known = NULL;

	for (size_t i = 0; raw_kinds[i]; i++)
		if (strcmp(raw_kinds[i], kind) == 0 && strcmp(kind, "accept") != 0)
			known = raw_kinds[i];
	if (!known) {
		unknown_section(path, faults);
		return NULL;
	}
	if (!*rest) {
		no_setting(path, faults);
		return NULL;
	}
	*key = rest + 1;
	if (raw_kind_named(known)) {
		name = mem_strndup(rest + 1, strcspn(rest + 1, "."));
		*key += strlen(name);
		if (**key == '.')
			(*key)++;
		s = raw_find(raw, known, name);
		if (!s) {
			unknown_name(raw, known, name, faults);
			return NULL;
		}
	}
	if (!s)
		s = raw_find(raw, known, NULL);
	return s ? s : raw_add_section(raw, known, NULL, 0);
}

static void apply(struct raw_plan *raw, const char *path, const char *value,
		  struct fault_list *faults)
{
	const char *key = NULL, *last = strrchr(path, '.');
	_cleanup_free_ char *first = mem_strndup(path, strcspn(path, "."));
	struct raw_section *s = NULL;

	if (raw_key_secret(last ? last + 1 : path, true) || raw_key_secret(first, true)) {
		fault_add(faults, RAW_CMDLINE, 0,
			  PREFIX "%s looks like a secret; the kernel command line is "
				 "shown to everybody, so it is refused and must be "
				 "taken for known. Assay asks for it, or reads the "
				 "key-file of an open arm",
			  path);
		return;
	}
	for (size_t i = 0; elsewhere[i]; i++)
		if (strcmp(path, elsewhere[i]) == 0)
			return;
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++) {
		if (strcmp(path, aliases[i].key) != 0)
			continue;
		key = aliases[i].means;
		s = raw_find(raw, aliases[i].section, NULL);
		if (!s)
			s = raw_add_section(raw, aliases[i].section, NULL, 0);
	}
	if (!s)
		s = find_section(raw, path, &key, faults);
	if (!s || !value_good(path, value, faults))
		return;
	if (!*key || (!value && strcmp(s->kind, "test") != 0))
		no_setting(path, faults);
	else
		set(s, key, value, path - strlen(PREFIX));
}

void raw_override(struct raw_plan *raw, const struct cmdline *overrides,
		  struct fault_list *faults)
{
	for (size_t i = 0; overrides && i < overrides->n; i++) {
		const char *key = overrides->items[i].key;
		const char *value = overrides->items[i].value;
		_cleanup_free_ char *trimmed = NULL;

		if (strncmp(key, PREFIX, strlen(PREFIX)) != 0)
			continue;
		if (raw_bad_byte(key)) {
			fault_add(faults, RAW_CMDLINE, 0,
				  "an " PREFIX "* key is not printable UTF-8 text");
			continue;
		}
		if (value) {
			size_t len;

			value += strspn(value, " \t\r\n");
			for (len = strlen(value);
			     len > 0 && strchr(" \t\r\n", value[len - 1]);)
				len--;
			trimmed = mem_strndup(value, len);
		}
		apply(raw, key + strlen(PREFIX), trimmed, faults);
	}
}
