// SPDX-License-Identifier: GPL-3.0-or-later
// The two halves of a power cut, with a folder for a disk that keeps its promises, and
// with one that does not.
#include "suite-fakes.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "common/clock.h"
#include "suite/engines.h"
#include "suite/powercut-log.h"
#include "suite/run.h"

static char dir[] = "/dev/shm/assay-powercut-XXXXXX";
static struct plan_arm arm = { .name = (char[]){ "plain" } };
static struct plan_test test = { .name = (char[]){ "p" },
				 .engine = (char[]){ "powercut" } };
static struct stack stack;
static uint64_t marks, last_mark;
static bool stick_fails;

static int mark(void *arg, const char *phase, uint64_t count)
{
	(void)arg;
	if (stick_fails)
		return -EIO;
	if (marks++ == 0)
		assert_string_equal(phase, "armed");
	else
		assert_string_equal(phase, "acknowledged");
	last_mark = count;
	return 0;
}

static struct run half(struct json_object *cut)
{
	struct run run = {
		.arm = &arm,
		.test = &test,
		.ops = &test_powercut,
		.stack = &stack,
		.seed = 77,
		.timeout_ns = cut ? 60 * CLOCK_SECOND : CLOCK_SECOND,
		.mark = mark,
		.cut = cut,
		.detail = json_new(),
	};

	test_powercut.run(&run);
	return run;
}

static struct json_object *note(uint64_t count)
{
	struct json_object *o = json_new();

	json_set_uint(o, "count", count);
	return o;
}

static void ended(struct run *run, enum outcome want, const char *why)
{
	if (run->outcome != want || (why && (!run->why || !strstr(run->why, why))))
		fail_msg("%s: %s", outcome_name(run->outcome),
			 run->why ? run->why : "no reason");
	run_done(run);
}

static int remove_all(void **state)
{
	_cleanup_free_ char *sub = mem_printf("%s/assay-powercut", dir);
	DIR *d = opendir(sub);
	struct dirent *e;

	(void)state;
	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.')
			unlinkat(dirfd(d), e->d_name, 0);
	if (d)
		closedir(d);
	rmdir(sub);
	return 0;
}

// Writes in a child, and pulls its plug after some thirty steps.
static int write_first(void **state)
{
	const struct powercut_log log = { .dir = dir, .seed = 77 };
	_cleanup_strbuf_ struct strbuf said = { 0 };
	char chunk[256];
	int ends[2];
	ssize_t n;
	pid_t pid;

	remove_all(state);
	fake_reset();
	fake.dir = dir;
	marks = 0;
	last_mark = 30;
	if (pipe(ends) < 0 || (pid = fork()) < 0)
		return -1;
	if (pid == 0)
		_exit(powercut_write(&log, ends[1]) < 0);
	close(ends[1]);
	while (!strstr(strbuf_str(&said), "\"acknowledged\":30}") &&
	       (n = read(ends[0], chunk, sizeof(chunk))) > 0)
		strbuf_add(&said, chunk, (size_t)n);
	kill(pid, SIGKILL);
	close(ends[0]);
	return waitpid(pid, NULL, 0) == pid && said.len ? 0 : -1;
}

static void the_first_half_arms_itself_and_waits(void **state)
{
	struct run run;

	remove_all(state);
	fake_reset();
	fake.dir = dir;
	marks = 0;
	run = half(NULL);
	assert_true(marks >= 1);
	ended(&run, OUTCOME_ABORTED, "was not cut"); // but its time was over
}

static void what_was_acknowledged_is_found(void **state)
{
	_cleanup_json_ struct json_object *cut = note(last_mark);
	struct run run = half(cut);

	(void)state;
	assert_int_equal(run.outcome, OUTCOME_PASSED);
	assert_true(metric_find(&run.metrics, "lost")->value == 0);
	assert_true(metric_find(&run.metrics, "acknowledged")->value ==
		    (double)last_mark);
	ended(&run, OUTCOME_PASSED, NULL);
}

