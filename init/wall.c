// SPDX-License-Identifier: GPL-3.0-or-later
// The wall clock.
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

#include "common/clock.h"
#include "common/io.h"
#include "init.h"
#include "wall.h"

#ifndef ASSAY_EPOCH
#define ASSAY_EPOCH 0 // the image says it in BUILD_EPOCH_FILE
#endif
#define BUILD_EPOCH_FILE "/etc/assay/build-epoch"

static int64_t wrong; // what the clock said; meaningful when `suspect`
static bool suspect;

// A new time stamp on the file: the kernel stamps ctime with the clock as it is now.
static int touch(const char *path, const struct stat *st _unused_, int type _unused_,
		 struct FTW *at _unused_)
{
	const struct timespec now[2] = { { .tv_nsec = UTIME_NOW },
					 { .tv_nsec = UTIME_NOW } };

	utimensat(AT_FDCWD, path, now, AT_SYMLINK_NOFOLLOW);
	return 0;
}

void wall_fix(void)
{
	int64_t build = io_read_number(ASSAY_EPOCH, BUILD_EPOCH_FILE);
	struct timespec t = { .tv_sec = (time_t)build };

	wrong = time(NULL);
	// This program has a wide time_t, but those it starts have the word's size.
	suspect = pid1_clock_suspect(wrong, build, sizeof(long) == 4);
	if (!suspect || build <= 0 || clock_settime(CLOCK_REALTIME, &t) < 0)
		return;
	// What the kernel unpacked and made before carries the wrong date.
	nftw("/", touch, 16, FTW_PHYS | FTW_MOUNT);
	nftw("/dev", touch, 16, FTW_PHYS | FTW_MOUNT);
}

void wall_note(void)
{
	_cleanup_close_ int fd = -1;
	char text[32], now[24];

	if (!suspect)
		return;
	fd = open("/run/assay/clock-suspect", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	snprintf(text, sizeof(text), "%lld\n", (long long)wrong);
	if (fd >= 0 && dprintf(fd, "%s", text) < 0)
		say("The note about the clock could not be written.");
	clock_wall(now);
	say("The clock of this machine cannot be right (its battery may be empty); dates "
	    "in the results are not to be trusted. It now counts from %s.",
	    now);
}
