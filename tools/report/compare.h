// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons of arms, within a campaign and between campaigns, as text and as a table.
#pragma once

#include "common/fault.h"
#include "report/delta.h"

struct compare_pair {
	char *a, *b;  // arms; of all campaigns given
	char *factor; // what is said to differ; NULL: as their stacks show
};

struct compare {
	const struct json_object *const *results; // result.json each
	const char *const *names;                 // for messages: folders
	size_t n;
	struct compare_pair *pairs; // owned
	size_t n_pairs;
};

// Reads a list of pairs, "base,variant,factor" a line below such a heading.
void compare_pairs_parse(struct compare *c, const char *file, const char *text,
			 size_t len, struct fault_list *faults);

// The comparison of each pair, with what each campaign's numbers do and do not support.
// Without pairs: of one campaign, its first arm with every other; of several, the first
// campaign's arms with those of the same name in the others. A pair whose arm is in no
// campaign is a fault. `csv`: as delta_csv().
void report_compare(const struct compare *c, bool csv, struct strbuf *to,
		    struct fault_list *faults);
void compare_done(struct compare *c);
