// SPDX-License-Identifier: GPL-3.0-or-later
// The runner after a power cut on purpose: the same campaign goes on with its second
// half.
#include "suite-campaign.h"

// The second boot after a power cut in block 1, arm b, in its test two.
static void go_on_after_a_cut(const char *cut)
{
	static const char old[] =
		"[{\"kind\":\"run\",\"block\":1,\"arm\":\"b\",\"test\":\"null\","
		"\"outcome\":\"failed\",\"why\":\"as then\"}]";
	struct past_campaign past = { .past = PAST_DIED, .dir = mem_strdup("old") };

	past.runs = json_parse_text(old, sizeof(old) - 1, NULL);
	past.cut = json_parse_text(cut, strlen(cut), NULL);
	it.suite.resume = &past;
	suite_run(&it.suite, NULL);
	past_done(&past);
}

static void the_arm_of_a_power_cut_is_opened_and_gone_on_with(void **state)
{
	static const char cut[] = "{\"kind\":\"cut\",\"block\":1,\"arm\":\"b\","
				  "\"test\":\"two\",\"count\":7}";

	(void)state;
	begin("blocks = 2", "[test null]\n[test two]\nengine = null\n");
	go_on_after_a_cut(cut);
	assert_string_equal(fake.opened, "b");
	assert_int_equal(fake.ups, 6);
	assert_int_equal(count("b", "failed", "as then"),
			 1); // taken over, not done again
	assert_int_equal(count("b", "passed", NULL), 3);
	end();
}

static void what_cannot_be_opened_after_a_cut_is_lost(void **state)
{
	static const struct {
		const char *cut, *outcome, *why;
	} rows[] = {
		{ "{\"block\":1,\"arm\":\"b\",\"count\":7}", "failed",
		  "all 7 acknowledged writes are lost" },
		{ "{\"block\":1,\"arm\":\"b\",\"count\":0}", "aborted",
		  "nothing was acknowledged" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		begin("blocks = 1", "[test null]\n[test two]\nengine = null\n");
		fake.up_fails = "b";
		go_on_after_a_cut(rows[i].cut);
		assert_int_equal(count("b", rows[i].outcome, rows[i].why), 1);
		end();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_arm_of_a_power_cut_is_opened_and_gone_on_with),
		cmocka_unit_test(what_cannot_be_opened_after_a_cut_is_lost),
	};

	return cmocka_run_group_tests(tests, set_up, clean_up);
}
