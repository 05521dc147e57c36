// SPDX-License-Identifier: GPL-3.0-or-later
// What a campaign's numbers do and do not support, in sentences, found by rules from the
// document itself: no rule knows an article.
#pragma once

#include "common/json.h"
#include "report/delta.h"

// Adds texts to the arrays `does` and `does_not`. `pairs` are the comparisons that are
// made of the campaign.
void limits_find(const struct json_object *result, const struct delta_list *pairs,
		 size_t n, struct json_object *does, struct json_object *does_not);
