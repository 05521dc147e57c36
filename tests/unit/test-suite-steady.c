// SPDX-License-Identifier: GPL-3.0-or-later
// SSDs: SNIA's steady state, rounds of fio, preconditioning.
#include "suite-campaign.h"

#include "common/clock.h"
#include "suite/fio-job.h"
#include "suite/precondition.h"
#include "suite/steady.h"

static void a_window_is_steady_or_not(void **state)
{
	static const struct {
		double rounds[8];
		size_t n;
		bool steady;
	} rows[] = {
		{ { 100, 100, 100, 100 }, 4, false }, // too few
		{ { 100, 100, 100, 100, 100 }, 5, true },
		// a slope of 2.4 % of the mean a round, and one of 2.6 %
		{ { 95.2, 97.6, 100, 102.4, 104.8 }, 5, true },
		{ { 94.8, 97.4, 100, 102.6, 105.2 }, 5, false },
		// a range of 19 %, and of 21 %, without a slope
		{ { 100, 90.5, 100, 109.5, 100 }, 5, true },
		{ { 100, 110.5, 100, 89.5, 100 }, 5, false },
		{ { 110, 90, 100, 90, 110 }, 5, true }, // 20 % and no more
		// only the last five count
		{ { 500, 300, 200, 100, 101, 99, 100, 100 }, 8, true },
		{ { 100, 100, 100, 100, 100, 100, 100, 300 }, 8, false },
		{ { 0, 0, 0, 0, 0 }, 5, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (steady_reached(rows[i].rounds, rows[i].n) != rows[i].steady)
			fail_msg("row %zu", i);
}

static bool has(char **argv, const char *word)
{
	for (; *argv; argv++)
		if (strcmp(*argv, word) == 0)
			return true;
	return false;
}

static void rounds_have_their_own_length(void **state)
{
	struct fio_job job = { .round_ns = 60 * CLOCK_SECOND, .round = 3 };
	char **argv;

	(void)state;
	begin("", "[test s]\nengine = fio\nrw = randwrite\nsize = 1G\nsteady = yes\n"
		  "round = 1m\n");
	job.path = mem_strdup("/dev/x");
	fio_job_defaults(&job, &it.plan.tests[0]);
	assert_false(job.exact); // what a round moves is no fixed amount
	argv = fio_job_argv(&job, &it.plan.tests[0], 7, "out");
	assert_true(has(argv, "--runtime=60000000us") && has(argv, "--time_based=1"));
	assert_false(has(argv, "--steady=yes") || has(argv, "--round=1m"));
	fio_job_free_argv(argv);
	free(job.path);
	end();
}

static void rounds_are_checked(void **state)
{
	struct fault_list f = { 0 };

	(void)state;
	begin("", "[test s]\nengine = fio\nsteady = yes\nround = 10ms\nruntime = 5s\n");
	suite_check(&it.plan, &f);
	assert_int_equal(f.n, 2);
	assert_non_null(strstr(f.items[0].text, "round must be a second or more"));
	assert_non_null(strstr(f.items[1].text, "so runtime does not go with it"));
	fault_done(&f);
	end();
}

static void a_disk_that_may_not_be_written_stops_it(void **state)
{
	const struct json_object *done;

	(void)state;
	begin("precondition = yes", "[test null]\n");
	fake.read_only = true;
	assert_int_equal(suite_run(&it.suite, NULL), -EIO);
	assert_int_equal(count(NULL, "not-run", "could not be preconditioned"), 3);
	done = json_get(campaign_design(&it.campaign), "precondition");
	assert_int_equal(json_object_array_length(done), 1);
	assert_true(is(json_object_array_get_idx(done, 0), "outcome", "aborted"));
	assert_int_equal(it.campaign.verdict, OUTCOME_NOT_RUN);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_window_is_steady_or_not),
		cmocka_unit_test(rounds_have_their_own_length),
		cmocka_unit_test(rounds_are_checked),
		cmocka_unit_test(a_disk_that_may_not_be_written_stops_it),
	};

	return cmocka_run_group_tests(tests, set_up, clean_up);
}
