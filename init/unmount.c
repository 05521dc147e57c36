// SPDX-License-Identifier: GPL-3.0-or-later
// Everything unmounted, last mounted first; what is busy is made read-only.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/swap.h>

#include "common/clock.h"
#include "common/io.h"
#include "common/mountlist.h"
#include "ending.h"
#include "unmount.h"

#define ONE_BOUND (60 * CLOCK_SECOND)
#define PASSES    3 // an unmount may uncover what was hidden beneath it

static int swap_off_one(const void *path)
{
	return swapoff(path) < 0 ? -errno : 0;
}

// Before the filesystems: swap in a file keeps the one that carries it busy.
static void swap_off(void)
{
	_cleanup_strbuf_ struct strbuf b = { 0 };
	char *save = NULL, path[256];

	if (io_read_file("/proc/swaps", &b, 64 * 1024) < 0 || !b.data)
		return;
	for (char *line = strtok_r(b.data, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		if (sscanf(line, "%255s", path) == 1 && path[0] == '/')
			ending_bounded(swap_off_one, path, ONE_BOUND);
}

static int unmount_one(const void *dir)
{
	return umount2(dir, UMOUNT_NOFOLLOW) < 0 ? -errno : 0;
}

static int make_readonly(const void *dir)
{
	return mount(NULL, dir, NULL, MS_REMOUNT | MS_RDONLY, NULL) < 0 ? -errno : 0;
}

// One pass over all mounts. Returns how many remain; `last` tells why.
static size_t unmount_pass(bool final, int *last)
{
	struct mountlist list;
	size_t remain = 0;

	if (mountlist_load(&list, "/proc/self/mountinfo") < 0)
		return 0;
	mountlist_keep_ending(&list);
	for (size_t i = 0; i < list.n; i++) {
		const struct mountlist_item *m = &list.items[i];
		int r = ending_bounded(unmount_one, m->dir, ONE_BOUND);

		if (r == 0)
			continue;
		remain++;
		*last = r;
		if (!final)
			continue;
		r = r == -ETIMEDOUT ? r
				    : ending_bounded(make_readonly, m->dir, ONE_BOUND);
		say("%s (%s) could not be unmounted: %s%s", m->dir, m->source,
		    strerror(-*last),
		    r == 0 ? "; it is read-only now, nothing is lost." : ".");
	}
	mountlist_done(&list);
	return remain;
}

int unmount_all(const void *unused _unused_)
{
	int last = 0;

	swap_off();
	for (int i = 1; i <= PASSES; i++) {
		last = 0;
		if (unmount_pass(i == PASSES, &last) == 0 || last == -ETIMEDOUT)
			break;
	}
	return last;
}
