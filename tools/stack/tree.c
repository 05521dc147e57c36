// SPDX-License-Identifier: GPL-3.0-or-later
// What sits on a block device and what it sits on.
#include <dirent.h>
#include <string.h>

#include "common/io.h"
#include "common/macro.h"
#include "common/mem.h"
#include "stack/tree.h"

// Deeper than any real stack; ends a walk through a damaged tree.
#define TREE_DEPTH 32

typedef void (*visit_fn)(const char *root, const char *name, struct tree *ret, int depth);

static void cleanup_dir(DIR **d)
{
	if (*d)
		closedir(*d);
}

static void append(struct tree *t, const char *name)
{
	if (tree_has(t, name))
		return;
	t->names = mem_grow(t->names, t->n + 1, sizeof(*t->names));
	t->names[t->n++] = mem_strdup(name);
}

// Visits each entry of a device's folder `sub` ("holders", "slaves"), or each partition
// when that is NULL. Returns how many there were.
static size_t each(const char *root, const char *name, const char *sub, visit_fn visit,
		   struct tree *ret, int depth)
{
	_cleanup_free_ char *path = mem_printf("%s/sys/class/block/%s%s%s", root, name,
					       sub ? "/" : "", sub ? sub : "");
	_cleanup_(cleanup_dir) DIR *dir = opendir(path);
	struct dirent *e;
	size_t n = 0;

	while (dir && (e = readdir(dir))) {
		_cleanup_free_ char *mark = NULL;

		if (e->d_name[0] == '.')
			continue;
		mark = mem_printf("%s/%s/partition", path, e->d_name);
		if (!sub && !io_exists(mark))
			continue;
		visit(root, e->d_name, ret, depth + 1);
		n++;
	}
	return n;
}

static void visit_above(const char *root, const char *name, struct tree *ret, int depth)
{
	if (depth > TREE_DEPTH || tree_has(ret, name))
		return;
	each(root, name, NULL, visit_above, ret, depth);
	each(root, name, "holders", visit_above, ret, depth);
	if (depth > 0)
		append(ret, name);
}

void tree_above(const char *root, const char *name, struct tree *ret)
{
	*ret = (struct tree){ 0 };
	visit_above(root, name, ret, 0);
}

// The whole disk of a partition; NULL when `name` is none. The entry in /sys/class/block
// is a link into the folder of the disk.
static char *disk_of(const char *root, const char *name)
{
	_cleanup_free_ char *mark =
		mem_printf("%s/sys/class/block/%s/partition", root, name);
	_cleanup_free_ char *link = mem_printf("%s/sys/class/block/%s", root, name);
	_cleanup_free_ char *real = NULL;
	char *slash;

	if (!io_exists(mark))
		return NULL;
	real = realpath(link, NULL);
	slash = real ? strrchr(real, '/') : NULL;
	if (!slash)
		return NULL;
	*slash = '\0';
	slash = strrchr(real, '/');
	return slash ? mem_strdup(slash + 1) : NULL;
}

static void visit_below(const char *root, const char *name, struct tree *ret, int depth)
{
	_cleanup_free_ char *disk = NULL;

	if (depth > TREE_DEPTH)
		return;
	disk = disk_of(root, name);
	if (disk)
		visit_below(root, disk, ret, depth + 1);
	else if (each(root, name, "slaves", visit_below, ret, depth) == 0)
		append(ret, name);
}

void tree_leaves(const char *root, const char *name, struct tree *ret)
{
	*ret = (struct tree){ 0 };
	visit_below(root, name, ret, 0);
}

bool tree_has(const struct tree *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (strcmp(t->names[i], name) == 0)
			return true;
	return false;
}

void tree_done(struct tree *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->names[i]);
	free(t->names);
	*t = (struct tree){ 0 };
}
