// SPDX-License-Identifier: GPL-3.0-or-later
// Two tables with colours: ciphers, and bonnie++'s own as everybody knows it.
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "report/html-private.h"
#include "report/names.h"
#include "report/samples.h"
#include "report/text-private.h"
#include "result/outcome.h"

#define COLUMNS 12

static const char *const columns[COLUMNS] = { "putc",       "put_block", "rewrite",
					      "getc",       "get_block", "seeks",
					      "seq_create", "seq_stat",  "seq_del",
					      "ran_create", "ran_stat",  "ran_del" };

// The values of a column, for its colours.
struct range {
	double low, high;
	unsigned distinct;
};

static void add_value(struct range *r, double v)
{
	if (v <= 0)
		return;
	r->distinct += r->distinct == 0 || v < r->low || v > r->high;
	r->low = r->distinct == 1 ? v : fmin(r->low, v);
	r->high = fmax(r->high, v);
}

static bool is_cipher(const char *metric, const char *way)
{
	const char *end = strrchr(metric, '_');

	return end && strcmp(end, way) == 0;
}

// Light to dark by the logarithm of the rate, so that twice is the same step everywhere.
static void open_heat(struct html *h, const struct range *r, double v)
{
	double t = r->high > r->low ? log(v / r->low) / log(r->high / r->low) : 0;

	html_printf(h, "<td class=\"n\" style=\"background:rgb(%.0f,%.0f,%.0f);%s\">",
		    247 - t * 178, 244 - t * 180, 249 - t * 100,
		    t > 0.55 ? "color:#fff" : "");
}

static void print_cipher(struct html *h, const char *test, const char *metric,
			 const struct names *arms, const struct range *r)
{
	static const char *const ways[] = { "encrypt", "decrypt" };
	_cleanup_free_ char *stem =
		mem_strndup(metric, (size_t)(strrchr(metric, '_') - metric));

	html_puts(h, "<tr><td><code>");
	html_text(h, stem);
	html_puts(h, "</code></td>");
	for (size_t a = 0; a < arms->n; a++)
		for (size_t w = 0; w < 2; w++) {
			_cleanup_free_ char *name = mem_printf("%s_%s", stem, ways[w]);
			struct samples s;
			double v;

			samples_collect(&s, h->result, test, arms->items[a], name);
			v = samples_median(&s);
			if (s.n && v > 0) {
				struct metric m = { .unit = s.unit, .value = v };

				open_heat(h, r, v);
				html_metric(h, &m, NULL);
				html_puts(h, "</td>");
			} else {
				html_puts(h, "<td class=\"n q\">-</td>");
			}
			samples_done(&s);
		}
	html_puts(h, "</tr>\n");
	html_flush(h);
}

static void print_ciphers(struct html *h, const char *test, const struct names *metrics)
{
	_cleanup_free_ struct names *all = mem_new(1, sizeof(*all));
	_cleanup_free_ struct names *arms = mem_new(1, sizeof(*arms));
	struct range r = { 0 };

	names_collect(all, h->result, "arms", "arm");
	for (size_t a = 0; a < all->n; a++) {
		struct samples s;
		double before = r.high;

		for (size_t i = 0; i < metrics->n; i++) {
			samples_collect(&s, h->result, test, all->items[a],
					metrics->items[i]);
			if (is_cipher(metrics->items[i], "_encrypt") ||
			    is_cipher(metrics->items[i], "_decrypt"))
				add_value(&r, samples_median(&s));
			before = s.n ? -1 : before;
			samples_done(&s);
		}
		if (before < 0 && arms->n < 3)
			arms->items[arms->n++] = all->items[a];
	}
	html_puts(h, "<div class=\"w\"><table class=\"heat\" data-test=\"");
	html_text(h, test);
	html_puts(h, "\"><thead><tr><th>cipher, mode, key bits</th>");
	for (size_t a = 0; a < arms->n; a++)
		for (size_t w = 0; w < 2; w++) {
			html_puts(h, "<th class=\"n\">");
			html_text(h, arms->n > 1 ? arms->items[a] : "");
			html_puts(h, w ? " decrypt</th>" : " encrypt</th>");
		}
	html_puts(h, "</tr></thead><tbody>\n");
	for (size_t i = 0; i < metrics->n; i++)
		if (is_cipher(metrics->items[i], "_encrypt"))
			print_cipher(h, test, metrics->items[i], arms, &r);
	html_puts(h, "</tbody></table></div>\n");
}

