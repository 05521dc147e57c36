// SPDX-License-Identifier: GPL-3.0-or-later
// The published benchmarks: imported, compared and exported again, to the byte.
#include "import-data.h"

#include "report/compare.h"
#include "report/report.h"

#define MACHINES_MAX 8

struct published {
	struct import im;
	struct json_object *results[MACHINES_MAX];
	const char *names[MACHINES_MAX];
	struct compare compare;
};

static void load(struct published *p)
{
	_cleanup_strbuf_ struct strbuf pairs = { 0 };
	struct fault_list faults = { 0 };

	*p = (struct published){ 0 };
	import_path(&p->im, PUBLISHED "numbers.csv");
	assert_int_equal(p->im.faults.n, 0);
	assert_true(p->im.n <= MACHINES_MAX);
	for (size_t i = 0; i < p->im.n; i++) {
		p->results[i] = import_json(&p->im.items[i], "00000000");
		p->names[i] = p->im.items[i].machine;
	}
	p->compare.results = (const struct json_object *const *)p->results;
	p->compare.names = p->names;
	p->compare.n = p->im.n;
	read_whole(PUBLISHED "comparisons.csv", &pairs);
	compare_pairs_parse(&p->compare, "pairs", pairs.data, pairs.len, &faults);
	assert_int_equal(faults.n, 0);
}

static void unload(struct published *p)
{
	for (size_t i = 0; i < p->im.n; i++)
		json_object_put(p->results[i]);
	import_done(&p->im);
	compare_done(&p->compare);
}

static void deltas_are_exact(void **state)
{
	_cleanup_strbuf_ struct strbuf made = { 0 }, wanted = { 0 };
	struct fault_list faults = { 0 };
	struct published p;

	(void)state;
	load(&p);
	report_compare(&p.compare, true, &made, &faults);
	read_whole(IMPORT_DATA "published-deltas.csv", &wanted);
	assert_int_equal(faults.n, 0);
	assert_string_equal(made.data, wanted.data);
	unload(&p);
}

// The text with every run of blanks and line ends as one blank.
static void squeeze(struct strbuf *text)
{
	size_t n = 0;

	for (size_t i = 0; i < text->len; i++) {
		bool blank = text->data[i] == ' ' || text->data[i] == '\n';

		if (!blank || (n && text->data[n - 1] != ' '))
			text->data[n++] = blank ? ' ' : text->data[i];
	}
	text->data[n] = '\0';
	text->len = n;
}

static void says_what_they_do_not_support(void **state)
{
	static const char *const wanted[] = {
		"n = 1, one run per arm",
		"the run shown is the 3rd of 3",
		"hermann-lvm_on_crypt against hermann-plain costs: 2 things changed at "
		"once (dm-crypt added, lvm added)",
		"the file had 464M in one and 432M in the other",
		"it read the raw disk in all 4 runs",
		"26.53 to 26.80 MiB/s, a coefficient of variation of 0.5 %",
		"work is done by threads of the kernel, which it does not see; eCryptfs "
		"works in the caller's name",
		"differences of up to 33 %: the same change (selinux off -> permissive) "
		"made put_block take 1.04 times the time on one stack and 1.37 on "
		"another",
		"came out 8.2 % faster in rewrite than without",
		"came out 31.4 % faster in seq_create than without",
		"seq_create: vullriede-ext4-ecryptfs takes at least 6.8 times the time "
		"of "
		"vullriede-ext4",
		"taken from the Per Chr column (53860), not Block (54020)",
	};
	_cleanup_strbuf_ struct strbuf text = { 0 };
	struct fault_list faults = { 0 };
	struct published p;

	(void)state;
	load(&p);
	report_compare(&p.compare, false, &text, &faults);
	squeeze(&text);
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		if (!strstr(text.data, wanted[i]))
			fail_msg("missing: %s\nin:\n%s", wanted[i], text.data);
	unload(&p);
}

