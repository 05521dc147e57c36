// SPDX-License-Identifier: GPL-3.0-or-later
// composite.xml of the Phoronix Test Suite, whose pts_result_file reads it.
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "report/markup.h"
#include "report/names.h"
#include "report/report.h"
#include "report/samples.h"
#include "report/text-private.h"

static bool is_time(const char *wall)
{
	return strlen(wall) == 20 && wall[10] == 'T' && wall[19] == 'Z';
}

// "2026-03-31T12:00:00Z" as "2026-03-31 12:00:00", the only form the schema allows. What
// was published without a time gets the time when it was imported.
static void add_time(struct strbuf *to, const char *element,
		     const struct json_object *result)
{
	const char *wall = text_str(json_get(result, "started"), "wall");
	_cleanup_free_ char *copy = NULL;

	if (!is_time(wall))
		wall = text_str(json_get(result, "ended"), "wall");
	copy = mem_strdup(is_time(wall) ? wall : "1970-01-01T00:00:00Z");
	copy[10] = ' ';
	copy[19] = '\0';
	markup_element(to, element, copy);
	strbuf_puts(to, "\n");
}

// The elements and their order: pts-core/definitions/result-file.xsd.
static void add_generated(struct strbuf *to, const struct json_object *result)
{
	_cleanup_free_ char *title = mem_printf("%s on %s", text_str(result, "plan_name"),
						text_str(result, "machine_id"));

	strbuf_puts(to, "<Generated>\n");
	markup_element(to, "Title", title);
	strbuf_puts(to, "\n<Description>Storage stacks as the systems under "
			"test</Description>\n<Notes></Notes>\n");
	add_time(to, "LastModified", result);
	markup_element(to, "TestClient", "Assay " ASSAY_VERSION);
	strbuf_puts(to, "\n<InternalTags></InternalTags>\n<ReferenceID></ReferenceID>\n"
			"<PreSetEnvironmentVariables></PreSetEnvironmentVariables>\n"
			"</Generated>\n");
}

static void add_system(struct strbuf *to, const struct json_object *result,
		       const char *arm)
{
	const struct json_object *machine = json_get(result, "machine");
	_cleanup_free_ char *hardware =
		mem_printf("Processor: %s", text_str(json_get(machine, "cpu"), "model"));
	_cleanup_free_ char *software = mem_printf(
		"Kernel: %s", text_str(json_get(machine, "kernel"), "version"));

	strbuf_puts(to, "<System>\n");
	markup_element(to, "Identifier", arm);
	strbuf_puts(to, "\n<TestClientVersion>" ASSAY_VERSION "</TestClientVersion>\n");
	markup_element(to, "Hardware", hardware);
	markup_element(to, "Software", software);
	strbuf_puts(to, "\n<User></User>\n");
	add_time(to, "TimeStamp", result);
	strbuf_puts(to, "<Notes></Notes>\n</System>\n");
}

static void add_entry(struct strbuf *to, const char *arm, const struct samples *s)
{
	strbuf_puts(to, "<Entry>");
	markup_element(to, "Identifier", arm);
	strbuf_puts(to, "<Value>");
	number_format_exact(to, samples_median(s));
	strbuf_puts(to, "</Value><RawString>");
	for (size_t i = 0; i < s->n; i++) {
		strbuf_puts(to, i ? ":" : "");
		number_format_exact(to, s->values[i]);
	}
	strbuf_puts(to, "</RawString></Entry>\n");
}

static void add_result(struct strbuf *to, const struct json_object *result,
		       const char *test, const char *metric, const struct names *arms)
{
	_cleanup_strbuf_ struct strbuf entries = { 0 };
	_cleanup_free_ char *id = mem_printf("local/assay-%s", test);
	const char *unit = "", *proportion = "";

	for (size_t i = 0; i < arms->n; i++) {
		struct samples s;

		samples_collect(&s, result, test, arms->items[i], metric);
		if (s.n && !s.at_least && !s.at_most) {
			add_entry(&entries, arms->items[i], &s);
			unit = s.unit;
			proportion = s.better == BETTER_HIGHER  ? "HIB"
				     : s.better == BETTER_LOWER ? "LIB"
								: "";
		}
		samples_done(&s);
	}
	if (entries.len == 0)
		return;
	strbuf_puts(to, "<Result>\n");
	markup_element(to, "Identifier", id);
	strbuf_puts(to, "<ProfileVersion></ProfileVersion>");
	markup_element(to, "Title", test);
	strbuf_puts(to, "<AppVersion></AppVersion>");
	markup_element(to, "Arguments", metric);
	markup_element(to, "Description", metric);
	markup_element(to, "Scale", unit);
	markup_element(to, "Proportion", proportion);
	strbuf_printf(to,
		      "<DisplayFormat>BAR_GRAPH</DisplayFormat>\n<Data>\n%s</Data>\n"
		      "</Result>\n",
		      entries.data);
}

void report_phoronix(const struct json_object *result, struct strbuf *to)
{
	_cleanup_free_ struct names *arms = mem_new(1, sizeof(*arms));
	_cleanup_free_ struct names *tests = mem_new(1, sizeof(*tests));

	names_collect(arms, result, "arms", "arm");
	names_collect(tests, result, "tests", "test");
	strbuf_puts(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			"<PhoronixTestSuite>\n");
	add_generated(to, result);
	for (size_t i = 0; i < arms->n; i++)
		add_system(to, result, arms->items[i]);
	for (size_t i = 0; i < tests->n; i++) {
		_cleanup_free_ struct names *metrics = mem_new(1, sizeof(*metrics));

		names_metrics(metrics, result, tests->items[i]);
		for (size_t k = 0; k < metrics->n; k++)
			add_result(to, result, tests->items[i], metrics->items[k], arms);
	}
	strbuf_puts(to, "</PhoronixTestSuite>\n");
}
