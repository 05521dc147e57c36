// SPDX-License-Identifier: GPL-3.0-or-later
// assay drivers: loads the drivers of this machine and goes on serving hot-plug; what
// the shell mode runs in the background.
#include <poll.h>
#include <signal.h>
#include <stdio.h>

#include "command.h"
#include "common/clock.h"
#include "device/driver.h"

#define SETTLE_QUIET (CLOCK_SECOND / 2)
#define SETTLE_LIMIT (60 * CLOCK_SECOND)

static int drivers_command(int argc, char **argv)
{
	struct driver_stats stats;
	struct err err = { 0 };

	if (argc != 1)
		return command_usage(&command_drivers);
	if (driver_start(&err) < 0) {
		fprintf(stderr, "%s: %s\n", argv[0], err.text);
		return COMMAND_FAILED;
	}
	driver_settle(SETTLE_QUIET, clock_mono_ns() + SETTLE_LIMIT);
	driver_stats(&stats);
	printf("%u kinds of hardware, %u drivers loaded\n", stats.aliases, stats.modules);
	fflush(stdout);
	for (;;)
		pause(); // the loader's threads serve hot-plug until we are ended
}

const struct command command_drivers = {
	.name = "drivers",
	.args = "",
	.help = "load drivers, and go on doing so for what is plugged in",
	.run = drivers_command,
};
