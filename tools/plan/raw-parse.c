// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the INI text of a plan into sections. libinih takes the lines apart; this file
// hands it one line at a time, because it tells neither line numbers nor empty sections.
#include <ini.h>
#include <stdint.h>
#include <string.h>

#include "common/mem.h"
#include "plan/nearest.h"
#include "plan/raw.h"

#define BLANKS         " \t"
#define NO_SECTION_YET SIZE_MAX

struct reader {
	struct raw_plan *raw;
	struct fault_list *faults;
	const char *next; // text that was not read yet
	int line;
	size_t section; // the index of the current one
	size_t faults_before;
	bool said_no_section;
	char text[RAW_LINE_MAX + 1]; // the current line as given to libinih
};

static void section_name(struct reader *r, const char *kind, const char *name)
{
	struct raw_plan *raw = r->raw;
	size_t max = strcmp(kind, "arm") == 0 ? RAW_ARMS_MAX : RAW_TESTS_MAX;
	const struct raw_section *first;
	size_t same = 0;

	for (size_t i = 0; i < raw->n; i++)
		same += strcmp(raw->sections[i].kind, kind) == 0;
	if (!raw_kind_named(kind) && *name)
		fault_add(r->faults, raw->file, r->line,
			  "[%s] takes no name; write just [%s]", kind, kind);
	else if (raw_kind_named(kind) && !*name)
		fault_add(r->faults, raw->file, r->line,
			  "[%s] needs a name; write e.g. [%s %s]", kind, kind,
			  strcmp(kind, "arm") == 0 ? "plain" : "bonnie");
	else if (raw_kind_named(kind) && !raw_name_valid(name))
		fault_add(r->faults, raw->file, r->line, "[%s %s]: %s", kind, name,
			  RAW_NAME_RULE);
	else if (raw_kind_named(kind) && same >= max)
		fault_add(r->faults, raw->file, r->line,
			  "[%s %s]: a plan has at most %zu of [%s NAME]", kind, name, max,
			  kind);
	else if ((first = raw_find(raw, kind, raw_kind_named(kind) ? name : NULL)))
		fault_add(r->faults, raw->file, r->line,
			  "[%s%s%s] is there twice, first in line %d; %s", kind,
			  *name ? " " : "", name, first->line,
			  *name ? "give each its own name (upper and lower case count as "
				  "one)"
				: "put all keys into one");
	else {
		raw_add_section(raw, kind, *name ? name : NULL, r->line);
		return;
	}
	raw_add_section(raw, kind, name, r->line)->ignored = true;
}

// `text` is what stands between the brackets.
static void section_header(struct reader *r, char *text)
{
	_cleanup_strbuf_ struct strbuf hint = { 0 };
	const char *near;
	char *name;

	text += strspn(text, BLANKS);
	for (size_t len = strlen(text); len > 0 && strchr(BLANKS, text[len - 1]); len--)
		text[len - 1] = '\0';
	name = text + strcspn(text, BLANKS);
	if (*name)
		*name++ = '\0';
	name += strspn(name, BLANKS);
	for (size_t i = 0; raw_kinds[i]; i++) {
		if (strcmp(text, raw_kinds[i]) == 0) {
			section_name(r, raw_kinds[i], name);
			return;
		}
	}
	nearest_hint(&hint, text, raw_kinds);
	fault_add(r->faults, r->raw->file, r->line, "unknown section [%s]%s", text,
		  strbuf_str(&hint));
	near = nearest_word(text, raw_kinds);
	raw_add_section(r->raw, near ? near : "", name, r->line)->ignored = true;
}

static void section_line(struct reader *r)
{
	char *end = strchr(r->text, ']');
	const char *rest = end ? end + 1 + strspn(end + 1, BLANKS) : "";

	r->section = r->raw->n;
	if (end && (!*rest || strchr(";#", *rest))) {
		*end = '\0';
		section_header(r, r->text + 1);
		return;
	}
	if (end)
		fault_add(
			r->faults, r->raw->file, r->line,
			"there is more after the ] of a section; put it on its own line");
	else
		fault_add(
			r->faults, r->raw->file, r->line,
			"a section's [ is not closed; write e.g. [plan] or [arm plain]");
	raw_add_section(r->raw, "", "", r->line)->ignored = true;
}

// Copies the next line, less the blanks around it, to r->text. False at the end.
static bool next_line(struct reader *r)
{
	const char *start = r->next + strspn(r->next, BLANKS);
	size_t whole = strcspn(r->next, "\r\n"), len = strcspn(start, "\r\n");

	if (!*r->next)
		return false;
	r->line++;
	if (r->faults->n - r->faults_before >= RAW_FAULTS_MAX) {
		fault_add(r->faults, r->raw->file, r->line,
			  "there are %d faults up to here; the rest was not read",
			  RAW_FAULTS_MAX);
		r->next = "";
		return false;
	}
	r->next += whole;
	r->next += strncmp(r->next, "\r\n", 2) == 0 ? 2 : *r->next != '\0';
	while (len > 0 && strchr(BLANKS, start[len - 1]))
		len--;
	if (len > RAW_LINE_MAX) {
		fault_add(r->faults, r->raw->file, r->line,
			  "a line has %zu bytes; at most %d are read", len, RAW_LINE_MAX);
		len = 0;
	}
	memcpy(r->text, start, len);
	r->text[len] = '\0';
	return true;
}

// fgets() for libinih. Section lines are taken out: it does not report empty ones.
static char *read_line(char *to, int room, void *arg)
{
	struct reader *r = arg;

	if (!next_line(r))
		return NULL;
	if (r->text[0] == '[') {
		section_line(r);
		r->text[0] = '\0';
	}
	memcpy(to, r->text, strlen(r->text) + 1); // room > RAW_LINE_MAX: see raw_parse()
	return room > RAW_LINE_MAX ? to : NULL;
}

