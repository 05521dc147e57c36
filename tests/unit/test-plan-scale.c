// SPDX-License-Identifier: GPL-3.0-or-later
// The same plan, small and large.
#include "unit.h"

#include <string.h>

#include "common/mem.h"
#include "plan/build.h"

static void values_grow_and_shrink(void **state)
{
	static const struct {
		const char *value;
		double scale;
		const char *want;
	} rows[] = {
		{ "432M*scale", 1, "452984832" },
		{ "432M*scale", 0.1, "45088768" }, // 43 MiB, whole
		{ "216M*scale", 0.1, "22020096" }, // 21 MiB: still half of it at most
		{ "10M*scale", 0.01, "1048576" },  // a MiB at least
		{ "64K*scale", 0.5, "32768" },     // below that as it comes
		{ "1K*scale", 0.0001, "512" },
		{ "16*scale", 0.1, "2" },
		{ "16*scale", 0.01, "1" },
		{ "60s*scale", 0.1, "6000ms" },
		{ "10m*scale", 0.5, "300000ms" },
		{ "1s*scale", 0.00001, "1ms" },
		{ "xyz*scale", 1, NULL },
		{ "M*scale", 1, NULL },
		{ "-5M*scale", 1, NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_free_ char *got = scale_apply(rows[i].value, rows[i].scale);

		assert_true(scale_has(rows[i].value));
		if (!rows[i].want)
			assert_null(got);
		else
			assert_string_equal(got, rows[i].want);
	}
	assert_false(scale_has("*scale"));
	assert_false(scale_has("432M"));
	assert_false(scale_has("432M*scales"));
	assert_false(scale_has(NULL));
}

static const char text[] =
	"[plan]\nscale = 1/4\n[target]\ndisk = serial:A\nerase = A\n"
	"[arm a]\nstack = disk/gpt/lvm,boot=200M*scale,home=rest/ext4\n"
	"[test bonnie]\nsize = 400M*scale\nram = 200M*scale\n";

static void parse(struct plan *p, const char *plan, const char *cmdline,
		  struct fault_list *faults)
{
	struct cmdline c = { 0 };

	cmdline_parse(&c, cmdline);
	plan_parse(p, "f", plan, &c, faults);
	cmdline_done(&c);
}

static void a_plan_is_scaled_as_a_whole(void **state)
{
	struct fault_list faults = { 0 };
	_cleanup_free_ char *stack = NULL;
	struct plan p;

	(void)state;
	parse(&p, text, "", &faults);
	assert_int_equal(faults.n, 0);
	assert_string_equal(plan_param(p.tests[0].params, 2, "size"), "104857600");
	stack = plan_stack_text(p.arms[0].layers, p.arms[0].n);
	assert_string_equal(stack, "disk/gpt/lvm,boot=52428800,home=rest/ext4");
	for (size_t i = 0; i < p.n_origins; i++) // what is reported is what is done
		assert_null(strstr(p.origins[i].value, "*scale"));
	plan_done(&p);
}

static void the_command_line_scales_too(void **state)
{
	struct fault_list faults = { 0 };
	uint32_t small;
	struct plan p;

	(void)state;
	parse(&p, text, "", &faults);
	small = plan_fingerprint(&p);
	plan_done(&p);
	parse(&p, text, "assay.plan.scale=2", &faults);
	assert_int_equal(faults.n, 0);
	assert_string_equal(plan_param(p.tests[0].params, 2, "ram"), "419430400");
	assert_int_not_equal(plan_fingerprint(&p), small);
	plan_done(&p);
}

static void bad_scales_and_values_are_faults(void **state)
{
	static const char *const scales[] = { "0", "-1", "x", "1/0", "1/", "1e9", "/2" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(scales); i++) {
		_cleanup_free_ char *line = mem_printf("assay.plan.scale=%s", scales[i]);
		struct fault_list faults = { 0 };
		struct plan p;

		parse(&p, text, line, &faults);
		if (faults.n != 1)
			fail_msg("scale %s: %zu faults", scales[i], faults.n);
		assert_non_null(strstr(faults.items[0].text, "scale"));
		plan_done(&p);
		fault_done(&faults);
	}
	for (size_t i = 0; i < 2; i++) {
		struct fault_list faults = { 0 };
		struct plan p;

		parse(&p, text,
		      i ? "assay.test.bonnie.size=much*scale"
			: "assay.arm.a.stack=disk/gpt/lvm,boot=x*scale,home=rest",
		      &faults);
		assert_int_equal(faults.n, 1);
		assert_non_null(strstr(faults.items[0].text, "*scale"));
		plan_done(&p);
		fault_done(&faults);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_grow_and_shrink),
		cmocka_unit_test(a_plan_is_scaled_as_a_whole),
		cmocka_unit_test(the_command_line_scales_too),
		cmocka_unit_test(bad_scales_and_values_are_faults),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