static void lines_come_back(const char *path,
			    void (*export)(const struct json_object *, struct strbuf *))
{
	_cleanup_strbuf_ struct strbuf wanted = { 0 }, made = { 0 };
	struct import im = { 0 };

	import_path(&im, path);
	assert_int_equal(im.faults.n, 0);
	for (size_t i = 0; i < im.n; i++) {
		_cleanup_json_ struct json_object *result =
			import_json(&im.items[i], "00000000");

		export(result, &made);
	}
	read_whole(path, &wanted);
	assert_string_equal(made.data, wanted.data);
	import_done(&im);
}

static void every_line_comes_back_byte_for_byte(void **state)
{
	(void)state;
	lines_come_back("tests/data/suite/published-bonnie-1.03.csv", report_bonnie_csv);
	lines_come_back("tests/data/suite/bonnie-2.00a-fast.csv", report_bonnie_198);
	lines_come_back("tests/data/suite/bonnie-2.00a-comma.csv", report_bonnie_198);
}

// The numbers that were typed from the articles and the articles' CSV lines agree.
static void numbers_and_lines_agree(void **state)
{
	_cleanup_strbuf_ struct strbuf lines = { 0 };
	char *save = NULL;
	size_t found = 0;
	struct published p;

	(void)state;
	load(&p);
	read_whole("tests/data/suite/published-bonnie-1.03.csv", &lines);
	for (char *l = strtok_r(lines.data, "\n", &save); l;
	     l = strtok_r(NULL, "\n", &save))
		for (size_t i = 0; i < p.im.n; i++) {
			_cleanup_strbuf_ struct strbuf made = { 0 };

			report_bonnie_csv(p.results[i], &made);
			found += made.len && strstr(made.data, l) != NULL;
		}
	assert_int_equal(found, 12);
	unload(&p);
}

static void without_pairs(void **state)
{
	static const char two[] =
		"{\"plan\":{\"arms\":[{\"name\":\"a\"},{\"name\":\"b\"}]},\"runs\":["
		"{\"arm\":\"a\",\"test\":\"t\",\"outcome\":\"passed\",\"metrics\":[{"
		"\"name\":\"m\",\"unit\":\"B/s\",\"better\":\"higher\",\"value\":100}]},"
		"{\"arm\":\"b\",\"test\":\"t\",\"outcome\":\"passed\",\"metrics\":[{"
		"\"name\":\"m\",\"unit\":\"B/s\",\"better\":\"higher\",\"value\":50}]}]}";
	_cleanup_json_ struct json_object *o = json_parse_text(two, strlen(two), NULL);
	_cleanup_json_ struct json_object *again =
		json_parse_text(two, strlen(two), NULL);
	const struct json_object *results[] = { o, again };
	const char *names[] = { "one", "two" };
	struct compare c = { .results = results, .names = names, .n = 1 };
	_cleanup_strbuf_ struct strbuf text = { 0 }, csv = { 0 };
	struct fault_list faults = { 0 };

	(void)state;
	report_compare(&c, true, &csv, &faults);
	assert_non_null(strstr(csv.data, "\na,b,,,m,B/s,100,50,0.500000,-50.00,2.0000,eq,"
					 "n1\n"));
	c.n = 2; // the same arms of two campaigns
	report_compare(&c, false, &text, &faults);
	assert_non_null(strstr(text.data, "a against a, two against one"));
	assert_non_null(strstr(text.data, "b against b, two against one"));
	assert_int_equal(faults.n, 0);
	c.n_pairs = 1;
	c.pairs = mem_new(1, sizeof(*c.pairs));
	c.pairs[0] = (struct compare_pair){ mem_strdup("a"), mem_strdup("z"), NULL };
	report_compare(&c, false, &text, &faults);
	assert_int_equal(faults.n, 2);
	assert_string_equal(faults.items[0].text, "no campaign has an arm z");
	fault_done(&faults);
	compare_done(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(deltas_are_exact),
		cmocka_unit_test(says_what_they_do_not_support),
		cmocka_unit_test(every_line_comes_back_byte_for_byte),
		cmocka_unit_test(numbers_and_lines_agree),
		cmocka_unit_test(without_pairs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
