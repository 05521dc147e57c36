// SPDX-License-Identifier: GPL-3.0-or-later
// GRUB's variables, and the block of them that it keeps on disk.
#include <string.h>

#include "common/mem.h"
#include "kexec/grub-private.h"

static const char signature[] = "# GRUB Environment Block\n";

static struct grub_var *find(const struct grub_vars *v, const char *name)
{
	for (size_t i = 0; i < v->n; i++)
		if (strcmp(v->items[i].name, name) == 0)
			return &v->items[i];
	return NULL;
}

const char *grub_get(const struct grub *g, const char *name)
{
	const struct grub_var *v = find(&g->vars, name);

	return v ? v->value : "";
}

void grub_set(struct grub *g, const char *name, const char *value)
{
	struct grub_var *v = find(&g->vars, name);
	char *copy = mem_strdup(value);

	if (!v) {
		g->vars.items =
			mem_grow(g->vars.items, g->vars.n + 1, sizeof(*g->vars.items));
		v = &g->vars.items[g->vars.n++];
		*v = (struct grub_var){ .name = mem_strdup(name) };
	}
	free(v->value);
	v->value = copy;
}

void grub_unset(struct grub *g, const char *name)
{
	struct grub_var *v = find(&g->vars, name);

	if (!v)
		return;
	free(v->name);
	free(v->value);
	*v = g->vars.items[--g->vars.n];
}

void grub_vars_copy(const struct grub_vars *from, struct grub_vars *to)
{
	to->n = from->n;
	to->items = mem_new(from->n ? from->n : 1, sizeof(*to->items));
	for (size_t i = 0; i < from->n; i++)
		to->items[i] = (struct grub_var){ mem_strdup(from->items[i].name),
						  mem_strdup(from->items[i].value) };
}

void grub_vars_done(struct grub_vars *v)
{
	for (size_t i = 0; i < v->n; i++) {
		free(v->items[i].name);
		free(v->items[i].value);
	}
	free(v->items);
	*v = (struct grub_vars){ 0 };
}

// One "name=value" line of a block; a backslash makes the next byte stand for itself,
// a newline included.
static const char *take_line(const char *at, const char *end, struct strbuf *line)
{
	for (; at < end && *at != '\n'; at++) {
		if (*at == '\\' && at + 1 < end)
			at++;
		strbuf_add(line, at, 1);
	}
	return at < end ? at + 1 : end;
}

int grub_env_parse(const char *text, size_t len,
		   void (*each)(const char *name, const char *value, void *arg),
		   void *arg)
{
	const char *at = text + sizeof(signature) - 1, *end = text + len;

	if (len < sizeof(signature) - 1 ||
	    memcmp(text, signature, sizeof(signature) - 1) != 0)
		return -EBADMSG;
	while (at < end && *at) {
		_cleanup_strbuf_ struct strbuf line = { 0 };
		char *equals;

		if (*at == '#') { // padding, or a comment
			while (at < end && *at != '\n')
				at++;
			at += at < end;
			continue;
		}
		at = take_line(at, end, &line);
		equals = line.data ? strchr(line.data, '=') : NULL;
		if (!equals || equals == line.data)
			continue;
		*equals = '\0';
		each(line.data, equals + 1, arg);
	}
	return 0;
}
