// SPDX-License-Identifier: GPL-3.0-or-later
// The engines with programs that are not what they seem.
#include "suite-fakes.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "common/clock.h"
#include "common/io.h"
#include "suite/engines.h"
#include "suite/run.h"

static char dir[] = "/tmp/assay-engines-XXXXXX";
static char top[4096]; // of the source tree

static struct target disk = { "/dev/fake" };
static struct target *const targets[] = { &disk };
static struct plan_arm arm = { .name = (char[]){ "plain" } };
static struct plan_param params[4];
static struct plan_test test = { .params = params };
static struct stack stack = { .targets = targets, .n_targets = 1 };

static void use(const char *which)
{
	_cleanup_free_ char *path =
		mem_printf("%s/tests/data/suite/fake/%s:/usr/bin:/bin", top, which);

	setenv("PATH", path, 1);
}

static void param(const char *key, const char *value)
{
	params[test.n].key = (char *)(uintptr_t)key;
	params[test.n++].value = (char *)(uintptr_t)value;
}

static struct run start(const struct test_ops *ops)
{
	struct run run = {
		.arm = &arm,
		.test = &test,
		.ops = ops,
		.stack = &stack,
		.index = 3,
		.seed = 99,
		.timeout_ns = 20 * CLOCK_SECOND,
		.detail = json_new(),
	};

	test.engine = test.name = (char *)(uintptr_t)ops->engine;
	return run;
}

static struct run go(const struct test_ops *ops)
{
	struct run run = start(ops);

	ops->run(&run);
	return run;
}

static int before(void **state)
{
	(void)state;
	fake_reset();
	fake.dir = dir;
	test.n = 0;
	arm.open = arm.scratch = false;
	disk.path = "/dev/fake";
	return 0;
}

static void ended(struct run *run, enum outcome want, const char *why)
{
	if (run->outcome != want || (why && (!run->why || !strstr(run->why, why))))
		fail_msg("%s: %s", outcome_name(run->outcome),
			 run->why ? run->why : "no reason");
	if (!why)
		assert_null(run->why);
	run_done(run);
}

static double value(const struct run *run, const char *name)
{
	const struct metric *m = metric_find(&run->metrics, name);

	if (!m)
		fail_msg("no metric %s; %s", name, run->why ? run->why : "");
	return m->value;
}

static void missing_programs_are_skipped(void **state)
{
	(void)state;
	setenv("PATH", "/nonexistent", 1);
	param("size", "4M");
	for (size_t i = 0; i < 3; i++) {
		static const struct test_ops *const all[] = { &test_bonnie, &test_fio,
							      &test_hdparm };
		_cleanup_free_ char *why = mem_printf("%s is not in this image",
						      i ? all[i]->engine : "bonnie++");
		struct run run;

		if (i == 2)
			test.n = 0;
		run = go(all[i]);
		ended(&run, OUTCOME_SKIPPED, why);
	}
}

static void killed_programs_failed(void **state)
{
	struct run run;

	(void)state;
	use("killed");
	run = go(&test_hdparm);
	ended(&run, OUTCOME_FAILED, "hdparm: killed by signal 9");
	param("size", "4M");
	run = go(&test_bonnie);
	ended(&run, OUTCOME_FAILED, "bonnie++: killed by signal 9");
	run = go(&test_fio);
	ended(&run, OUTCOME_FAILED, "fio: killed by signal 9");
}

static void hanging_programs_are_aborted(void **state)
{
	struct run run;

	(void)state;
	use("hang");
	param("size", "4M");
	run = start(&test_fio);
	run.timeout_ns = CLOCK_SECOND / 5;
	run.ops->run(&run);
	ended(&run, OUTCOME_ABORTED, "stopped: this run may take");
}

static void programs_without_numbers_failed(void **state)
{
	struct run run;

	(void)state;
	use("junk");
	run = go(&test_hdparm);
	ended(&run, OUTCOME_FAILED, "hdparm gave no time for disk reads of /dev/fake");
	param("size", "4M");
	run = go(&test_bonnie);
	ended(&run, OUTCOME_FAILED, "no line of results");
	run = go(&test_fio);
	ended(&run, OUTCOME_FAILED, "no complete result");
}

static void failures_tell_the_tools_reason(void **state)
{
	struct run run;

	(void)state;
	use("fails");
	run = go(&test_hdparm);
	ended(&run, OUTCOME_FAILED, "device too small");
	param("size", "4M");
	run = go(&test_bonnie);
	ended(&run, OUTCOME_FAILED, "Can't write(), disk full?");
	run = go(&test_fio);
	ended(&run, OUTCOME_FAILED, "job assay ended with error 5 (Input/output error)");
}

static void hdparm_keeps_the_number_and_the_complaint(void **state)
{
	struct json_object *notes;
	struct run run;

	(void)state;
	use("good");
	run = go(&test_hdparm);
	assert_true(value(&run, "disk_cached") == 7080.0 * 1048576);
	assert_true(value(&run, "disk_buffered") == 1600.0 * 1048576);
	assert_true(value(&run, "top_buffered") == 1600.0 * 1048576);
	assert_int_equal(run.metrics.n, 4);
	notes = json_get(run.detail, "notes");
	assert_int_equal(json_object_array_length(notes), 2);
	assert_non_null(strstr(json_line(notes), "HDIO_DRIVE_CMD(identify) failed"));
	assert_string_equal(run.files[0].name, "hdparm-disk.out");
	ended(&run, OUTCOME_PASSED, NULL);
}

