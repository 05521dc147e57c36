// SPDX-License-Identifier: GPL-3.0-or-later
// The [test NAME] sections. Which parameters an engine takes is the suite's to know.
#include <string.h>

#include "common/mem.h"
#include "plan/build.h"

#define KEY_MAX     64
#define KEY_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

static bool key_valid(const char *key)
{
	size_t len = strlen(key);

	return len <= KEY_MAX && !strchr("-_.0123456789", key[0]) &&
	       strspn(key, KEY_LETTERS) == len;
}

static void add_param(const struct build *b, struct plan_test *test, const char *title,
		      const struct raw_entry *e)
{
	_cleanup_free_ char *value = NULL;

	if (!key_valid(e->key)) {
		build_fault(b, e,
			    "a key has at most %d of the letters a-z and A-Z, digits, "
			    "-, _ and ., and starts with a letter",
			    KEY_MAX);
		return;
	}
	value = mem_strdup(e->value);
	build_scale(b, e, &value);
	build_origin(b, title, e->key, value, e);
	test->params = mem_grow(test->params, test->n + 1, sizeof(*test->params));
	test->params[test->n++] = (struct plan_param){ .key = mem_strdup(e->key),
						       .value = TAKE_PTR(value),
						       .line = e->line };
}

static void build_test(const struct build *b, const struct raw_section *s)
{
	_cleanup_free_ char *title = mem_printf("test %s", s->name);
	const struct raw_entry *engine = raw_find_entry(s, "engine");
	const char *word = engine && engine->value ? engine->value : s->name;
	struct plan *p = b->plan;
	struct plan_test *test;

	p->tests = mem_grow(p->tests, p->n_tests + 1, sizeof(*p->tests));
	test = &p->tests[p->n_tests++];
	*test = (struct plan_test){ .name = mem_strdup(s->name),
				    .engine = mem_strdup(word),
				    .line = s->line };
	if (engine && !engine->value)
		build_fault(b, engine, "needs a value, e.g. engine = fio");
	else if (!raw_name_valid(word))
		build_fault(b, engine, "\"%s\" is no engine: %s", word, RAW_NAME_RULE);
	build_origin(b, title, "engine", word, engine);
	if (s->n - (engine != NULL) >=
	    RAW_KEYS_MAX) // with the engine they fill a section
		fault_add(b->faults, b->raw->file, s->line,
			  "[%s] has more than %d parameters", title, RAW_KEYS_MAX - 1);
	for (size_t i = 0; i < s->n; i++)
		if (&s->entries[i] != engine)
			add_param(b, test, title, &s->entries[i]);
}

void build_tests(const struct build *b)
{
	bool any = false;

	for (size_t i = 0; i < b->raw->n; i++) {
		const struct raw_section *s = &b->raw->sections[i];

		if (strcmp(s->kind, "test") != 0)
			continue;
		any = true;
		if (!s->ignored)
			build_test(b, s);
	}
	if (!any)
		fault_add(b->faults, b->raw->file, 0,
			  "there is no test; add a section such as [test bonnie]");
}
