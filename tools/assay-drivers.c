// SPDX-License-Identifier: GPL-3.0-or-later
// assay drivers: loads the drivers of this machine and goes on serving hot-plug; what
// the shell mode runs in the background.
#include <stdio.h>
#include <unistd.h>

#include "command.h"
#include "device/driver.h"

static int drivers_command(int argc, char **argv)
{
	struct err err = { 0 };

	if (argc != 1)
		return command_usage(&command_drivers);
	if (driver_start(&err) < 0) {
		fprintf(stderr, "%s: %s\n", argv[0], err.text);
		return COMMAND_FAILED;
	}
	for (;;)
		pause(); // the loader's threads do it all, and say nothing into a
			 // person's shell
}

const struct command command_drivers = {
	.name = "drivers",
	.args = "",
	.help = "load drivers, and go on doing so for what is plugged in",
	.run = drivers_command,
};
