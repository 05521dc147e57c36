// SPDX-License-Identifier: GPL-3.0-or-later
// Where GRUB's paths lead: device names, `search`, `probe`.
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/mem.h"
#include "common/number.h"
#include "kexec/grub-private.h"

#define DEVICE_PREFIX "assay" // our own name of a tree, "assay0"

char *grub_device(size_t tree)
{
	return mem_printf(DEVICE_PREFIX "%zu", tree);
}

// A device that is ours, or an LVM volume by its name. Names that count disks
// ("hd0,gpt2") mean nothing here, and cryptouuid/ and mduuid/ name what lies below: then
// the file is looked for where the configuration came from.
static size_t find_device(const struct grub *g, const char *name, size_t len)
{
	_cleanup_free_ char *device = mem_strndup(name, len);
	uint64_t number;

	if (strncmp(device, DEVICE_PREFIX, sizeof(DEVICE_PREFIX) - 1) == 0 &&
	    number_uint(device + sizeof(DEVICE_PREFIX) - 1, &number) == 0 &&
	    number < g->trees->n)
		return (size_t)number;
	if (strncmp(device, "lvm/", 4) == 0)
		for (size_t i = 0; i < g->trees->n; i++) {
			const char *path = g->trees->items[i].device;
			const char *slash = path ? strrchr(path, '/') : NULL;

			if (slash && strcmp(slash + 1, device + 4) == 0)
				return i;
		}
	return g->home;
}

size_t grub_locate(const struct grub *g, const char *text, const char **path)
{
	const char *end = *text == '(' ? strchr(text, ')') : NULL;
	const char *root = grub_get(g, "root");

	if (!end) {
		*path = text;
		return find_device(g, root, strlen(root));
	}
	*path = end + 1;
	if (end == text + 1) // "()" is $root
		return find_device(g, root, strlen(root));
	return find_device(g, text + 1, (size_t)(end - text - 1));
}

enum search_by { BY_FILE, BY_LABEL, BY_UUID };

static bool tree_matches(const struct tree *t, enum search_by by, const char *what)
{
	switch (by) {
	case BY_FILE:
		return tree_is_file(t, what);
	case BY_LABEL:
		return t->label && strcmp(t->label, what) == 0;
	case BY_UUID:
		return t->uuid && strcasecmp(t->uuid, what) == 0;
	}
	return false;
}

static int search_for(struct grub *g, enum search_by by, const char *what,
		      const char *variable)
{
	for (size_t i = 0; i < g->trees->n; i++) {
		// The configuration's own filesystem comes first, as its hints say.
		size_t tree = i == 0 ? g->home : i <= g->home ? i - 1 : i;
		_cleanup_free_ char *device = grub_device(tree);

		if (!tree_matches(&g->trees->items[tree], by, what))
			continue;
		grub_set(g, variable, device);
		return 0;
	}
	return 1;
}

// "search.fs_uuid UUID [VARIABLE [HINT...]]"
static int search_short(struct grub *g, const struct grub_args *a, enum search_by by)
{
	if (a->argc < 2)
		return 1;
	return search_for(g, by, a->argv[1], a->argc > 2 ? a->argv[2] : "root");
}

int grub_search(struct grub *g, const struct grub_args *a)
{
	const char *what = NULL, *variable = "root", *kind = strchr(a->argv[0], '.');
	enum search_by by = BY_FILE;
	bool set = false;

	if (kind)
		return search_short(g, a,
				    strcmp(kind, ".fs_uuid") == 0    ? BY_UUID
				    : strcmp(kind, ".fs_label") == 0 ? BY_LABEL
								     : BY_FILE);
	for (size_t i = 1; i < a->argc; i++) {
		const char *arg = a->argv[i];

		if (strcmp(arg, "--fs-uuid") == 0 || strcmp(arg, "-u") == 0)
			by = BY_UUID;
		else if (strcmp(arg, "--label") == 0 || strcmp(arg, "--fs-label") == 0 ||
			 strcmp(arg, "-l") == 0)
			by = BY_LABEL;
		else if (strcmp(arg, "--file") == 0 || strcmp(arg, "-f") == 0)
			by = BY_FILE;
		else if (strncmp(arg, "--set=", 6) == 0)
			variable = arg + 6, set = true;
		else if (strcmp(arg, "--set") == 0 || strcmp(arg, "-s") == 0)
			set = true;
		else if (strcmp(arg, "--hint") == 0)
			i++;
		else if (*arg != '-' && !what)
			what = arg;
		else if (*arg != '-' && set && strcmp(variable, "root") == 0)
			variable = what, what = arg; // "--set root NAME"
	}
	return what ? search_for(g, by, what, variable) : 1;
}

int grub_probe(struct grub *g, const struct grub_args *a)
{
	const char *variable = NULL, *path, *value;
	const struct tree *t = NULL;
	char kind = 'u';

	for (size_t i = 1; i < a->argc; i++) {
		const char *arg = a->argv[i];

		if (strncmp(arg, "--set=", 6) == 0)
			variable = arg + 6;
		else if ((strcmp(arg, "--set") == 0 || strcmp(arg, "-s") == 0) &&
			 i + 1 < a->argc)
			variable = a->argv[++i];
		else if (strcmp(arg, "--fs-uuid") == 0 || strcmp(arg, "-u") == 0)
			kind = 'u';
		else if (strcmp(arg, "--label") == 0 || strcmp(arg, "-l") == 0)
			kind = 'l';
		else if (*arg == '-')
			kind = '?';
		else if (*arg == '(')
			t = &g->trees->items[grub_locate(g, arg, &path)];
		else
			t = &g->trees->items[find_device(g, arg, strlen(arg))];
	}
	value = !t ? NULL : kind == 'u' ? t->uuid : kind == 'l' ? t->label : NULL;
	if (!value || !variable)
		return 1;
	grub_set(g, variable, value);
	return 0;
}
