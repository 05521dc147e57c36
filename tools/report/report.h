// SPDX-License-Identifier: GPL-3.0-or-later
// Renders a result.json for people and other programs. Needs nothing but that document.
#pragma once

#include "common/json.h"
#include "common/strbuf.h"

// report.txt: 80 columns of ASCII: one-line verdict, the effective plan with origins,
// per test a table of arms by metrics (median and n; bounds as ">="), then every run
// with outcome and reason, leftovers, warnings, device and machine record.
void report_text(const struct json_object *result, struct strbuf *to);

// bonnie.csv: one classic 27-field line of bonnie++ 1.03 per bonnie run, machine name
// "<machine>-<arm>". Censored values are "+++++", absent ones empty.
void report_bonnie_csv(const struct json_object *result, struct strbuf *to);
