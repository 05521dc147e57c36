// SPDX-License-Identifier: GPL-3.0-or-later
// What a person should think about although the plan has no fault.
#include <string.h>

#include "plan/plan.h"

void plan_warnings(const struct plan *p, struct fault_list *warnings)
{
	const struct plan_arm *formats = NULL, *scratch = NULL;

	for (size_t i = 0; i < p->n_arms; i++) {
		if (!p->arms[i].open && !formats)
			formats = &p->arms[i];
		if (p->arms[i].scratch)
			scratch = &p->arms[i];
	}
	if (formats && !p->erase)
		fault_add(warnings, p->file, 0,
			  "[arm %s] overwrites the disk, but [target] has no erase: the "
			  "run "
			  "will stop. Name the disk again, e.g. erase = "
			  "WD-WXA1A23, to let it be overwritten",
			  formats->name);
	if (!formats && !scratch && p->erase)
		fault_add(warnings, p->file, 0,
			  "[target] erase lets the disk be overwritten, but every arm "
			  "only opens and reads it; take erase away");
	if (p->blocks < PLAN_BLOCKS_FINDING && p->n_arms > 1)
		fault_add(warnings, p->file, 0,
			  "with blocks = %u differences between arms cannot be told "
			  "from chance; use %d or more to compare",
			  p->blocks, PLAN_BLOCKS_FINDING);
}