// libinih splits "a.b.c >= 50 MB/s" at the '='; puts it together again.
static void accept_line(struct reader *r, const char *name, const char *value)
{
	size_t len = strlen(name);
	_cleanup_free_ char *text = NULL;
	struct raw_entry e = { .key = (char[]){ "" }, .line = r->line };

	if (value && r->text[len] == '=')
		text = mem_printf("%s= %s", name, value);
	else
		text = mem_printf("%s%s%s", name, value ? " = " : "", value ? value : "");
	e.value = text;
	raw_add_entry(&r->raw->sections[r->section], &e);
}

// Takes the double quotes off a value that is wholly quoted.
static char *unquoted(const char *value)
{
	size_t len = strlen(value);

	if (len >= 2 && value[0] == '"' && value[len - 1] == '"')
		return mem_strndup(value + 1, len - 2);
	return mem_strdup(value);
}

static void key_line(struct reader *r, const char *name, const char *value)
{
	struct raw_section *s = &r->raw->sections[r->section];
	_cleanup_free_ char *key = mem_strdup(name);
	_cleanup_free_ char *plain = value ? unquoted(value) : NULL;
	const struct raw_entry e = { .key = key, .value = plain, .line = r->line };
	const struct raw_entry *first = raw_find_entry(s, name);
	const char *file = r->raw->file;

	if (raw_key_secret(name, false))
		fault_add(r->faults, file, r->line,
			  "a secret does not belong into a plan, which is copied into "
			  "every report; take it away (Assay asks for it, or reads the "
			  "key-file of an open arm)");
	else if (!*name)
		fault_add(r->faults, file, r->line,
			  "there is nothing before the =; write KEY = VALUE");
	else if (!value && strcmp(s->kind, "test") != 0)
		fault_add(r->faults, file, r->line,
			  "this line is no setting; write KEY = VALUE, and ; or # before "
			  "a comment");
	else if (plain && !*plain)
		fault_add(r->faults, file, r->line,
			  "%s has no value; give one or take the line away", name);
	else if (value && value[0] == '"' && (!value[1] || !strchr(value + 1, '"')))
		fault_add(r->faults, file, r->line,
			  "%s: the quote is not closed (a ; after a blank starts a "
			  "comment, also between quotes)",
			  name);
	else if (first)
		fault_add(r->faults, file, r->line,
			  "%s is given twice, first in line %d; keep one", name,
			  first->line);
	else
		raw_add_entry(s, &e);
}

// Is there room for one more line in the current section? If not, the rest of it goes
// to a section that nobody looks at.
static bool section_full(struct reader *r)
{
	const struct raw_section *s = &r->raw->sections[r->section];

	if (s->n < RAW_KEYS_MAX)
		return false;
	fault_add(r->faults, r->raw->file, r->line,
		  "[%s%s%s] has more than %d lines; the rest was not read", s->kind,
		  s->name ? " " : "", s->name ? s->name : "", RAW_KEYS_MAX);
	r->section = r->raw->n;
	raw_add_section(r->raw, "", "", r->line)->ignored = true;
	return true;
}

static int on_line(void *arg, const char *section, const char *name, const char *value)
{
	struct reader *r = arg;

	(void)section; // libinih saw no section line
	if (r->section == NO_SECTION_YET) {
		if (!r->said_no_section)
			fault_add(r->faults, r->raw->file, r->line,
				  "there is no section yet; put [plan] before this line");
		r->said_no_section = true;
	} else if (r->raw->sections[r->section].ignored || section_full(r)) {
		return 1;
	} else if (strcmp(r->raw->sections[r->section].kind, "accept") == 0) {
		accept_line(r, name, value);
	} else {
		key_line(r, name, value);
	}
	return 1;
}

// Is the text what a person can have meant? Only then it is worth taking apart.
static bool check_text(const char *file, const char *text, struct fault_list *faults)
{
	const char *bad = raw_bad_byte(text);
	int line = 1;

	if (strlen(text) > RAW_FILE_MAX) {
		fault_add(faults, file, 0,
			  "the plan has more than %d KiB; that is no plan",
			  RAW_FILE_MAX / 1024);
		return false;
	}
	if (!bad)
		return true;
	if (strncmp(text, "\xff\xfe", 2) == 0 || strncmp(text, "\xfe\xff", 2) == 0) {
		fault_add(faults, file, 0, "the plan is UTF-16; save it as UTF-8");
		return false;
	}
	for (const char *p = text; p < bad; p++)
		line += *p == '\n' || (*p == '\r' && p[1] != '\n');
	if ((unsigned char)*bad >= 0x80)
		fault_add(faults, file, line,
			  "a character is not UTF-8 (Latin-1?); save the plan as UTF-8");
	else
		fault_add(faults, file, line,
			  "there is a control character (code %d); take it away", *bad);
	return false;
}

void raw_parse(struct raw_plan *raw, const char *file, const char *text,
	       struct fault_list *faults)
{
	struct reader r = { .raw = raw,
			    .faults = faults,
			    .next = text,
			    .section = NO_SECTION_YET,
			    .faults_before = faults->n };

	raw->file = file;
	if (!check_text(file, text, faults))
		return;
	if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
		r.next += 3;
	// Debian's libinih is configured at run time. No continuation lines: an indented
	// key is a key. Heap, because its own buffer ends at 200 bytes.
	ini_allow_multiline = false;
	ini_allow_no_value = true;
	ini_use_stack = false;
	ini_max_line = ini_initial_alloc = RAW_LINE_MAX + 16;
	if (ini_parse_stream(read_line, &r, on_line, &r) != 0)
		fault_add(faults, file, r.line, "the plan cannot be read to its end");
}
