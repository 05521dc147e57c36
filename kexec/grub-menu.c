// SPDX-License-Identifier: GPL-3.0-or-later
// GRUB's menu: entries and submenus are collected, run, and the default is found.
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "kexec/grub-private.h"

static struct grub_item *add_item(struct grub *g)
{
	struct grub_menu *m = g->menu;

	m->items = mem_grow(m->items, m->n + 1, sizeof(*m->items));
	m->items[m->n] = (struct grub_item){ .file = g->file, .home = g->home };
	return &m->items[m->n++];
}

void grub_menu_add_loaded(struct grub *g, size_t first)
{
	struct grub_item *item = add_item(g);

	item->loaded = true;
	item->first = first;
	item->n = g->to->n - first;
}

// Does that option of menuentry take a value of its own?
static bool takes_value(const char *arg)
{
	static const char *const options[] = { "--class", "--users", "--hotkey",
					       "--source", "--id" };

	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (strcmp(arg, options[i]) == 0)
			return true;
	return false;
}

void grub_menu_add(struct grub *g, const struct grub_args *a, const struct grub_node *n)
{
	struct grub_item *item;

	if (g->menu->n >= ENTRY_MAX || !n->has_body || g->entry)
		return;
	item = add_item(g);
	grub_args_add(&item->params, a->argv[0]);
	for (size_t i = 1; i < a->argc; i++) {
		const char *arg = a->argv[i];

		if (takes_value(arg) && i + 1 < a->argc) {
			i++;
			if (strcmp(arg, "--id") == 0 && !item->id)
				item->id = mem_strdup(a->argv[i]);
		} else if (strncmp(arg, "--id=", 5) == 0 && !item->id) {
			item->id = mem_strdup(arg + 5);
		} else if (strncmp(arg, "--", 2) != 0) {
			if (!item->title)
				item->title = mem_strdup(arg);
			grub_args_add(&item->params, arg);
		}
	}
	if (!item->title)
		item->title = mem_strdup("");
	item->body = n->body;
	if (strcmp(a->argv[0], "submenu") == 0)
		item->sub = mem_new(1, sizeof(*item->sub));
}

void grub_entry_end(struct grub *g, struct entry *e)
{
	if (e->kernel.path)
		entry_add(g->to, e);
	else
		entry_done(e);
}

// Runs a body with variables and parameters of its own, as GRUB opens a new context.
// GRUB keeps just the exported variables; with all of them a script that forgot an
// export is read as it was meant.
static void run_body(struct grub *g, const struct grub_item *item)
{
	struct grub_vars vars = g->vars;
	struct grub_args params = g->params;
	const char *file = g->file;
	size_t home = g->home;

	g->params = (struct grub_args){ 0 };
	for (size_t i = 0; i < item->params.argc; i++)
		grub_args_add(&g->params, item->params.argv[i]);
	grub_vars_copy(&vars, &g->vars);
	grub_set(g, "chosen", item->title);
	g->file = item->file;
	g->home = item->home;
	grub_run_list(g, item->body);
	if (g->flow != GRUB_STOP)
		g->flow = GRUB_GO;
	if (item->sub) // its entries see what its body set
		grub_menu_run(g, item->sub);
	g->file = file;
	g->home = home;
	grub_args_done(&g->params);
	g->params = params;
	grub_vars_done(&g->vars);
	g->vars = vars;
}

static void run_submenu(struct grub *g, const struct grub_menu *m, struct grub_item *item)
{
	_cleanup_free_ char *title = mem_printf("%s%s > ", m->title, item->title);
	_cleanup_free_ char *id =
		mem_printf("%s%s>", m->id, item->id ? item->id : item->title);
	struct grub_menu *outer = g->menu;

	if (++g->calls > GRUB_CALLS_MAX) {
		grub_stop(g, -ELOOP, "its submenus are too deep");
	} else {
		item->sub->title = title;
		item->sub->id = id;
		g->menu = item->sub;
		run_body(g, item);
		g->menu = outer;
		item->sub->title = item->sub->id = NULL;
	}
	g->calls--;
}

static void run_entry(struct grub *g, const struct grub_menu *m, struct grub_item *item)
{
	struct entry e = {
		.title = mem_printf("%s%s", m->title, item->title),
		.id = mem_printf("%s%s", m->id, item->id ? item->id : item->title),
		.source = mem_strdup(item->file),
	};
	struct grub_menu inner = { .title = m->title, .id = m->id };
	struct grub_menu *outer = g->menu;

	g->entry = &e;
	g->menu = &inner; // what a configfile in the body adds
	run_body(g, item);
	g->entry = NULL;
	grub_entry_end(g, &e);
	if (inner.n && ++g->calls <= GRUB_CALLS_MAX) {
		grub_menu_run(g, &inner);
		g->calls--;
	}
	g->menu = outer;
	grub_menu_done(&inner);
}

void grub_menu_run(struct grub *g, struct grub_menu *m)
{
	for (size_t i = 0; i < m->n && g->flow == GRUB_GO; i++) {
		struct grub_item *item = &m->items[i];

		if (item->loaded)
			continue;
		item->first = g->to->n;
		if (item->sub)
			run_submenu(g, m, item);
		else
			run_entry(g, m, item);
		item->n = g->to->n - item->first;
	}
}

// The next part of "a>b": ">>" stands for a '>' in a name.
static char *take_part(const char **at)
{
	_cleanup_strbuf_ struct strbuf part = { 0 };

	for (; **at; (*at)++) {
		if ((*at)[0] == '>' && (*at)[1] != '>')
			break;
		*at += (*at)[0] == '>';
		strbuf_add(&part, *at, 1);
	}
	*at += **at == '>';
	return mem_strdup(strbuf_str(&part));
}

// By number: entries that blscfg gave count one by one.
static size_t find_number(const struct grub_menu *m, uint64_t number, const char *rest)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct grub_item *item = &m->items[i];
		uint64_t span = item->loaded ? item->n : 1;

		if (number >= span) {
			number -= span;
			continue;
		}
		if (item->sub && *rest)
			return grub_menu_find(item->sub, rest);
		if (item->loaded)
			return item->first + (size_t)number;
		return item->n ? item->first : ENTRY_NONE;
	}
	return ENTRY_NONE;
}

size_t grub_menu_find(const struct grub_menu *m, const char *name)
{
	_cleanup_free_ char *part = take_part(&name);
	uint64_t number;

	if (number_uint(part, &number) == 0)
		return find_number(m, number, name);
	for (size_t i = 0; i < m->n; i++) {
		const struct grub_item *item = &m->items[i];

		if (item->loaded || (strcmp(item->title, part) != 0 &&
				     (!item->id || strcmp(item->id, part) != 0)))
			continue;
		if (item->sub && *name)
			return grub_menu_find(item->sub, name);
		return item->n ? item->first : ENTRY_NONE;
	}
	return ENTRY_NONE;
}

void grub_menu_done(struct grub_menu *m)
{
	for (size_t i = 0; i < m->n; i++) {
		struct grub_item *item = &m->items[i];

		free(item->title);
		free(item->id);
		grub_args_done(&item->params);
		if (item->sub)
			grub_menu_done(item->sub);
		free(item->sub);
	}
	free(m->items);
	*m = (struct grub_menu){ 0 };
}
