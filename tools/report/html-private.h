// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the files of the HTML report only.
#pragma once

#include "common/strbuf.h"
#include "report/html.h"
#include "report/markup.h"
#include "result/comparison.h"
#include "result/metric.h"

struct html {
	const struct json_object *result;
	struct comparison_list comparisons;
	bool comparisons_at; // they are in the document, so their place can be told
	struct strbuf buf;   // what is not written yet
	report_write *write;
	void *arg;
};

// Hands on what is in buf; to be called after each row.
void html_flush(struct html *h);

void html_puts(struct html *h, const char *markup);
void html_printf(struct html *h, const char *fmt, ...) _printf_(2, 3); // markup
void html_text(struct html *h, const char *text);                      // escaped

// <h2 id="id">title</h2>
void html_title(struct html *h, const char *id, const char *title);

// <span data-v="..." data-at="at">text</span> with the value as metric_format() has it;
// `at` NULL: a number that is not in the document as such.
void html_metric(struct html *h, const struct metric *m, const char *at);

// The same for a percentage, "-12.3 %" with its sign.
void html_percent(struct html *h, double value, const char *at);

// Head, style and foot of a page.
void html_begin(struct html *h, const char *title);
void html_end(struct html *h);
extern const char html_style[];

// Sections.
void html_comparisons(struct html *h);
void html_waterfall(struct html *h);
void html_latency(struct html *h);
void html_ciphers(struct html *h);
void html_bonnie(struct html *h);
void html_runs(struct html *h);
void html_record(struct html *h); // plan, warnings, machine
