// SPDX-License-Identifier: GPL-3.0-or-later
// Who uses a device now: mounts, swap, btrfs over several devices, loop devices on files;
// and holders and slaves made complete, so that a walk from either end sees each link.
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "common/io.h"
#include "common/mem.h"
#include "common/mountlist.h"
#include "device/sysfs.h"

#define SWAPS_MAX (64 * 1024) // many more than the kernel's 32 lines

static struct device *by_devno(struct device_list *list, dev_t devno)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->items[i].devno == devno)
			return &list->items[i];
	return NULL;
}

static struct device *by_name(struct device_list *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->items[i].name, name) == 0)
			return &list->items[i];
	return NULL;
}

// The device behind a path as /proc shows it: a node, a name of dm's, or (live only) any
// other link to a node.
static struct device *by_path(const char *root, struct device_list *list,
			      const char *path)
{
	static const char mapper[] = "/dev/mapper/";
	struct stat st;

	if (strncmp(path, "/dev/", 5) != 0)
		return NULL;
	for (size_t i = 0; i < list->n; i++) {
		struct device *d = &list->items[i];

		if (strcmp(d->path, path) == 0)
			return d;
		if (d->kind == DEVICE_DM && d->alias &&
		    strncmp(path, mapper, sizeof(mapper) - 1) == 0 &&
		    strcmp(path + sizeof(mapper) - 1, d->alias) == 0)
			return d;
	}
	if (*root == '\0' && stat(path, &st) == 0 && S_ISBLK(st.st_mode))
		return by_devno(list, st.st_rdev);
	return NULL;
}

// btrfs mounts carry an anonymous device number; their source is one of the devices.
static struct device *of_mount(const char *root, struct device_list *list,
			       const struct mountlist_item *m)
{
	struct device *d = by_devno(list, makedev(m->major, m->minor));

	if (!d && m->major == 0)
		d = by_path(root, list, m->source);
	return d;
}

static int read_mounts(const char *root, struct device_list *list,
		       struct mountlist *mounts)
{
	_cleanup_free_ char *path = mem_printf("%s/proc/self/mountinfo", root);
	int r = mountlist_load(mounts, path);

	if (r < 0) // a recorded tree need not have it
		return r == -ENOENT && *root ? 0 : r;
	for (size_t i = 0; i < mounts->n; i++) {
		struct device *d = of_mount(root, list, &mounts->items[i]);

		if (d)
			names_add(&d->mounts, mounts->items[i].dir);
	}
	return 0;
}

static void read_swaps(const char *root, struct device_list *list)
{
	_cleanup_free_ char *path = mem_printf("%s/proc/swaps", root);
	_cleanup_strbuf_ struct strbuf text = { 0 };
	char *rest, *line;

	if (io_read_file(path, &text, SWAPS_MAX) < 0 || !text.data)
		return;
	rest = text.data;
	while ((line = strsep(&rest, "\n"))) {
		struct device *d;

		// No node has a blank in its name; what follows one is "(deleted)".
		line[strcspn(line, " \t\\")] = '\0';
		d = by_path(root, list, line);
		if (d)
			d->swap = true;
	}
}

// All devices of one btrfs are as mounted as the one that the mount names.
static void read_btrfs(const char *root, struct device_list *list, const char *uuid)
{
	_cleanup_free_ char *dir = mem_printf("%s/sys/fs/btrfs/%s/devices", root, uuid);
	_cleanup_free_ char *elsewhere = mem_printf("(btrfs %s)", uuid);
	char **names = sysfs_names(dir);
	const struct device *first = NULL;

	for (char **p = names; p && *p; p++) {
		const struct device *d = by_name(list, *p);

		if (d && d->mounts && !first)
			first = d;
	}
	for (char **p = names; p && *p; p++) {
		struct device *d = by_name(list, *p);

		if (!d || d->mounts)
			continue;
		if (!first)
			names_add(&d->mounts, elsewhere);
		for (char **m = first ? first->mounts : NULL; m && *m; m++)
			names_add(&d->mounts, *m);
	}
	names_free(names);
}

static void read_all_btrfs(const char *root, struct device_list *list)
{
	_cleanup_free_ char *dir = mem_printf("%s/sys/fs/btrfs", root);
	char **names = sysfs_names(dir);

	for (char **p = names; p && *p; p++)
		read_btrfs(root, list, *p);
	names_free(names);
}

// The device that holds a loop device's file: the deepest mount above the file.
static struct device *below_loop(const char *root, struct device_list *list,
				 const struct mountlist *mounts, const char *file)
{
	struct device *d = by_path(root, list, file);
	const struct mountlist_item *best = NULL;
	size_t best_len = 0;

	for (size_t i = 0; !d && i < mounts->n; i++) {
		const struct mountlist_item *m = &mounts->items[i];
		size_t len = strcmp(m->dir, "/") == 0 ? 0 : strlen(m->dir);

		// Of two on one place, the later hides the earlier.
		if (strncmp(file, m->dir, len) == 0 && file[len] == '/' &&
		    len >= best_len) {
			best = m;
			best_len = len;
		}
	}
	return best ? of_mount(root, list, best) : d;
}

static void read_loops(const char *root, struct device_list *list,
		       const struct mountlist *mounts)
{
	for (size_t i = 0; i < list->n; i++) {
		struct device *d = &list->items[i];
		const struct device *below;

		if (d->kind != DEVICE_LOOP || !d->alias)
			continue;
		below = below_loop(root, list, mounts, d->alias);
		if (below && below != d)
			names_add(&d->slaves, below->name);
	}
}

static void complete_links(struct device_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		struct device *d = &list->items[i];

		for (char **p = d->slaves; p && *p; p++) {
			struct device *below = by_name(list, *p);

			if (below)
				names_add(&below->holders, d->name);
		}
		for (char **p = d->holders; p && *p; p++) {
			struct device *above = by_name(list, *p);

			if (above)
				names_add(&above->slaves, d->name);
		}
	}
}

int usage_read(const char *root, struct device_list *list)
{
	struct mountlist mounts = { 0 };
	int r = read_mounts(root, list, &mounts);

	read_swaps(root, list);
	read_all_btrfs(root, list);
	read_loops(root, list, &mounts);
	complete_links(list);
	mountlist_done(&mounts);
	return r;
}
