// SPDX-License-Identifier: GPL-3.0-or-later
// What sits on the targets though nothing should, and taking it away, top down.
#include <string.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/sysmacros.h>

#include "common/io.h"
#include "common/mem.h"
#include "common/number.h"
#include "stack/devmap.h"
#include "stack/md.h"
#include "stack/mounts.h"
#include "stack/stack.h"
#include "stack/tree.h"

// Is the device of that number the target's disk, or anything above it?
static bool on_target(const struct tree *above, const struct target *t, dev_t devno)
{
	if (devno == target_device(t)->devno)
		return true;
	for (size_t i = 0; i < above->n; i++) {
		_cleanup_free_ char *line =
			io_read_line("/sys/class/block/%s/dev", above->names[i]);
		_cleanup_free_ char *ours =
			mem_printf("%u:%u", major(devno), minor(devno));

		if (line && strcmp(line, ours) == 0)
			return true;
	}
	return false;
}

// A swap area may be a file: then the device below it counts.
static bool swap_on_target(const struct tree *above, const struct target *t,
			   const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return false;
	return on_target(above, t, S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev);
}

static bool mount_on_target(const struct tree *above, const struct target *t,
			    const struct mountlist_item *m)
{
	return on_target(above, t, makedev(m->major, m->minor));
}

static char **load_swaps(void)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };

	io_read_file("/proc/swaps", &text, 64 * 1024);
	return mount_swaps(strbuf_str(&text));
}

static bool is_md(const char *name)
{
	_cleanup_free_ char *mark = mem_printf("/sys/class/block/%s/md", name);

	return io_exists(mark);
}

// Adds a line that is not there yet: what sits on several targets is one thing.
_printf_(2, 3) static size_t add_once(struct strbuf *to, const char *fmt, ...)
{
	_cleanup_free_ char *line = NULL;
	va_list ap;

	va_start(ap, fmt);
	line = mem_vprintf(fmt, ap);
	va_end(ap);
	for (const char *at = strbuf_str(to); (at = strstr(at, line)); at++)
		if (at == strbuf_str(to) || at[-1] == '\n')
			return 0;
	strbuf_puts(to, line);
	return 1;
}

static size_t list_one(const struct target *t, struct strbuf *to)
{
	_cleanup_tree_ struct tree above = { 0 };
	_cleanup_mountlist_ struct mountlist mounts = { 0 };
	char **swaps = load_swaps();
	size_t n = 0;

	tree_above("", target_device(t)->name, &above);
	mountlist_load(&mounts, "/proc/self/mountinfo");
	for (size_t i = 0; i < mounts.n; i++)
		if (mount_on_target(&above, t, &mounts.items[i]))
			n += add_once(to, "%s mounted at %s\n", mounts.items[i].source,
				      mounts.items[i].dir);
	for (char **s = swaps; *s; s++)
		if (swap_on_target(&above, t, *s))
			n += add_once(to, "%s is swapped to\n", *s);
	mount_swaps_free(swaps);
	for (size_t i = 0; i < above.n; i++) {
		_cleanup_free_ char *dm = devmap_name(above.names[i]);

		if (!dm && !is_md(above.names[i]))
			continue; // a partition
		n += add_once(to, "%s%s%s%s\n", above.names[i], dm ? " (" : "",
			      dm ? dm : "", dm ? ")" : "");
	}
	return n;
}

size_t stack_leftovers(struct target *const *targets, size_t n, struct strbuf *to)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		found += list_one(targets[i], to);
	return found;
}

// Keeps the first failure and goes on.
static void note(int *r, int one, struct err *err, const char *what)
{
	if (one < 0 && *r == 0)
		*r = err_set(err, one, "%s: %s", what, strerror(-one));
}

// Mappings and arrays: what is on top comes first in the tree, so that no logical volume
// still holds an array that is to be stopped.
static void remove_devices(const struct tree *above, int *r, struct err *err)
{
	for (size_t i = 0; i < above->n; i++) {
		_cleanup_free_ char *dm = devmap_name(above->names[i]);
		struct err why = { 0 };

		if (dm) {
			int one = devmap_remove(dm, &why);

			if (one < 0 && *r == 0)
				*r = err_set(err, one, "%s", why.text);
		} else if (is_md(above->names[i])) {
			int one = md_stop(above->names[i], &why);

			if (one < 0 && *r == 0)
				*r = err_set(err, one, "%s", why.text);
		}
	}
}

static int clear_one(const struct target *t, struct err *err)
{
	_cleanup_tree_ struct tree above = { 0 };
	_cleanup_mountlist_ struct mountlist mounts = { 0 };
	char **swaps = load_swaps();
	int r = 0;

	tree_above("", target_device(t)->name, &above);
	mountlist_load(&mounts, "/proc/self/mountinfo");
	for (size_t i = mounts.n; i-- > 0;)
		if (mount_on_target(&above, t, &mounts.items[i]))
			note(&r, mount_remove(mounts.items[i].dir), err,
			     mounts.items[i].dir);
	for (char **s = swaps; *s; s++)
		if (swap_on_target(&above, t, *s))
			note(&r, swapoff(*s) < 0 ? -errno : 0, err, *s);
	mount_swaps_free(swaps);
	remove_devices(&above, &r, err);
	return r;
}

int stack_clear(struct target *const *targets, size_t n, struct err *err)
{
	int r = devmap_init(err);

	for (size_t i = 0; i < n; i++) {
		struct err why = { 0 };
		int one = clear_one(targets[i], &why);

		if (one < 0 && r == 0)
			r = err_set(err, one, "%s", why.text);
	}
	return r;
}
