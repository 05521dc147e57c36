// SPDX-License-Identifier: GPL-3.0-or-later
// Many campaigns of many machines: who failed, how each number is distributed, whose disk
// is unlike its siblings', what changed since a baseline.
//
// One document is in memory at a time. What stays of it is 16 bytes for each arm's
// metric, so memory grows with the numbers, not with the runs: 10,000 campaigns of 14
// metrics need some 5 MB.
#pragma once

#include <stdbool.h>

#include "common/fault.h"
#include "report/html.h"

struct fleet;

struct fleet *fleet_new(void);

// Reads every result.json below a folder, or that one file. `baseline`: they are what the
// others are compared with. What cannot be read is a fault; links are not followed. Of a
// machine's campaigns of one plan the last one by name of its folder, which begins with
// its date, counts; a campaign found twice is taken once.
void fleet_add(struct fleet *f, const char *path, bool baseline,
	       struct fault_list *faults);

// Siblings are machines with the same plan and the same model of disk. Unlike them is
// a machine whose median is more than 5 scaled median absolute deviations, and 5 %, from
// theirs, where there are at least 5. To be called once, after the last fleet_add().
void fleet_judge(struct fleet *f);

size_t fleet_campaigns(const struct fleet *f);

// The report in 80 columns, and as a page.
void fleet_text(const struct fleet *f, report_write *write, void *arg);
void fleet_html(const struct fleet *f, report_write *write, void *arg);
void fleet_free(struct fleet *f);
