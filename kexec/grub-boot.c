// SPDX-License-Identifier: GPL-3.0-or-later
// GRUB's commands that name what is booted: they fill the entry whose body runs.
#include <string.h>

#include "common/mem.h"
#include "kexec/grub-private.h"
#include "kexec/uki.h"

// Where a file lies. One that is not where the script says, because it was written for a
// device that has another name here, is taken from the configuration's own filesystem.
static size_t find_file(const struct grub *g, const char *text, char **path)
{
	const char *within;
	size_t tree = grub_locate(g, text, &within);

	*path = *within == '/' ? mem_strdup(within) : mem_printf("/%s", within);
	if (tree != g->home && !tree_is_file(&g->trees->items[tree], *path) &&
	    tree_is_file(&g->trees->items[g->home], *path))
		return g->home;
	return tree;
}

// GRUB quotes arguments that hold blanks, and keeps quotes and backslashes by a
// backslash (grub_create_loader_cmdline).
static void add_argument(struct strbuf *to, const char *arg)
{
	bool blank = strchr(arg, ' ') != NULL;

	if (to->len)
		strbuf_puts(to, " ");
	if (blank)
		strbuf_puts(to, "\"");
	for (; *arg; arg++)
		strbuf_printf(to, strchr("\\'\"", *arg) ? "\\%c" : "%c", *arg);
	if (blank)
		strbuf_puts(to, "\"");
}

static int linux_command(struct grub *g, struct entry *e, const struct grub_args *a)
{
	struct strbuf options = { 0 };

	if (a->argc < 2)
		return 1;
	free(e->kernel.path);
	free(e->options);
	e->kind = ENTRY_LINUX;
	e->kernel.tree = find_file(g, a->argv[1], &e->kernel.path);
	for (size_t i = 2; i < a->argc; i++)
		add_argument(&options, a->argv[i]);
	e->options = mem_strdup(strbuf_str(&options));
	strbuf_done(&options);
	return 0;
}

static int initrd_command(struct grub *g, struct entry *e, const struct grub_args *a)
{
	for (size_t i = 1; i < a->argc; i++) {
		_cleanup_free_ char *path = NULL;
		size_t tree;

		if (strncmp(a->argv[i], "newc:", 5) == 0)
			continue; // a file that GRUB would wrap; needed by no
				  // distribution
		tree = find_file(g, a->argv[i], &path);
		entry_add_initrd(e, tree, path);
	}
	return 0;
}

static int other(struct entry *e, const char *why)
{
	e->kind = ENTRY_OTHER;
	free(e->why);
	e->why = mem_strdup(why);
	return 0;
}

static int xen_command(struct grub *g, struct entry *e, const struct grub_args *a)
{
	if (a->argc < 2)
		return 1;
	free(e->kernel.path);
	e->kernel.tree = find_file(g, a->argv[1], &e->kernel.path);
	return other(e, "it starts a hypervisor or another multiboot kernel");
}

static int chainloader(struct grub *g, struct entry *e, const struct grub_args *a)
{
	const char *name = a->argv[a->argc - 1];

	if (a->argc < 2)
		return 1;
	free(e->kernel.path);
	e->kernel.tree = find_file(g, name, &e->kernel.path);
	if (!uki_is(&g->trees->items[e->kernel.tree], e->kernel.path))
		return other(e, "it starts another boot loader or system");
	e->kind = ENTRY_UKI;
	return 0;
}

static int ignored(struct grub *g _unused_, struct entry *e _unused_,
		   const struct grub_args *a _unused_)
{
	return 0;
}

static const struct {
	const char *name;
	int (*run)(struct grub *g, struct entry *e, const struct grub_args *a);
} commands[] = {
	{ "linux", linux_command },
	{ "linux16", linux_command },
	{ "linuxefi", linux_command },
	{ "initrd", initrd_command },
	{ "initrd16", initrd_command },
	{ "initrdefi", initrd_command },
	{ "multiboot", xen_command },
	{ "multiboot2", xen_command },
	{ "xen_hypervisor", xen_command },
	{ "kernel", linux_command },
	{ "chainloader", chainloader },
	{ "module", ignored },
	{ "module2", ignored },
	{ "xen_module", ignored },
	{ "boot", ignored },
	{ "devicetree", ignored },
};

int grub_boot_command(struct grub *g, const struct grub_args *a)
{
	struct entry *e = g->entry ? g->entry : &g->own;

	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (strcmp(commands[i].name, a->argv[0]) == 0)
			return commands[i].run(g, e, a);
	return -1;
}
