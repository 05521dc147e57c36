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
// "<machine>-<arm>", or that of an imported line. Censored values are "+++++", absent
// ones empty.
void report_bonnie_csv(const struct json_object *result, struct strbuf *to);

// The same in the 50 fields of format 1.98, with latencies.
void report_bonnie_198(const struct json_object *result, struct strbuf *to);

// Tidy data, one number of a passed run a line, below one line of names: machine,
// campaign, plan, block, order, arm, stack, test, engine, metric, unit, better, bound,
// value. Units and exact values as in the document.
void report_tidy_csv(const struct json_object *result, struct strbuf *to);

// OpenMetrics text 1.0 (https://prometheus.io/docs/specs/om/open_metrics_spec/): a gauge
// for each metric and unit, with machine, campaign, arm, test and block as labels; bounds
// have a label that says so.
void report_openmetrics(const struct json_object *result, struct strbuf *to);

// composite.xml of the Phoronix Test Suite: an entry for each test's metric, in which the
// arms stand as the systems. Bounds are left out: that format has no way to say them.
void report_phoronix(const struct json_object *result, struct strbuf *to);

// The document itself, indented, with the comparisons of its runs where it has none: what
// was imported, or was written by an older version.
void report_json(const struct json_object *result, struct strbuf *to);
