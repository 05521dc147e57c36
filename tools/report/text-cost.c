// SPDX-License-Identifier: GPL-3.0-or-later
// In the text report: who spent the CPU time of each test, and what gates say.
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "report/text-private.h"

#define NAMES_SHOWN 5

struct cost {
	double net, gib, benchmark, interrupts, other;
	struct json_object *threads; // seconds by family
	size_t runs;
};

static bool same_test(const struct json_object *a, const struct json_object *b)
{
	return strcmp(text_str(a, "arm"), text_str(b, "arm")) == 0 &&
	       strcmp(text_str(a, "test"), text_str(b, "test")) == 0;
}

// Is this the first run of its arm and test?
static bool is_first(const struct json_object *runs, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (same_test(text_item(runs, k), text_item(runs, i)))
			return false;
	return true;
}

static double metric_value(const struct json_object *run, const char *name)
{
	const struct json_object *metrics = json_get(run, "metrics");

	for (size_t i = 0; i < text_length(metrics); i++)
		if (strcmp(text_str(text_item(metrics, i), "name"), name) == 0)
			return json_get_double(text_item(metrics, i), "value", 0);
	return 0;
}

static void add_run(struct cost *c, const struct json_object *run)
{
	const struct json_object *cpu = json_get(json_get(run, "detail"), "cpu");
	struct json_object *threads = json_get(cpu, "threads");
	double net = json_get_double(cpu, "net_s", -1);
	double per_gib = metric_value(run, "cpu_per_gib");

	if (net < 0)
		return;
	c->runs++;
	c->net += net;
	c->gib += per_gib > 0 ? net / per_gib : 0;
	c->benchmark += json_get_double(cpu, "benchmark_s", 0);
	c->interrupts +=
		json_get_double(cpu, "irq_s", 0) + json_get_double(cpu, "softirq_s", 0);
	c->other += json_get_double(cpu, "programs_s", 0);
	if (!json_object_is_type(threads, json_type_object))
		return;
	json_object_object_foreach (threads, name, value) {
		json_set_double(c->threads, name,
				json_get_double(c->threads, name, 0) +
					json_object_get_double(value));
	}
}

static void add_share(struct strbuf *to, const char *name, double seconds, double net)
{
	double percent = net > 0 ? 100 * seconds / net : 0;

	if (percent >= 1)
		strbuf_printf(to, ", %s %.0f %%", name, percent);
}

// Largest first; each is taken out once it is written.
static void add_threads(struct strbuf *to, const struct cost *c)
{
	for (int i = 0; i < NAMES_SHOWN; i++) {
		_cleanup_free_ char *most = NULL;
		double best = 0;

		json_object_object_foreach (c->threads, name, value) {
			if (json_object_get_double(value) <= best)
				continue;
			best = json_object_get_double(value);
			free(most);
			most = mem_strdup(name);
		}
		if (!most)
			return;
		add_share(to, most, best, c->net);
		json_object_object_del(c->threads, most);
	}
}

static void print_cost(const struct json_object *runs, size_t first, struct strbuf *to)
{
	_cleanup_json_ struct json_object *threads = json_new();
	const struct json_object *run = text_item(runs, first);
	struct cost c = { .threads = threads };
	_cleanup_strbuf_ struct strbuf text = { 0 };
	_cleanup_free_ char *who =
		mem_printf("%s, %s: ", text_str(run, "arm"), text_str(run, "test"));

	for (size_t i = first; i < text_length(runs); i++)
		if (same_test(run, text_item(runs, i)))
			add_run(&c, text_item(runs, i));
	if (c.runs == 0)
		return;
	strbuf_printf(&text, "%.3g CPU-seconds a run", c.net / (double)c.runs);
	if (c.gib > 0)
		strbuf_printf(&text, ", %.3g per GiB", c.net / c.gib);
	add_share(&text, "the tool itself", c.benchmark, c.net);
	add_threads(&text, &c);
	add_share(&text, "interrupts", c.interrupts, c.net);
	add_share(&text, "other programs", c.other, c.net);
	text_wrap(to, who, strbuf_str(&text));
}

static void print_costs(const struct json_object *runs, struct strbuf *to)
{
	size_t before = to->len, titled;

	text_title(to, "CPU time of the whole machine");
	titled = to->len;
	for (size_t i = 0; i < text_length(runs); i++)
		if (is_first(runs, i))
			print_cost(runs, i, to);
	if (to->len == titled) {
		to->len = before;
		to->data[before] = '\0';
	}
}

// Has an earlier run of the same arm and test a remark of that name?
static bool said_before(const struct json_object *runs, size_t i, const char *key,
			const char *name)
{
	for (size_t k = 0; k < i; k++) {
		const struct json_object *list = json_get(text_item(runs, k), key);

		if (!same_test(text_item(runs, k), text_item(runs, i)))
			continue;
		for (size_t m = 0; m < text_length(list); m++)
			if (strcmp(text_str(text_item(list, m), "name"), name) == 0)
				return true;
	}
	return false;
}

static void print_remarks(const struct json_object *runs, const char *key,
			  const char *title, struct strbuf *to)
{
	size_t before = to->len, titled;

	text_title(to, title);
	titled = to->len;
	for (size_t i = 0; i < text_length(runs); i++) {
		const struct json_object *run = text_item(runs, i);
		const struct json_object *list = json_get(run, key);

		for (size_t k = 0; k < text_length(list); k++) {
			const struct json_object *o = text_item(list, k);
			_cleanup_free_ char *text =
				mem_printf("block %lld, arm %s, test %s: %s: %s",
					   (long long)json_get_int(run, "block", 0),
					   text_str(run, "arm"), text_str(run, "test"),
					   text_str(o, "name"), text_str(o, "words"));

			if (strcmp(key, "gates") == 0 ||
			    !said_before(runs, i, key, text_str(o, "name")))
				text_wrap(to, "- ", text);
		}
	}
	if (to->len == titled) {
		to->len = before;
		to->data[before] = '\0';
	}
}

void text_cost(const struct json_object *result, struct strbuf *to)
{
	const struct json_object *runs = json_get(result, "runs");

	print_costs(runs, to);
	print_remarks(runs, "gates", "Runs whose numbers must not be compared", to);
	print_remarks(runs, "flags", "Worth knowing (the first of its kind)", to);
}
