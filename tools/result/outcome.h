// SPDX-License-Identifier: GPL-3.0-or-later
// The five outcomes. No data never becomes passed.
#pragma once

enum outcome {
	OUTCOME_NOT_RUN, // first, so that zeroed memory is no success
	OUTCOME_PASSED,
	OUTCOME_FAILED,
	OUTCOME_SKIPPED, // with why
	OUTCOME_ABORTED, // with why
};

// "not-run", "passed", "failed", "skipped", "aborted"
const char *outcome_name(enum outcome o);

// The outcome of that name; OUTCOME_NOT_RUN when there is none.
enum outcome outcome_parse(const char *name);

// What a whole is worth whose parts are worth a and b: failed over aborted over not-run
// over skipped over passed.
enum outcome outcome_worse(enum outcome a, enum outcome b);
