// SPDX-License-Identifier: GPL-3.0-or-later
// assay run: the sequence. Boot, discover, read plan, build stack, run suite, write
// results, end. Each step is one function of the session; the first that cannot go on
// leaves its reason in the campaign, and the results are written all the same.
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "run-session.h"

int session_go(struct session *s, bool ready)
{
	ready = ready && session_read_plan(s) == 0 && session_find_targets(s) == 0 &&
		session_check(s) == 0;
	// The result channels are opened in any case: what stopped us is a result, too.
	ready = session_open_results(s) == 0 && ready;
	if (ready && session_permit(s) == 0)
		session_run_suite(s);
	session_write_results(s);
	session_upload(s);
	return session_end(s);
}

static int run_command(int argc, char **argv)
{
	struct session s;

	if (argc == 3 && strcmp(argv[1], "--after") == 0)
		return session_after_crash(argv[2]);
	if (argc == 2 && strcmp(argv[1], "--menu") == 0)
		return session_menu();
	if (argc != 1)
		return command_usage(&command_run);

	session_begin(&s);
	return session_go(&s, session_discover(&s) == 0);
}

const struct command command_run = {
	.name = "run",
	.args = "",
	.help = "the whole sequence, as the appliance runs it",
	.run = run_command,
};
