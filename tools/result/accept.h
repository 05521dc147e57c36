// SPDX-License-Identifier: GPL-3.0-or-later
// [accept]: does what was measured meet the limits that the plan sets?
#pragma once

#include "common/json.h"
#include "common/strbuf.h"
#include "result/outcome.h"

// Judges each line of the document's plan.accept by its `runs`. A line is
//   ARM.TEST.METRIC OP NUMBER UNIT          "encrypted.seqread.read >= 50 MB/s"
//   ARM.TEST.METRIC OP NUMBER * ARM.TEST.METRIC
//   ARM.TEST.METRIC OP NUMBER * baseline
// with OP one of < <= > >=. The value is the median of the runs that count; against
// another arm in the same test and metric it is the ratio of the two over the blocks that
// both have. `baseline` is the result.json of an earlier campaign, or NULL.
//
// Returns an array, one {"text","outcome","why","value","limit","unit"} for each line:
// passed, failed, or not-run where there is nothing to judge by (no data, only a bound,
// another unit, no baseline); value and limit are null there. The caller puts it.
struct json_object *accept_judge(const struct json_object *result,
				 const struct json_object *baseline);

#define ACCEPT_WORDS "criteria met"

// The worst outcome of such an array, and in `why` (may be NULL) how many are met and the
// reason of the first worst one: "2 of 3 criteria met; ...", with ACCEPT_WORDS. An empty
// array is OUTCOME_NOT_RUN.
enum outcome accept_verdict(const struct json_object *array, struct strbuf *why);
