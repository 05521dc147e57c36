// SPDX-License-Identifier: GPL-3.0-or-later
// What sits on the targets though nothing should, and taking it away, top down.
#include <fcntl.h>
#include <linux/major.h> // MD_MAJOR, which md_u.h needs
#include <linux/raid/md_u.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/sysmacros.h>

#include "common/io.h"
#include "common/mem.h"
#include "common/number.h"
#include "stack/devmap.h"
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

static size_t list_one(const struct target *t, struct strbuf *to)
{
	_cleanup_tree_ struct tree above = { 0 };
	_cleanup_mountlist_ struct mountlist mounts = { 0 };
	char **swaps = load_swaps();
	size_t n = 0;

	tree_above("", target_device(t)->name, &above);
	mountlist_load(&mounts, "/proc/self/mountinfo");
	for (size_t i = 0; i < mounts.n; i++)
		if (mount_on_target(&above, t, &mounts.items[i])) {
			strbuf_printf(to, "%s mounted at %s\n", mounts.items[i].source,
				      mounts.items[i].dir);
			n++;
		}
	for (char **s = swaps; *s; s++)
		if (swap_on_target(&above, t, *s)) {
			strbuf_printf(to, "%s is swapped to\n", *s);
			n++;
		}
	mount_swaps_free(swaps);
	for (size_t i = 0; i < above.n; i++) {
		_cleanup_free_ char *dm = devmap_name(above.names[i]);

		if (!dm && !is_md(above.names[i]))
			continue; // a partition
		strbuf_printf(to, "%s%s%s%s\n", above.names[i], dm ? " (" : "",
			      dm ? dm : "", dm ? ")" : "");
		n++;
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

static int stop_md(const char *name)
{
	_cleanup_free_ char *path = mem_printf("/dev/%s", name);
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 || ioctl(fd, STOP_ARRAY, NULL) < 0 ? -errno : 0;
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
			note(r, stop_md(above->names[i]), err, above->names[i]);
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
