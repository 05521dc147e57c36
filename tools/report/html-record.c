// SPDX-License-Identifier: GPL-3.0-or-later
// What was done, to what, by what: plan, runs, warnings, devices, machine.
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "report/html-private.h"
#include "report/text-private.h"
#include "result/outcome.h"

#define DEPTH_MAX 6

static void print_plan(struct html *h)
{
	const struct json_object *values =
		json_get(json_get(h->result, "plan"), "values");
	const char *section = "";

	if (text_length(values) == 0)
		return;
	html_title(h, "plan", "The plan, with where each value came from");
	html_puts(h, "<table><tbody>\n");
	for (size_t i = 0; i < text_length(values); i++) {
		const struct json_object *v = text_item(values, i);

		if (strcmp(text_str(v, "section"), section) != 0) {
			section = text_str(v, "section");
			html_puts(h, "<tr><td colspan=\"3\"><b>[");
			html_text(h, section);
			html_puts(h, "]</b></td></tr>\n");
		}
		html_puts(h, "<tr><td><code>");
		html_text(h, text_str(v, "key"));
		html_puts(h, "</code></td><td class=\"m\">");
		html_text(h, text_str(v, "value"));
		html_puts(h, "</td><td class=\"q\">");
		html_text(h, text_str(v, "from"));
		html_puts(h, "</td></tr>\n");
		html_flush(h);
	}
	html_puts(h, "</tbody></table>\n");
}

static void print_run(struct html *h, size_t i)
{
	const struct json_object *run = text_item(json_get(h->result, "runs"), i);
	double took =
		json_get_double(run, "ended", 0) - json_get_double(run, "started", 0);
	_cleanup_strbuf_ struct strbuf time = { 0 };

	if (took > 0 && took < 1e9)
		number_format_duration(&time, (uint64_t)(took * 1e9));
	html_printf(h, "<tr><td class=\"n\">%lld</td><td class=\"n\">%lld</td><td>",
		    (long long)json_get_int(run, "index", 0),
		    (long long)json_get_int(run, "block", 0));
	html_text(h, text_str(run, "arm"));
	html_puts(h, "</td><td>");
	html_text(h, text_str(run, "test"));
	html_printf(h, "</td><td>%s</td><td class=\"n\">%s</td><td>",
		    outcome_name(outcome_parse(json_get_str(run, "outcome"))),
		    strbuf_str(&time));
	html_text(h, text_str(run, "why"));
	html_puts(h, "</td></tr>\n");
	html_flush(h);
}

void html_runs(struct html *h)
{
	const struct json_object *runs = json_get(h->result, "runs");

	if (text_length(runs) == 0)
		return;
	html_title(h, "runs", "Runs, in the order in which they were made");
	html_puts(h, "<div class=\"w\"><table><thead><tr><th class=\"n\">run</th>"
		     "<th class=\"n\">block</th><th>arm</th><th>test</th><th>outcome</th>"
		     "<th class=\"n\">took</th><th>why</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < text_length(runs); i++)
		print_run(h, i);
	html_puts(h, "</tbody></table></div>\n");
}

static void print_texts(struct html *h, const char *key, const char *title)
{
	const struct json_object *texts = json_get(h->result, key);

	if (text_length(texts) == 0)
		return;
	html_title(h, key, title);
	html_puts(h, "<ul>\n");
	for (size_t i = 0; i < text_length(texts); i++) {
		struct json_object *text = text_item(texts, i);

		if (!text)
			continue;
		html_puts(h, "<li>");
		html_text(h, json_object_get_string(text));
		html_puts(h, "</li>\n");
	}
	html_puts(h, "</ul>\n");
	html_flush(h);
}

// One value of the record: a list of words is one line.
static void print_leaf(struct html *h, struct json_object *value)
{
	bool array = json_object_is_type(value, json_type_array);

	for (size_t i = 0; i < text_length(value); i++) {
		struct json_object *item = text_item(value, i);

		html_puts(h, i ? " " : "");
		html_text(h, item ? json_object_get_string(item) : "-");
	}
	if (!array)
		html_text(h, value ? json_object_get_string(value) : "-");
}

static bool is_origin(const char *key)
{
	size_t len = strlen(key);

	return strcmp(key, "from") == 0 ||
	       (len > 5 && strcmp(key + len - 5, "_from") == 0);
}

// Every value with its path of names; DEPTH_MAX deep.
// NOLINTNEXTLINE(misc-no-recursion)
static void print_object(struct html *h, const struct json_object *o, const char *above,
			 int depth)
{
	if (!json_object_is_type(o, json_type_object) || depth > DEPTH_MAX)
		return;
	json_object_object_foreach ((struct json_object *)(uintptr_t)o, key, value) {
		_cleanup_free_ char *name =
			mem_printf("%s%s%s", above, *above ? "." : "", key);

		if (is_origin(key))
			continue;
		if (json_object_is_type(value, json_type_object)) {
			print_object(h, value, name, depth + 1);
			continue;
		}
		html_puts(h, "<tr><td class=\"q\">");
		html_text(h, name);
		html_puts(h, "</td><td class=\"m\">");
		print_leaf(h, value);
		html_puts(h, "</td></tr>\n");
		html_flush(h);
	}
}

static void print_devices(struct html *h)
{
	const struct json_object *devices = json_get(h->result, "devices");
	bool any = false;

	for (size_t i = 0; i < text_length(devices); i++) {
		const struct json_object *d = text_item(devices, i);

		if (strcmp(text_str(d, "kind"), "disk") != 0)
			continue;
		if (!any)
			html_title(h, "disks", "Disks");
		any = true;
		html_puts(h, "<h3>");
		html_text(h, text_str(d, "name"));
		html_puts(h, "</h3><table><tbody>\n");
		print_object(h, d, "", 0);
		html_puts(h, "</tbody></table>\n");
	}
}

void html_record(struct html *h)
{
	const struct json_object *machine = json_get(h->result, "machine");

	print_texts(h, "warnings", "Warnings");
	print_texts(h, "problems", "Problems with the places for results");
	print_plan(h);
	html_runs(h);
	print_devices(h);
	if (!json_object_is_type(machine, json_type_object) ||
	    json_object_object_length(machine) == 0)
		return;
	html_title(h, "machine", "The machine");
	html_puts(h, "<table><tbody>\n");
	print_object(h, machine, "", 0);
	html_puts(h, "</tbody></table>\n");
}
