// SPDX-License-Identifier: GPL-3.0-or-later
// assay run: the sequence. Boot, discover, read plan, build stack, run suite, write
// results, end. Each step is one function of the session; the first that cannot go on
// leaves its reason in the campaign, and the results are written all the same.
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "run-session.h"

static int run_command(int argc, char **argv)
{
	struct session s;
	int r;

	if (argc == 3 && strcmp(argv[1], "--after") == 0)
		return session_after_crash(argv[2]);
	if (argc == 2 && strcmp(argv[1], "--menu") == 0)
		return session_menu();
	if (argc != 1)
		return command_usage(&command_run);

	session_begin(&s);
	r = session_discover(&s);
	if (r == 0)
		r = session_read_plan(&s);
	if (r == 0)
		r = session_find_targets(&s);
	if (r == 0)
		r = session_check(&s);
	if (r == 0)
		r = session_open_results(&s);
	if (r == 0)
		r = session_permit(&s);
	if (r == 0)
		session_run_suite(&s);
	session_write_results(&s);
	return session_end(&s);
}

const struct command command_run = {
	.name = "run",
	.args = "",
	.help = "the whole sequence, as the appliance runs it",
	.run = run_command,
};
