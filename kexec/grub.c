// SPDX-License-Identifier: GPL-3.0-or-later
// A GRUB configuration from its first line to the entries of its menu.
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "kexec/grub-private.h"

// What GRUB sets before it reads a configuration. Scripts ask for the features.
static void set_start(struct grub *g, const char *path)
{
	static const char *const features[] = {
		"feature_chainloader_bpb",
		"feature_default_font_path",
		"feature_menuentry_id",
		"feature_menuentry_options",
		"feature_ntldr",
		"feature_platform_search_hint",
		"feature_timeout_style",
		"feature_200_final",
		"feature_all_video_module",
		"feature_nativedisk_cmd",
	};
	_cleanup_free_ char *device = grub_device(g->home);
	const char *slash = strrchr(path, '/');
	_cleanup_free_ char *prefix =
		mem_printf("(%s)%.*s", device, slash ? (int)(slash - path) : 0, path);

	grub_set(g, "root", device);
	grub_set(g, "prefix", prefix);
	grub_set(g, "config_directory", prefix);
	grub_set(g, "grub_cpu", "x86_64");
	grub_set(g, "grub_platform", io_exists("/sys/firmware/efi") ? "efi" : "pc");
	for (size_t i = 0; i < ARRAY_SIZE(features); i++)
		grub_set(g, features[i], "y");
}

static size_t find_default(const struct grub *g, const struct grub_menu *m, size_t before)
{
	const char *name = grub_get(g, "default");
	size_t chosen = grub_menu_find(m, *name ? name : "0");

	// An id of an entry that blscfg added, or a title of one in a submenu.
	for (size_t i = before; chosen == ENTRY_NONE && i < g->to->n; i++)
		if (g->to->items[i].id && strcmp(g->to->items[i].id, name) == 0)
			chosen = i;
	if (chosen == ENTRY_NONE) // GRUB then takes the first
		chosen = grub_menu_find(m, "0");
	return chosen == ENTRY_NONE && g->to->n > before ? before : chosen;
}

static void done(struct grub *g)
{
	for (size_t i = 0; i < g->n_functions; i++)
		free(g->functions[i].name);
	free(g->functions);
	for (size_t i = 0; i < g->n_scripts; i++) {
		grub_node_free(g->scripts[i]);
		free(g->files[i]);
	}
	free(g->scripts);
	free(g->files);
	grub_args_done(&g->params);
	grub_vars_done(&g->vars);
	entry_done(&g->own);
}

int grub_load(const struct tree_list *trees, size_t home, const char *path,
	      struct entry_list *to, struct err *err)
{
	struct grub_menu menu = { .title = "", .id = "" };
	struct err own = { 0 };
	struct grub g = {
		.trees = trees,
		.home = home,
		.to = to,
		.err = &own,
		.menu = &menu,
		.file = path,
	};
	size_t before = to->n, chosen;
	int r;

	if (to->n == 0)
		to->chosen = ENTRY_NONE;
	set_start(&g, path);
	r = grub_run_file(&g, path);
	if (r < 0 && !own.code)
		err_set(&own, r, "%s on %s: %s", path, trees->items[home].device,
			strerror(-r));
	g.flow = GRUB_GO; // what it came to before it was stopped is shown, too
	g.steps = 0;
	grub_menu_run(&g, &menu);
	if (g.own.kernel.path)
		g.own.source = mem_printf("%s on %s", path, trees->items[home].device);
	grub_entry_end(&g, &g.own);
	chosen = find_default(&g, &menu, before);
	if (to->chosen == ENTRY_NONE)
		to->chosen = chosen;
	grub_menu_done(&menu);
	done(&g);
	if (own.code < 0 && err)
		*err = own;
	return own.code;
}