// One of each kind is damaged: steps 4 (append), 5 (a new file), 6 (within a file).
static void what_is_lost_is_counted(void **state)
{
	static const struct {
		const char *name;
		off_t offset;
	} damage[] = { { "append", 4096 + 4095 },
		       { "step-000005", 17 },
		       { "within", 4096 } };
	_cleanup_json_ struct json_object *cut = note(last_mark);
	struct run run;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(damage); i++) {
		_cleanup_free_ char *path =
			mem_printf("%s/assay-powercut/%s", dir, damage[i].name);
		_cleanup_close_ int fd = open(path, O_RDWR);
		char byte;

		assert_true(fd >= 0);
		assert_int_equal(pread(fd, &byte, 1, damage[i].offset), 1);
		byte ^= 1;
		assert_int_equal(pwrite(fd, &byte, 1, damage[i].offset), 1);
	}
	run = half(cut);
	assert_int_equal(json_get_int(run.detail, "lost", 0), 3);
	assert_int_equal(json_get_int(run.detail, "first_lost", 0), 4);
	ended(&run, OUTCOME_FAILED, "(a block appended to a file)");
}

static void everything_may_be_lost(void **state)
{
	_cleanup_json_ struct json_object *cut = note(last_mark);
	struct run run;

	remove_all(state);
	run = half(cut);
	assert_int_equal(json_get_int(run.detail, "lost", 0), (int64_t)last_mark);
	ended(&run, OUTCOME_FAILED, "acknowledged writes are lost");
}

static void nothing_acknowledged_proves_nothing(void **state)
{
	_cleanup_json_ struct json_object *cut = note(0);
	struct run run = half(cut);

	(void)state;
	assert_true(json_get_int(run.detail, "survived", 0) > 0);
	ended(&run, OUTCOME_ABORTED, "nothing is proven");
}

static void without_a_note_nothing_begins(void **state)
{
	struct run run;

	remove_all(state);
	stick_fails = true;
	run = half(NULL);
	stick_fails = false;
	ended(&run, OUTCOME_ABORTED, "not begun");
}

static void content_follows_from_seed_and_step(void **state)
{
	char a[POWERCUT_BLOCK], b[POWERCUT_BLOCK];

	(void)state;
	powercut_block(1, 1, a);
	powercut_block(1, 1, b);
	assert_memory_equal(a, b, sizeof(a));
	powercut_block(1, 2, b);
	assert_memory_not_equal(a, b, sizeof(a));
	powercut_block(2, 1, b);
	assert_memory_not_equal(a, b, sizeof(a));
}

static void a_cut_comes_last_and_needs_a_stick(void **state)
{
	struct plan_test tests[] = {
		{ .name = (char[]){ "p" }, .engine = (char[]){ "powercut" }, .line = 3 },
		{ .name = (char[]){ "n" }, .engine = (char[]){ "null" }, .line = 4 },
	};
	struct plan_arm one = { .name = (char[]){ "plain" } };
	struct plan plan = { .tests = tests, .n_tests = 2, .arms = &one, .n_arms = 1 };
	struct fault_list faults = { 0 };

	(void)state;
	suite_check(&plan, &faults);
	assert_int_equal(faults.n, 1);
	assert_non_null(strstr(faults.items[0].text, "last test"));
	fault_done(&faults);
	plan.n_tests = 1;
	suite_check(&plan, &faults);
	assert_int_equal(faults.n, 0);
	plan.results = RESULTS_SERIAL;
	suite_check(&plan, &faults);
	assert_int_equal(faults.n, 1);
	fault_done(&faults);
}

static int set_up(void **state)
{
	(void)state;
	return mkdtemp(dir) ? 0 : -1;
}

static int clean_up(void **state)
{
	remove_all(state);
	return rmdir(dir);
}

#define AFTER_A_CUT(f) cmocka_unit_test_setup(f, write_first)

int main(void)
{
	const struct CMUnitTest tests[] = {
		AFTER_A_CUT(what_was_acknowledged_is_found),
		AFTER_A_CUT(what_is_lost_is_counted),
		AFTER_A_CUT(everything_may_be_lost),
		AFTER_A_CUT(nothing_acknowledged_proves_nothing),
		cmocka_unit_test(the_first_half_arms_itself_and_waits),
		cmocka_unit_test(without_a_note_nothing_begins),
		cmocka_unit_test(content_follows_from_seed_and_step),
		cmocka_unit_test(a_cut_comes_last_and_needs_a_stick),
	};

	return cmocka_run_group_tests(tests, set_up, clean_up);
}
