// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a GRUB script: control flow, functions, files.
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "kexec/grub-private.h"

void grub_stop(struct grub *g, int code, const char *fmt, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list ap;

	if (g->flow == GRUB_STOP)
		return;
	va_start(ap, fmt);
	text = mem_vprintf(fmt, ap);
	va_end(ap);
	g->flow = GRUB_STOP;
	if (!g->err->code)
		err_set(g->err, code, "%s: %s", g->file, text);
}

// A loop takes what its body asked for: true when the loop is to end.
static bool leave_loop(struct grub *g)
{
	if (g->flow == GRUB_GO)
		return false;
	if (g->flow != GRUB_BREAK && g->flow != GRUB_CONTINUE)
		return true;
	if (g->levels > 1) { // meant for a loop further out
		g->levels--;
		return true;
	}
	if (g->flow == GRUB_BREAK) {
		g->flow = GRUB_GO;
		return true;
	}
	g->flow = GRUB_GO;
	return false;
}

// Every command and every turn of a loop is a step, so that all scripts end.
static bool step(struct grub *g, int line)
{
	if (++g->steps > GRUB_STEPS_MAX)
		grub_stop(g, -ELOOP, "line %d: it runs without end", line);
	return g->flow == GRUB_GO;
}

static void run_while(struct grub *g, const struct grub_node *n)
{
	bool wanted = n->kind == GRUB_WHILE;
	int status = 0;

	while (step(g, n->line)) {
		grub_run_list(g, n->cond);
		if (g->flow != GRUB_GO || (g->status == 0) != wanted)
			break;
		grub_run_list(g, n->body);
		status = g->status;
		if (leave_loop(g))
			break;
	}
	g->status = status;
}

static void run_for(struct grub *g, const struct grub_node *n)
{
	struct grub_args words;

	if (grub_expand(g, n, &words) < 0)
		grub_stop(g, -E2BIG, "line %d: too many words", n->line);
	for (size_t i = 0; i < words.argc && g->flow == GRUB_GO; i++) {
		grub_set(g, n->name, words.argv[i]);
		grub_run_list(g, n->body);
		if (leave_loop(g))
			break;
	}
	grub_args_done(&words);
}

static void define(struct grub *g, const struct grub_node *n)
{
	struct grub_function *f = NULL;

	for (size_t i = 0; i < g->n_functions; i++)
		if (strcmp(g->functions[i].name, n->name) == 0)
			f = &g->functions[i];
	if (!f) {
		g->functions =
			mem_grow(g->functions, g->n_functions + 1, sizeof(*g->functions));
		f = &g->functions[g->n_functions++];
		f->name = mem_strdup(n->name);
	}
	f->body = n->body;
	g->status = 0;
}

static const struct grub_function *find_function(const struct grub *g, const char *name)
{
	for (size_t i = 0; i < g->n_functions; i++)
		if (strcmp(g->functions[i].name, name) == 0)
			return &g->functions[i];
	return NULL;
}

static void call(struct grub *g, const struct grub_function *f, struct grub_args *args,
		 int line)
{
	struct grub_args outer = g->params;

	if (++g->calls > GRUB_CALLS_MAX) {
		grub_stop(g, -ELOOP, "line %d: functions call each other too deeply",
			  line);
	} else {
		g->params = *args; // moved: `shift` and `setparams` may change it
		*args = (struct grub_args){ 0 };
		grub_run_list(g, f->body);
		grub_args_done(&g->params);
		g->params = outer;
		if (g->flow == GRUB_RETURN)
			g->flow = GRUB_GO;
	}
	g->calls--;
}

// "name=value" as a command of its own.
static bool assign(struct grub *g, const struct grub_args *a)
{
	char *equals = strchr(a->argv[0], '=');
	size_t len = equals ? (size_t)(equals - a->argv[0]) : 0;
	_cleanup_free_ char *name = NULL;

	if (len == 0 || a->argc != 1 || isdigit((unsigned char)a->argv[0][0]))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)a->argv[0][i]) && a->argv[0][i] != '_')
			return false;
	name = mem_strndup(a->argv[0], len);
	grub_set(g, name, equals + 1);
	return true;
}

static void run_command(struct grub *g, const struct grub_node *n)
{
	const struct grub_function *f;
	struct grub_args a;

	if (grub_expand(g, n, &a) < 0)
		grub_stop(g, -E2BIG, "line %d: a command is too long", n->line);
	else if (a.argc == 0 || assign(g, &a))
		g->status = 0;
	else if ((f = find_function(g, a.argv[0])))
		call(g, f, &a, n->line);
	else
		g->status = grub_command(g, &a, n);
	grub_args_done(&a);
	if (n->negated)
		g->status = !g->status;
}

static void run_node(struct grub *g, const struct grub_node *n)
{
	switch (n->kind) {
	case GRUB_COMMAND:
		run_command(g, n);
		return;
	case GRUB_IF:
		grub_run_list(g, n->cond);
		if (g->flow != GRUB_GO)
			return;
		if (g->status == 0)
			grub_run_list(g, n->body);
		else if (n->otherwise)
			grub_run_list(g, n->otherwise);
		else
			g->status = 0;
		return;
	case GRUB_WHILE:
	case GRUB_UNTIL:
		run_while(g, n);
		return;
	case GRUB_FOR:
		run_for(g, n);
		return;
	case GRUB_FUNCTION:
		define(g, n);
		return;
	}
}

void grub_run_list(struct grub *g, const struct grub_node *list)
{
	for (; list && g->flow == GRUB_GO; list = list->next)
		if (step(g, list->line))
			run_node(g, list);
}

static int keep_script(struct grub *g, size_t tree, const char *path)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct grub_node *script;
	struct err err = { 0 };
	int r = tree_read(&g->trees->items[tree], path, &text, TREE_TEXT_MAX);

	if (r < 0)
		return r;
	script = grub_parse(strbuf_str(&text), &err);
	g->scripts = mem_grow(g->scripts, g->n_scripts + 1, sizeof(struct grub_node *));
	g->files = mem_grow(g->files, g->n_scripts + 1, sizeof(*g->files));
	g->files[g->n_scripts] =
		mem_printf("%s on %s", path, g->trees->items[tree].device);
	g->scripts[g->n_scripts++] = script;
	// As in GRUB, one broken file does not end the others.
	if (err.code < 0 && !g->err->code)
		err_set(g->err, err.code, "%s: %s", g->files[g->n_scripts - 1], err.text);
	return err.code;
}

int grub_run_file(struct grub *g, const char *path)
{
	const char *within, *outer = g->file;
	size_t tree = grub_locate(g, path, &within), home = g->home;
	int r;

	if (g->calls >= GRUB_CALLS_MAX || g->n_scripts >= 64) {
		grub_stop(g, -ELOOP, "%s: files include each other too deeply", within);
		return -ELOOP;
	}
	r = keep_script(g, tree, within);
	if (r < 0)
		return r;
	g->calls++;
	g->home = tree;
	g->file = g->files[g->n_scripts - 1];
	grub_run_list(g, g->scripts[g->n_scripts - 1]);
	if (g->flow == GRUB_RETURN)
		g->flow = GRUB_GO;
	g->file = outer;
	g->home = home;
	g->calls--;
	return 0;
}