static void bonnie_is_told_sizes_and_user(void **state)
{
	const char *asked;
	struct run run;

	(void)state;
	use("good");
	param("size", "64M");
	param("files", "1");
	run = go(&test_bonnie);
	assert_true(value(&run, "put_block") == 80000 * 1024.0);
	asked = strbuf_str(&run.files[1].data);
	assert_non_null(strstr(asked, "-q -u 0:0 -d "));
	assert_non_null(strstr(asked, "-m plain -r 32 -s 64 -n 1 -x 1 -z 100\n"));
	assert_string_equal(json_get_str(run.detail, "version"), "2.00a");
	assert_string_equal(json_get_str(run.detail, "file_size"), "64M");
	assert_int_equal(json_get_int(run.detail, "size", 0), 64 << 20);
	assert_int_equal(json_get_int(run.detail, "space_needed", 0), (64 + 1) << 20);
	ended(&run, OUTCOME_PASSED, NULL);
}

static void too_little_room_is_said_before(void **state)
{
	struct run run;

	(void)state;
	use("good");
	param("size", "900T");
	run = go(&test_bonnie);
	assert_int_equal(run.n_files, 0);
	ended(&run, OUTCOME_FAILED, "too little room: the test needs 990 TB");
	run = go(&test_fio);
	assert_int_equal(run.n_files, 0);
	ended(&run, OUTCOME_FAILED, "too little room");
}

static void fio_measures_and_removes_its_file(void **state)
{
	_cleanup_free_ char *file = mem_printf("%s/assay-fio.dat", dir);
	struct run run;

	(void)state;
	use("good");
	param("size", "1M");
	run = go(&test_fio);
	assert_true(value(&run, "read") == 2097152);
	assert_true(value(&run, "read_iops") == 512);
	assert_null(metric_find(&run.metrics, "write"));
	assert_false(io_exists(file));
	ended(&run, OUTCOME_PASSED, NULL);
}

static void fio_that_moves_less_failed(void **state)
{
	struct run run;

	(void)state;
	use("good");
	param("size", "4G"); // the fake moves 1 MiB
	run = go(&test_fio);
	if (run.why && strstr(run.why, "too little room"))
		skip();
	ended(&run, OUTCOME_FAILED, "fio moved only 1048576 of 4294967296 bytes");
}

static void open_arms_are_only_read(void **state)
{
	const char *words;
	struct run run;

	(void)state;
	use("good");
	arm.open = true;
	param("rw", "randwrite");
	run = go(&test_fio);
	assert_int_equal(run.n_files, 0);
	ended(&run, OUTCOME_SKIPPED, "opened to be read only");
	params[0].value = (char *)(uintptr_t) "randread";
	run = go(&test_fio);
	words = json_line(json_get(run.detail, "commands"));
	assert_non_null(strstr(words, "\"--readonly\""));
	assert_non_null(strstr(words, "\"--filename=/dev/fake-top\""));
	ended(&run, OUTCOME_PASSED, NULL);
	arm.scratch = true; // but without a filesystem nothing may be written
	fake.dir = NULL;
	params[0].value = (char *)(uintptr_t) "write";
	run = go(&test_fio);
	ended(&run, OUTCOME_SKIPPED, "opened to be read only");
}

static void the_bare_disk_is_checked_again(void **state)
{
	struct run run;

	(void)state;
	use("good");
	fake.dir = NULL;
	disk.path = "/dev/taken";
	param("rw", "write");
	run = go(&test_fio);
	assert_int_equal(run.n_files, 0);
	ended(&run, OUTCOME_ABORTED, "/dev/taken: mounted at /mnt");
}

static void null_ends_as_told(void **state)
{
	struct run run = go(&test_null);

	(void)state;
	assert_true(value(&run, "value") == 1);
	ended(&run, OUTCOME_PASSED, NULL);
	param("result", "failed");
	run = go(&test_null);
	ended(&run, OUTCOME_FAILED, "told to fail");
	params[0].value = (char *)(uintptr_t) "hang";
	run = start(&test_null);
	run.timeout_ns = CLOCK_SECOND / 20;
	run.ops->run(&run);
	ended(&run, OUTCOME_ABORTED, "deadline");
}

static void null_can_crash(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	param("result", "crash");
	pid = fork();
	if (pid == 0) {
		struct run run;

		signal(SIGABRT, SIG_DFL); // cmocka's own would go on
		run = go(&test_null);
		_exit(run.outcome == OUTCOME_PASSED);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
}

static int set_up(void **state)
{
	(void)state;
	if (!getcwd(top, sizeof(top)) || !mkdtemp(dir))
		return -1;
	run_tmp_dir = dir;
	return 0;
}

static int clean_up(void **state)
{
	(void)state;
	return rmdir(dir); // fails when an engine left something
}

#define TEST(f) cmocka_unit_test_setup(f, before)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(missing_programs_are_skipped),
		TEST(killed_programs_failed),
		TEST(hanging_programs_are_aborted),
		TEST(programs_without_numbers_failed),
		TEST(failures_tell_the_tools_reason),
		TEST(hdparm_keeps_the_number_and_the_complaint),
		TEST(bonnie_is_told_sizes_and_user),
		TEST(too_little_room_is_said_before),
		TEST(fio_measures_and_removes_its_file),
		TEST(fio_that_moves_less_failed),
		TEST(open_arms_are_only_read),
		TEST(the_bare_disk_is_checked_again),
		TEST(null_ends_as_told),
		TEST(null_can_crash),
	};

	return cmocka_run_group_tests(tests, set_up, clean_up);
}
