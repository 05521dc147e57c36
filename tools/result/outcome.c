// SPDX-License-Identifier: GPL-3.0-or-later
// The five outcomes: their names and their order.
#include <stddef.h>
#include <string.h>

#include "common/macro.h"
#include "result/outcome.h"

static const struct {
	const char *name;
	int badness; // of a whole that has such a part
} outcomes[] = {
	[OUTCOME_NOT_RUN] = { "not-run", 2 }, [OUTCOME_PASSED] = { "passed", 0 },
	[OUTCOME_FAILED] = { "failed", 4 },   [OUTCOME_SKIPPED] = { "skipped", 1 },
	[OUTCOME_ABORTED] = { "aborted", 3 },
};

// A number that is no outcome counts as not run.
static enum outcome known(enum outcome o)
{
	return (size_t)o < ARRAY_SIZE(outcomes) ? o : OUTCOME_NOT_RUN;
}

const char *outcome_name(enum outcome o)
{
	return outcomes[known(o)].name;
}

enum outcome outcome_parse(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_SIZE(outcomes); i++)
		if (strcmp(name, outcomes[i].name) == 0)
			return (enum outcome)i;
	return OUTCOME_NOT_RUN;
}

enum outcome outcome_worse(enum outcome a, enum outcome b)
{
	a = known(a);
	b = known(b);
	return outcomes[b].badness > outcomes[a].badness ? b : a;
}
