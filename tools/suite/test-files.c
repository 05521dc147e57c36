// SPDX-License-Identifier: GPL-3.0-or-later
// Engine files: many small files are created, looked at and deleted on the filesystem of
// the arm, so many that no phase is too short to be timed.
#include <inttypes.h>
#include <string.h>
#include <sys/statvfs.h>

#include "common/mem.h"
#include "common/number.h"
#include "suite/engines.h"
#include "suite/small-files.h"
#include "suite/work.h"

static const struct param_spec params[] = {
	{ .key = "files",
	  .type = PARAM_UINT,
	  .fallback = "1000",
	  .min = 10,
	  .max = SMALL_FILES_MAX,
	  .help = "how many to begin with" },
	{ .key = "most",
	  .type = PARAM_UINT,
	  .fallback = "10000000",
	  .min = 10,
	  .max = SMALL_FILES_MAX,
	  .help = "how many at most, however fast it is" },
	{ .key = "time",
	  .type = PARAM_DURATION,
	  .fallback = "5s",
	  .help = "that creating, looking and deleting must each last; the number is "
		  "raised until they do" },
	{ .key = "size",
	  .type = PARAM_SIZE,
	  .fallback = "0",
	  .max = 1 << 20,
	  .help = "bytes in each file" },
	TEST_COMMON_PARAMS,
	{ 0 },
};

static void check(const struct plan_test *test, const char *file,
		  struct fault_list *faults)
{
	uint64_t files = param_uint(test->params, test->n, params, "files");
	uint64_t most = param_uint(test->params, test->n, params, "most");

	if (most < files)
		fault_add(faults, file, test->line,
			  "test %s: most = %" PRIu64 " is less than files = %" PRIu64,
			  test->name, most, files);
}

// A child's seconds as metrics; a phase that took no time at all has no rate.
static void add_rate(struct run *run, const struct json_object *o, const char *name,
		     const char *seconds_key, double n)
{
	double s = json_get_double(o, seconds_key, 0);

	if (s > 0)
		metric_add(&run->metrics, name, "1/s", BETTER_HIGHER, BOUND_EXACT, n / s);
}

static void heard(struct run *run, struct json_object *o, void *arg _unused_)
{
	double n = (double)json_get_int(o, "files", 0);
	double passes = (double)json_get_int(o, "stat_passes", 1);
	const char *limited = json_get_str(o, "limited");

	run_add_detail(run, o);
	add_rate(run, o, "create", "create_s", n);
	add_rate(run, o, "stat", "stat_s", n * passes);
	add_rate(run, o, "delete", "delete_s", n);
	if (limited)
		run_note(run, "not every phase lasted as long as it should: %s", limited);
}

static int work(void *arg, int out)
{
	return small_files_run(arg, out);
}

static void run_files(struct run *run)
{
	const struct plan_test *test = run->test;
	_cleanup_free_ char *dir = mem_printf("%s/assay-files", stack_dir(run->stack));
	struct small_files f = {
		.dir = dir,
		.files = param_uint(test->params, test->n, params, "files"),
		.most = param_uint(test->params, test->n, params, "most"),
		.size = param_size(test->params, test->n, params, "size"),
		.least_s = (double)param_duration(test->params, test->n, params, "time") /
			   1e9,
		.seed = run->seed,
	};
	const struct work w = { .work = work, .heard = heard, .arg = &f };

	if (run_need_space(run, stack_dir(run->stack),
			   f.files * (f.size + SMALL_FILES_COST)) < 0)
		return;
	run_cap(run, 0);
	if (run_work(run, &w) == 0)
		run_end(run, OUTCOME_PASSED, NULL);
	run_remove_dir(run, dir);
}

const struct test_ops test_files = {
	.engine = "files",
	.help = "creates, looks at and deletes small files; on a filesystem",
	.place = TEST_ON_DIR,
	.params = params,
	.check = check,
	.run = run_files,
};
