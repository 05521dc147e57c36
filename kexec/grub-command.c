// SPDX-License-Identifier: GPL-3.0-or-later
// GRUB's commands that matter for a menu. What only concerns the screen succeeds and does
// nothing; what is unknown fails, as in GRUB, and the script goes on.
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "kexec/bls.h"
#include "kexec/grub-private.h"

static int set_command(struct grub *g, const struct grub_args *a)
{
	for (size_t i = 1; i < a->argc; i++) {
		char *equals = strchr(a->argv[i], '=');
		_cleanup_free_ char *name = NULL;

		if (!equals)
			return 1;
		name = mem_strndup(a->argv[i], (size_t)(equals - a->argv[i]));
		grub_set(g, name, equals + 1);
	}
	return 0;
}

static int unset_command(struct grub *g, const struct grub_args *a)
{
	for (size_t i = 1; i < a->argc; i++)
		grub_unset(g, a->argv[i]);
	return 0;
}

static int nothing(struct grub *g _unused_, const struct grub_args *a _unused_)
{
	return 0;
}

static int fails(struct grub *g _unused_, const struct grub_args *a _unused_)
{
	return 1;
}

static int test_command(struct grub *g, const struct grub_args *a)
{
	size_t n = a->argc - 1;

	if (strcmp(a->argv[0], "[") == 0) {
		if (n == 0 || strcmp(a->argv[n], "]") != 0)
			return 1;
		n--;
	}
	return !grub_test(g, a->argv + 1, n);
}

static int source_command(struct grub *g, const struct grub_args *a)
{
	return a->argc < 2 || grub_run_file(g, a->argv[1]) < 0;
}

// In a menu entry it opens a menu of its own; otherwise the new file goes on from here.
static int configfile(struct grub *g, const struct grub_args *a)
{
	_cleanup_free_ char *own =
		a->argc < 2 ? mem_printf("%s/grub.cfg", grub_get(g, "prefix")) : NULL;
	struct entry *outer = g->entry;
	int r;

	g->entry = NULL;
	r = grub_run_file(g, own ? own : a->argv[1]);
	g->entry = outer;
	return r < 0;
}

struct wanted {
	struct grub *g;
	const struct grub_args *a;
	size_t first; // of the names asked for; none: all
};

static void take_env(const char *name, const char *value, void *arg)
{
	struct wanted *w = arg;
	bool take = w->first >= w->a->argc;

	for (size_t i = w->first; i < w->a->argc; i++)
		take = take || strcmp(w->a->argv[i], name) == 0;
	if (take)
		grub_set(w->g, name, value);
}

static int load_env(struct grub *g, const struct grub_args *a)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	_cleanup_free_ char *file = NULL;
	struct wanted w = { .g = g, .a = a, .first = 1 };
	const char *path;
	size_t tree;

	for (; w.first < a->argc && a->argv[w.first][0] == '-'; w.first++) {
		const char *arg = a->argv[w.first];

		if (strncmp(arg, "--file=", 7) == 0) {
			free(file);
			file = mem_strdup(arg + 7);
		} else if ((strcmp(arg, "-f") == 0 || strcmp(arg, "--file") == 0) &&
			   w.first + 1 < a->argc) {
			free(file);
			file = mem_strdup(a->argv[++w.first]);
		}
	}
	if (!file)
		file = mem_printf("%s/grubenv", grub_get(g, "prefix"));
	tree = grub_locate(g, file, &path);
	if (tree_read(&g->trees->items[tree], path, &text, 64 << 10) < 0)
		return 1;
	return grub_env_parse(strbuf_str(&text), text.len, take_env, &w) < 0;
}

static int loop_command(struct grub *g, const struct grub_args *a)
{
	uint64_t levels = 1;

	if (a->argc > 1 && (number_uint(a->argv[1], &levels) < 0 || levels == 0))
		return 1;
	g->levels = levels > 64 ? 64 : (unsigned)levels;
	g->flow = strcmp(a->argv[0], "break") == 0 ? GRUB_BREAK : GRUB_CONTINUE;
	return 0;
}

static int return_command(struct grub *g, const struct grub_args *a)
{
	uint64_t status = (uint64_t)g->status;

	if (a->argc > 1 && number_uint(a->argv[1], &status) < 0)
		status = 1;
	g->flow = GRUB_RETURN;
	return status > 255 ? 1 : (int)status;
}

static int shift_command(struct grub *g, const struct grub_args *a)
{
	struct grub_args *p = &g->params;
	uint64_t n = 1;

	if (a->argc > 1 && number_uint(a->argv[1], &n) < 0)
		return 1;
	if (p->argc == 0 || n > p->argc - 1)
		return 1;
	for (size_t i = 1; i <= n; i++)
		free(p->argv[i]);
	memmove(p->argv + 1, p->argv + 1 + n, (p->argc - n) * sizeof(*p->argv));
	p->argc -= n;
	return 0;
}

static int setparams(struct grub *g, const struct grub_args *a)
{
	_cleanup_free_ char *name = mem_strdup(g->params.argc ? g->params.argv[0] : "");

	grub_args_done(&g->params);
	grub_args_add(&g->params, name);
	for (size_t i = 1; i < a->argc; i++)
		grub_args_add(&g->params, a->argv[i]);
	return 0;
}

