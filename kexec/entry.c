// SPDX-License-Identifier: GPL-3.0-or-later
// Entries of a boot menu: kept, compared, found, shown.
#include <stdint.h>
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "kexec/entry.h"

struct entry *entry_add(struct entry_list *list, struct entry *e)
{
	if (list->n == 0)
		list->chosen = ENTRY_NONE;
	if (list->n >= ENTRY_MAX) {
		entry_done(e);
		return NULL;
	}
	if (!e->kernel.path)
		e->kernel.path = mem_strdup("");
	if (!e->title)
		e->title = mem_strdup(e->kernel.path);
	if (!e->options)
		e->options = mem_strdup("");
	if (!e->source)
		e->source = mem_strdup("");
	list->items = mem_grow(list->items, list->n + 1, sizeof(*list->items));
	list->items[list->n] = *e;
	*e = (struct entry){ 0 };
	return &list->items[list->n++];
}

void entry_add_initrd(struct entry *e, size_t tree, const char *path)
{
	e->initrds = mem_grow(e->initrds, e->n_initrds + 1, sizeof(*e->initrds));
	e->initrds[e->n_initrds++] = (struct entry_file){ tree, mem_strdup(path) };
}

void entry_add_option(struct entry *e, const char *text)
{
	char *all;

	text += strspn(text, " \t");
	if (!*text)
		return;
	all = e->options && *e->options ? mem_printf("%s %s", e->options, text)
					: mem_strdup(text);
	free(e->options);
	e->options = all;
}

static bool same_file(const struct entry_file *a, const struct entry_file *b)
{
	return a->tree == b->tree && strcmp(a->path, b->path) == 0;
}

static bool same_text(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

static bool same(const struct entry *a, const struct entry *b)
{
	if (same_text(a->source, b->source) && same_text(a->id, b->id))
		return true;
	if (a->kind != b->kind || a->n_initrds != b->n_initrds ||
	    !same_file(&a->kernel, &b->kernel) ||
	    strcmp(a->options, b->options ? b->options : "") != 0)
		return false;
	for (size_t i = 0; i < a->n_initrds; i++)
		if (!same_file(&a->initrds[i], &b->initrds[i]))
			return false;
	return true;
}

bool entry_known(const struct entry_list *list, const struct entry *e)
{
	for (size_t i = 0; i < list->n; i++)
		if (same(&list->items[i], e))
			return true;
	return false;
}

size_t entry_find(const struct entry_list *list, const char *name)
{
	uint64_t number;

	for (size_t i = 0; i < list->n; i++)
		if (list->items[i].id && strcmp(list->items[i].id, name) == 0)
			return i;
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->items[i].title, name) == 0)
			return i;
	if (number_uint(name, &number) == 0 && number >= 1 && number <= list->n)
		return (size_t)number - 1;
	return ENTRY_NONE;
}

static int check_file(const struct entry_file *f, const struct tree_list *trees,
		      const char *what, struct err *err)
{
	const struct tree *t = &trees->items[f->tree];
	int64_t size = tree_size(t, f->path);

	if (size > 0)
		return 0;
	return err_set(err, -ENOENT, "the %s %s on %s %s", what, f->path, t->device,
		       size == 0 ? "is empty" : "cannot be read");
}

int entry_check(const struct entry *e, const struct tree_list *trees, struct err *err)
{
	int r;

	if (e->kind == ENTRY_OTHER)
		return err_set(err, -ENOTSUP, "%s: %s", e->title, e->why ? e->why : "?");
	r = check_file(&e->kernel, trees, "kernel", err);
	for (size_t i = 0; r == 0 && i < e->n_initrds; i++)
		r = check_file(&e->initrds[i], trees, "initrd", err);
	return r;
}

void entry_print(const struct entry_list *list, struct strbuf *to)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct entry *e = &list->items[i];

		strbuf_printf(to, "%c%3zu  %s\n", i == list->chosen ? '*' : ' ', i + 1,
			      e->title);
		if (e->kind == ENTRY_OTHER)
			strbuf_printf(to, "      cannot be started: %s\n",
				      e->why ? e->why : "?");
		else
			strbuf_printf(to, "      %s%s%s\n", e->kernel.path,
				      *e->options ? " " : "", e->options);
	}
}

static void set_file(struct json_object *to, const struct entry_file *f,
		     const struct tree_list *trees)
{
	json_set_str(to, "device", trees->items[f->tree].device);
	json_set_str(to, "path", f->path);
}

struct json_object *entry_json(const struct entry *e, const struct tree_list *trees)
{
	static const char *const kinds[] = { "linux", "uki", "other" };
	struct json_object *o = json_new(), *kernel = json_new();
	struct json_object *initrds = json_new_array();

	json_set_str(o, "kind", kinds[e->kind]);
	json_set_str(o, "title", e->title);
	json_set_str(o, "id", e->id);
	json_set_str(o, "version", e->version);
	json_set_str(o, "source", e->source);
	set_file(kernel, &e->kernel, trees);
	json_set(o, "kernel", kernel);
	for (size_t i = 0; i < e->n_initrds; i++) {
		struct json_object *initrd = json_new();

		set_file(initrd, &e->initrds[i], trees);
		json_append(initrds, initrd);
	}
	json_set(o, "initrds", initrds);
	json_set_str(o, "options", e->options);
	json_set_str(o, "why", e->why);
	return o;
}

struct json_object *entry_list_json(const struct entry_list *list,
				    const struct tree_list *trees)
{
	struct json_object *o = json_new(), *entries = json_new_array();

	if (list->n && list->chosen != ENTRY_NONE)
		json_set_uint(o, "default", list->chosen);
	else
		json_set(o, "default", NULL);
	for (size_t i = 0; i < list->n; i++)
		json_append(entries, entry_json(&list->items[i], trees));
	json_set(o, "entries", entries);
	return o;
}

void entry_done(struct entry *e)
{
	free(e->title);
	free(e->id);
	free(e->version);
	free(e->source);
	free(e->kernel.path);
	for (size_t i = 0; i < e->n_initrds; i++)
		free(e->initrds[i].path);
	free(e->initrds);
	free(e->options);
	free(e->why);
	*e = (struct entry){ 0 };
}

void entry_list_done(struct entry_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		entry_done(&list->items[i]);
	free(list->items);
	*list = (struct entry_list){ 0 };
}