void html_ciphers(struct html *h)
{
	_cleanup_free_ struct names *tests = mem_new(1, sizeof(*tests));
	bool titled = false;

	names_collect(tests, h->result, "tests", "test");
	for (size_t i = 0; i < tests->n; i++) {
		_cleanup_free_ struct names *metrics = mem_new(1, sizeof(*metrics));
		bool any = false;

		names_metrics(metrics, h->result, tests->items[i]);
		for (size_t k = 0; k < metrics->n; k++)
			any |= is_cipher(metrics->items[k], "_encrypt");
		if (!any)
			continue;
		if (!titled) {
			html_title(h, "ciphers", "Ciphers in memory");
			html_puts(h,
				  "<p class=\"q\">Medians of one thread without a disk: "
				  "an upper bound, not a prediction. Of an xts key, half "
				  "are the cipher's own: xts_256 is AES-128. Darker is "
				  "faster.</p>\n");
		}
		titled = true;
		print_ciphers(h, tests->items[i], metrics);
	}
}

static bool is_bonnie(const struct json_object *run)
{
	return strcmp(text_str(run, "engine"), "bonnie") == 0 &&
	       outcome_parse(json_get_str(run, "outcome")) == OUTCOME_PASSED;
}

static size_t find_ranges(struct html *h, struct range *ranges)
{
	const struct json_object *runs = json_get(h->result, "runs");
	size_t found = 0;

	for (size_t i = 0; i < text_length(runs); i++) {
		struct metric_list list = { 0 };

		if (!is_bonnie(text_item(runs, i)))
			continue;
		metric_parse(&list, json_get(text_item(runs, i), "metrics"));
		for (size_t k = 0; k < COLUMNS; k++) {
			const struct metric *m = metric_find(&list, columns[k]);

			if (m && m->bound == BOUND_EXACT)
				add_value(&ranges[k], m->value);
		}
		metric_list_done(&list);
		found++;
	}
	return found;
}

// The colours of bon_csv2html: from red for a column's least to green for its most; a
// spread of less than two is taken for two, so that little differences stay yellow.
static void open_classic(struct html *h, const struct range *r, const struct metric *m)
{
	double low = r->low, high = r->high, share;

	if (r->distinct < 2 || m->bound != BOUND_EXACT) {
		html_puts(h, "<td class=\"n\">");
		return;
	}
	if (high / low < 2) {
		double widen = sqrt(2 / (high / low));

		low /= widen;
		high *= widen;
	}
	share = (m->value - low) / (high - low);
	html_printf(h, "<td class=\"n\" style=\"background:rgb(%.0f,%.0f,120)\">",
		    255 - 120 * share, 135 + 120 * share);
}

static void print_bonnie_run(struct html *h, size_t index, const struct range *ranges)
{
	const struct json_object *run = text_item(json_get(h->result, "runs"), index);
	struct metric_list list = { 0 };

	metric_parse(&list, json_get(run, "metrics"));
	html_puts(h, "<tr><td>");
	html_text(h, text_str(run, "arm"));
	html_printf(h, "</td><td class=\"n\">%lld</td><td>",
		    (long long)json_get_int(run, "block", 0));
	html_text(h, text_str(json_get(run, "detail"), "file_size"));
	html_puts(h, "</td>");
	for (size_t k = 0; k < COLUMNS; k++) {
		const struct metric *m = metric_find(&list, columns[k]);
		_cleanup_free_ char *at = m ? mem_printf("runs/%zu/metrics/%zu/value",
							 index, (size_t)(m - list.items))
					    : NULL;

		if (!m) {
			html_puts(h, "<td class=\"n q\">-</td>");
			continue;
		}
		open_classic(h, &ranges[k], m);
		html_metric(h, m, at);
		html_puts(h, "</td>");
	}
	html_puts(h, "</tr>\n");
	metric_list_done(&list);
	html_flush(h);
}

void html_bonnie(struct html *h)
{
	const struct json_object *runs = json_get(h->result, "runs");
	struct range ranges[COLUMNS] = { 0 };

	if (find_ranges(h, ranges) == 0)
		return;
	html_title(h, "bonnie", "bonnie++, the classic table");
	html_puts(
		h,
		"<p class=\"q\">Its colours show a column's spread, from its least (red) "
		"to its most (green), not whether a difference is real; putc and getc "
		"measure the C library more than a disk.</p>\n<div class=\"w\"><table>"
		"<thead><tr><th>arm</th><th class=\"n\">block</th><th>file</th>");
	for (size_t k = 0; k < COLUMNS; k++)
		html_printf(h, "<th class=\"n\">%s</th>", columns[k]);
	html_puts(h, "</tr></thead><tbody>\n");
	for (size_t i = 0; i < text_length(runs); i++)
		if (is_bonnie(text_item(runs, i)))
			print_bonnie_run(h, i, ranges);
	html_puts(h, "</tbody></table></div>\n");
}