static int count(struct grub *g, const struct grub_args *a)
{
	char text[24];
	int64_t n = 0;

	if (a->argc != 2)
		return 1;
	if (number_int(grub_get(g, a->argv[1]), &n) < 0)
		n = 0;
	if (strcmp(a->argv[0], "increment") == 0)
		n += n < INT64_MAX;
	else
		n -= n > 0;
	snprintf(text, sizeof(text), "%lld", (long long)n);
	grub_set(g, a->argv[1], text);
	return 0;
}

// "regexp --set=1:var PATTERN TEXT"; without a number the whole match.
static int regexp(struct grub *g, const struct grub_args *a)
{
	regmatch_t match[10];
	const char *text;
	regex_t re;
	int r;

	if (a->argc < 3)
		return 1;
	text = a->argv[a->argc - 1];
	// Repeat counts and long texts can cost more than there is.
	if (strlen(a->argv[a->argc - 2]) > 256 || strchr(a->argv[a->argc - 2], '{') ||
	    strlen(text) > 1024 || regcomp(&re, a->argv[a->argc - 2], REG_EXTENDED) != 0)
		return 1;
	r = regexec(&re, text, ARRAY_SIZE(match), match, 0);
	regfree(&re);
	for (size_t i = 1; r == 0 && i + 2 < a->argc; i++) {
		const char *arg = a->argv[i], *colon;
		_cleanup_free_ char *value = NULL;
		size_t group = 0;

		if (strcmp(arg, "--set") == 0 && i + 3 < a->argc)
			arg = a->argv[++i];
		else if (strncmp(arg, "--set=", 6) == 0)
			arg += 6;
		else
			continue;
		colon = strchr(arg, ':');
		if (colon == arg + 1 && *arg >= '0' && *arg <= '9') {
			group = (size_t)(*arg - '0');
			arg = colon + 1;
		}
		if (match[group].rm_so < 0)
			continue;
		value = mem_strndup(text + match[group].rm_so,
				    (size_t)(match[group].rm_eo - match[group].rm_so));
		grub_set(g, arg, value);
	}
	return r != 0;
}

static char *expand_option(const char *name, void *arg)
{
	return mem_strdup(grub_get(arg, name));
}

// Fedora's: the entries of the Boot Loader Specification become part of this menu.
static int blscfg(struct grub *g, const struct grub_args *a _unused_)
{
	const char *dir = grub_get(g, "blsdir"), *path;
	struct bls_source source = {
		.trees = g->trees,
		.expand = expand_option,
		.arg = g,
	};
	struct err ignored = { 0 };
	size_t before = g->to->n;

	source.tree = grub_locate(g, *dir ? dir : "/", &path);
	if (!*dir) // /boot may be a filesystem of its own, or a folder
		path = tree_is_dir(&g->trees->items[source.tree], "/loader/entries")
			       ? "/loader/entries"
			       : "/boot/loader/entries";
	source.dir = path;
	if (bls_load(&source, g->to, &ignored) < 0)
		return 1;
	grub_menu_add_loaded(g, before);
	return 0;
}

static const struct {
	const char *name;
	int (*run)(struct grub *g, const struct grub_args *a);
} commands[] = {
	{ "set", set_command },
	{ "unset", unset_command },
	{ "export", nothing },
	{ "[", test_command },
	{ "test", test_command },
	{ "true", nothing },
	{ "false", fails },
	{ "source", source_command },
	{ ".", source_command },
	{ "configfile", configfile },
	{ "normal", configfile },
	{ "extract_entries_source", source_command },
	{ "search", grub_search },
	{ "search.fs_uuid", grub_search },
	{ "search.file", grub_search },
	{ "search.fs_label", grub_search },
	{ "probe", grub_probe },
	{ "load_env", load_env },
	{ "save_env", nothing },
	{ "blscfg", blscfg },
	{ "break", loop_command },
	{ "continue", loop_command },
	{ "return", return_command },
	{ "shift", shift_command },
	{ "setparams", setparams },
	{ "increment", count },
	{ "decrement", count },
	{ "regexp", regexp },
	// of the screen, the keyboard and GRUB itself
	{ "insmod", nothing },
	{ "rmmod", nothing },
	{ "echo", nothing },
	{ "loadfont", nothing },
	{ "terminal_input", nothing },
	{ "terminal_output", nothing },
	{ "terminal_info", nothing },
	{ "serial", nothing },
	{ "background_image", nothing },
	{ "background_color", nothing },
	{ "play", nothing },
	{ "sleep", nothing },
	{ "clear", nothing },
	{ "password", nothing },
	{ "password_pbkdf2", nothing },
	{ "cryptomount", nothing },
	{ "keymap", nothing },
	{ "gfxpayload", nothing },
	{ "cpuid", nothing }, // -l: this machine's processor has 64 bits
	{ "list_env", nothing },
	{ "videoinfo", nothing },
};

int grub_command(struct grub *g, const struct grub_args *a, const struct grub_node *n)
{
	int r;

	if (strcmp(a->argv[0], "menuentry") == 0 || strcmp(a->argv[0], "submenu") == 0) {
		grub_menu_add(g, a, n);
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (strcmp(commands[i].name, a->argv[0]) == 0)
			return commands[i].run(g, a);
	r = grub_boot_command(g, a);
	return r < 0 ? 1 : r;
}
