// SPDX-License-Identifier: GPL-3.0-or-later
// What two arms were made of, and in how many things they differ.
#pragma once

#include <stdbool.h>

#include "common/json.h"
#include "common/strbuf.h"

struct arm_change {
	unsigned layers; // added, taken away or put in another's place; the fewest that
			 // turn one stack into the other
	unsigned facts;  // of bus, disk, selinux: those that both tell and that differ
	bool only_added; // b is a with layers more, and nothing else
};

// The arm of that name in a result.json's plan, or NULL.
const struct json_object *arm_find(const struct json_object *result, const char *name);

// What changes from arm a to b; either may be NULL (then nothing is known to). Words for
// a person are added to `words` when it is not NULL: "dm-crypt and lvm added, selinux
// off -> permissive".
struct arm_change arm_compare(const struct json_object *a, const struct json_object *b,
			      struct strbuf *words);

// Adds the names of the arm's layers that hold one of the words (which end with NULL) and
// are not in `to` yet, with commas between.
void arm_layers_like(const struct json_object *arm, const char *const *words,
		     struct strbuf *to);
