// SPDX-License-Identifier: GPL-3.0-or-later
// Tidy data: one number a line.
#include <string.h>

#include "common/csv.h"
#include "common/number.h"
#include "report/report.h"
#include "report/text-private.h"
#include "result/outcome.h"

static void add_texts(struct strbuf *to, const struct json_object *from,
		      const char *const *keys, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		csv_add(to, text_str(from, keys[i]));
		strbuf_puts(to, ",");
	}
}

// The stack as the run or the plan has it.
static const char *stack_of(const struct json_object *result,
			    const struct json_object *run)
{
	const struct json_object *arms = json_get(json_get(result, "plan"), "arms");

	if (*text_str(run, "stack"))
		return text_str(run, "stack");
	for (size_t i = 0; i < text_length(arms); i++)
		if (strcmp(text_str(text_item(arms, i), "name"), text_str(run, "arm")) ==
		    0)
			return text_str(text_item(arms, i), "stack");
	return "";
}

static void add_metric(const struct json_object *result, const struct json_object *run,
		       const struct json_object *m, struct strbuf *to)
{
	static const char *const campaign[] = { "machine_id", "run_id", "plan_name" };
	static const char *const what[] = { "test", "engine" };
	static const char *const number[] = { "name", "unit", "better", "bound" };
	double value = json_get_double(m, "value", 0);

	add_texts(to, result, campaign, ARRAY_SIZE(campaign));
	strbuf_printf(to, "%lld,%lld,", (long long)json_get_int(run, "block", 0),
		      (long long)json_get_int(run, "order", 0));
	csv_add(to, text_str(run, "arm"));
	strbuf_puts(to, ",");
	csv_add(to, stack_of(result, run));
	strbuf_puts(to, ",");
	add_texts(to, run, what, ARRAY_SIZE(what));
	add_texts(to, m, number, ARRAY_SIZE(number));
	number_format_exact(to, value);
	strbuf_puts(to, "\n");
}

void report_tidy_csv(const struct json_object *result, struct strbuf *to)
{
	const struct json_object *runs = json_get(result, "runs");

	strbuf_puts(to, "machine,campaign,plan,block,order,arm,stack,test,engine,metric,"
			"unit,better,bound,value\n");
	for (size_t i = 0; i < text_length(runs); i++) {
		const struct json_object *run = text_item(runs, i);
		const struct json_object *metrics = json_get(run, "metrics");

		if (outcome_parse(json_get_str(run, "outcome")) != OUTCOME_PASSED)
			continue;
		for (size_t k = 0; k < text_length(metrics); k++)
			if (json_get(text_item(metrics, k), "value"))
				add_metric(result, run, text_item(metrics, k), to);
	}
}
