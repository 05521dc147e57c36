// SPDX-License-Identifier: GPL-3.0-or-later
// Every plan of tests/data/plan: good ones print what their .effective says and survive
// being read again, bad ones have exactly the faults of their .faults; presets are good.
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "plan/plan.h"
#include "unit.h"

#define DATA "tests/data/plan/"

static glob_t files(const char *pattern)
{
	glob_t g = { 0 };

	assert_int_equal(glob(pattern, 0, NULL, &g), 0);
	return g;
}

// The content of the file beside `path` that has another ending.
static char *beside(const char *path, const char *ending)
{
	_cleanup_free_ char *other =
		mem_printf("%.*s%s", (int)(strlen(path) - 4), path, ending);
	struct strbuf text = { 0 };

	if (io_read_file(other, &text, 1 << 20) < 0)
		fail_msg("%s cannot be read", other);
	return strbuf_take(&text);
}

static char *printed_faults(const struct fault_list *faults)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	fault_print(faults, f);
	fclose(f);
	return text;
}

static void bad_plans_have_exactly_their_faults(void **state)
{
	glob_t g = files(DATA "bad/*.ini");

	(void)state;
	assert_true(g.gl_pathc >= 17);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		_cleanup_free_ char *want = beside(g.gl_pathv[i], ".faults");
		_cleanup_free_ char *got = NULL;
		struct fault_list faults = { 0 };
		struct plan p;

		plan_load(&p, g.gl_pathv[i], NULL, &faults);
		got = printed_faults(&faults);
		assert_true(faults.n > 0);
		assert_string_equal(got, want);
		assert_null(strstr(got, "hunter2")); // a secret is never repeated
		fault_done(&faults);
		plan_done(&p);
	}
	globfree(&g);
}

static void reads_again(const struct plan *p, const char *text)
{
	struct fault_list faults = { 0 };
	struct plan again;

	plan_parse(&again, "again.ini", text, NULL, &faults);
	assert_int_equal(faults.n, 0);
	assert_int_equal(plan_fingerprint(&again), plan_fingerprint(p));
	assert_string_equal(again.name, p->name);
	assert_int_equal(again.then, p->then);
	assert_int_equal(again.wait_ns, p->wait_ns);
	plan_done(&again);
}

static void good_plans_print_their_effective_values(void **state)
{
	glob_t g = files(DATA "good/*.ini");

	(void)state;
	assert_true(g.gl_pathc >= 6);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		_cleanup_free_ char *want = beside(g.gl_pathv[i], ".effective");
		_cleanup_strbuf_ struct strbuf got = { 0 };
		struct fault_list faults = { 0 };
		struct plan p;

		plan_load(&p, g.gl_pathv[i], NULL, &faults);
		fault_print(&faults, stderr);
		assert_int_equal(faults.n, 0);
		plan_print(&p, &got);
		assert_string_equal(strbuf_str(&got), want);
		reads_again(&p, strbuf_str(&got));
		plan_done(&p);
	}
	globfree(&g);
}

static void presets_are_good(void **state)
{
	glob_t g = files("configs/*.ini");

	(void)state;
	assert_true(g.gl_pathc >= 3);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		struct fault_list faults = { 0 };
		_cleanup_free_ char *consent = NULL;
		struct plan p;

		plan_load(&p, g.gl_pathv[i], NULL, &faults);
		fault_print(&faults, stderr);
		assert_int_equal(faults.n, 0);
		consent = plan_consent(&p, 0);
		// One that only reads has nothing to consent to.
		if (p.arms[0].open)
			assert_null(consent);
		else
			assert_string_equal(consent, "ASSAY-DISK-1");
		// A preset is asked for by its file's name.
		assert_memory_equal(g.gl_pathv[i] + strlen("configs/"), p.name,
				    strlen(p.name));
		plan_done(&p);
	}
	globfree(&g);
}

static void a_missing_file_is_a_fault(void **state)
{
	struct fault_list faults = { 0 };
	struct plan p;

	(void)state;
	plan_load(&p, "no/such.ini", NULL, &faults);
	assert_int_equal(faults.n, 1);
	assert_string_equal(faults.items[0].file, "no/such.ini");
	assert_string_equal(faults.items[0].text,
			    "the plan cannot be read: No such file or directory");
	fault_done(&faults);
	plan_done(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_plans_have_exactly_their_faults),
		cmocka_unit_test(good_plans_print_their_effective_values),
		cmocka_unit_test(presets_are_good),
		cmocka_unit_test(a_missing_file_is_a_fault),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
