// SPDX-License-Identifier: GPL-3.0-or-later
// Who uses a disk: the walk through partitions and holders up to whatever is mounted.
#include <string.h>

#include "common/mem.h"
#include "device/guard-internal.h"
#include "device/sysfs.h"

#define DEPTH_MAX 16 // no real stack is deeper; a loop in the links would be

struct use {
	const struct device_list *list;
	const char *const *ours;
	const struct device *chain[DEPTH_MAX]; // from the disk to where the walk is
	bool *seen;                            // per item of the list
	char *title;
	struct strbuf holder; // the first holder that is not ours, with its way
	struct err *err;
};

static bool is_ours(const struct use *u, const char *name)
{
	for (const char *const *p = u->ours; p && *p; p++)
		if (strcmp(*p, name) == 0)
			return true;
	return false;
}

static void add_name(struct strbuf *to, const struct device *d)
{
	strbuf_puts(to, d->name);
	if (d->alias)
		strbuf_printf(to, " (%s)", d->alias);
}

// " through sda2, dm-0 (cryptroot)"; nothing for the disk itself.
static void add_way(const struct use *u, size_t depth, struct strbuf *to)
{
	for (size_t i = 1; i <= depth; i++) {
		strbuf_puts(to, i == 1 ? " through " : ", ");
		add_name(to, u->chain[i]);
	}
}

static int refuse(struct use *u, size_t depth, const char *use, const char *where)
{
	_cleanup_strbuf_ struct strbuf way = { 0 };

	add_way(u, depth, &way);
	return err_set(u->err, -EBUSY, "%s: %s%s%s", u->title, use, where,
		       strbuf_str(&way));
}

static void note_holder(struct use *u, const char *name, const struct device *d,
			size_t depth)
{
	if (u->holder.len || is_ours(u, name))
		return;
	strbuf_puts(&u->holder, "in use by ");
	if (d)
		add_name(&u->holder, d);
	else
		strbuf_puts(&u->holder, name);
	add_way(u, depth, &u->holder);
}

static int visit(struct use *u, const struct device *d, size_t depth)
{
	bool *seen = &u->seen[d - u->list->items];
	int r = 0;

	if (*seen)
		return 0;
	*seen = true;
	if (depth >= DEPTH_MAX)
		return refuse(u, DEPTH_MAX - 1, "too many layers to look through", "");
	u->chain[depth] = d;
	if (!is_ours(u, d->name) && d->mounts)
		return refuse(u, depth, "mounted at ", d->mounts[0]);
	if (!is_ours(u, d->name) && d->swap)
		return refuse(u, depth, "active swap", "");
	for (size_t i = 0; r == 0 && i < u->list->n; i++) {
		const struct device *part = &u->list->items[i];

		if (part->parent && strcmp(part->parent, d->name) == 0)
			r = visit(u, part, depth + 1);
	}
	for (char **p = d->holders; r == 0 && p && *p; p++) {
		const struct device *above = device_find(u->list, *p);

		note_holder(u, *p, above, depth);
		if (above)
			r = visit(u, above, depth + 1);
	}
	return r;
}

int guard_check_use(const struct device_list *list, const struct device *disk,
		    const char *const *ours, bool holders, struct err *err)
{
	struct use u = { .list = list, .ours = ours, .err = err };
	int r;

	disk = device_find(list, disk->name);
	if (!disk)
		return err_set(err, -ENODEV,
			       "the disk is not in this machine (any more)");
	u.seen = mem_new(list->n, sizeof(bool));
	u.title = device_title(disk);
	r = visit(&u, disk, 0);
	if (r == 0 && holders && u.holder.len)
		r = err_set(err, -EBUSY, "%s: %s", u.title, strbuf_str(&u.holder));
	strbuf_done(&u.holder);
	free(u.title);
	free(u.seen);
	return r;
}
