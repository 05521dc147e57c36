// SPDX-License-Identifier: GPL-3.0-or-later
// Work in a child, and the engine cryptobench that does it.
#include "suite-fakes.h"

#include <signal.h>
#include <sys/mman.h>

#include "common/clock.h"
#include "suite/crypto-list.h"
#include "suite/engines.h"
#include "suite/work.h"

static struct plan_arm arm = { .name = (char[]){ "plain" } };
static struct plan_param params[4];
static struct plan_test test = { .params = params };
static struct stack stack;
static volatile uint64_t *ticks; // shared with the child
static uint64_t told_done, told_total;

static void tick(void *arg)
{
	const struct run *run = arg;

	++*ticks;
	told_done = run->done;
	told_total = run->total;
}

static struct run start(const struct test_ops *ops)
{
	struct run run = {
		.arm = &arm,
		.test = &test,
		.ops = ops,
		.stack = &stack,
		.timeout_ns = 20 * CLOCK_SECOND,
		.tick = tick,
		.detail = json_new(),
	};

	test.engine = test.name = (char *)(uintptr_t)ops->engine;
	*ticks = told_done = told_total = 0;
	return run;
}

static void param(const char *key, const char *value)
{
	params[test.n].key = (char *)(uintptr_t)key;
	params[test.n++].value = (char *)(uintptr_t)value;
}

static int before(void **state)
{
	(void)state;
	fake_reset();
	test.n = 0;
	return 0;
}

static void heard(struct run *run, struct json_object *o, void *arg)
{
	(void)arg;
	run_note(run, "%s", json_get_str(o, "text"));
}

static int says_much(void *arg, int out)
{
	(void)arg;
	work_progress(out, 3, 10);
	for (int i = 0; i < 1000; i++) { // more than a pipe holds
		_cleanup_free_ char *text = mem_printf("%0200d", i);
		struct json_object *o = json_new();

		json_set_str(o, "text", text);
		work_say(out, o);
	}
	while (!*ticks)
		usleep(10000);
	return 0;
}

static void everything_said_is_heard(void **state)
{
	const struct work work = { .work = says_much, .heard = heard };
	struct run run = start(&test_null);
	struct json_object *notes;

	(void)state;
	run.tick_arg = &run;
	assert_int_equal(run_work(&run, &work), 0);
	notes = json_get(run.detail, "notes");
	assert_int_equal(json_object_array_length(notes), 1000);
	assert_true(*ticks >= 1);
	assert_int_equal(told_done, 3);
	assert_int_equal(told_total, 10);
	run_done(&run);
}

static int fails(void *arg, int out)
{
	(void)arg;
	return work_fail(out, -EIO, "sector %d is unreadable", 7);
}

static int fails_silently(void *arg, int out)
{
	(void)arg;
	(void)out;
	return -ENOSPC;
}

static int dies(void *arg, int out)
{
	(void)arg;
	(void)out;
	signal(SIGSEGV, SIG_DFL);
	raise(SIGSEGV);
	return 0;
}

static int hangs(void *arg, int out)
{
	(void)arg;
	(void)out;
	while (true)
		pause();
	return 0;
}

static void bad_ends_are_told_apart(void **state)
{
	static const struct {
		int (*work)(void *arg, int out);
		int r;
		enum outcome outcome;
		const char *why;
	} rows[] = {
		{ fails, -EIO, OUTCOME_FAILED, "sector 7 is unreadable" },
		{ fails_silently, -ENOSPC, OUTCOME_FAILED, "No space left" },
		{ dies, -ECHILD, OUTCOME_FAILED, "signal" },
		{ hangs, -ETIMEDOUT, OUTCOME_ABORTED, "no end after" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct work work = { .work = rows[i].work };
		struct run run = start(&test_null);

		run.tick_arg = &run;
		run.timeout_ns =
			rows[i].work == hangs ? CLOCK_SECOND / 5 : 20 * CLOCK_SECOND;
		assert_int_equal(run_work(&run, &work), rows[i].r);
		assert_int_equal(run.outcome, rows[i].outcome);
		assert_non_null(strstr(run.why, rows[i].why));
		run_done(&run);
	}
}

static void lists_are_read(void **state)
{
	struct crypto_list list = { 0 };

	(void)state;
	crypto_list_parse(&list, "aes-xts:512  xchacha12,aes-adiantum:256", true, NULL);
	crypto_list_parse(&list, "pbkdf2-sha256 argon2id", false, NULL);
	crypto_list_parse(&list, "none", true, NULL);
	assert_int_equal(list.n, 4);
	assert_string_equal(list.items[0].metric, "aes_xts_512");
	assert_int_equal(list.items[0].bits, 512);
	assert_string_equal(list.items[1].cipher, "xchacha12,aes");
	assert_string_equal(list.items[1].mode, "adiantum");
	assert_string_equal(list.items[1].metric, "xchacha12_aes_adiantum_256");
	assert_string_equal(list.items[2].mode, "sha256");
	assert_null(list.items[3].mode);
	assert_int_equal(list.items[3].bits, 0);
	crypto_list_done(&list);
}

static void bad_words_are_all_faults(void **state)
{
	struct fault_list faults = { 0 };

	(void)state;
	crypto_list_check(
		"aes:512 aes-xts aes-xts:13 -xts:256 aes-:256 aes-xts:0 aes-xts:9999",
		"md5 pbkdf2- scrypt", "c", "f", 3, &faults);
	assert_int_equal(faults.n, 10);
	assert_int_equal(faults.items[0].line, 3);
	fault_done(&faults);
	crypto_list_check("none", "none", "c", "f", 3, &faults);
	assert_int_equal(faults.n, 1);
	fault_done(&faults);
}

// The library itself, for a second: what it counts must come out as a rate.
static void a_key_derivation_is_measured(void **state)
{
	struct run run = start(&test_cryptobench);
	const struct metric *m;

	(void)state;
	run.tick_arg = &run;
	param("ciphers", "aes-nosuchmode:256");
	param("pbkdfs", "pbkdf2-sha256");
	test_cryptobench.run(&run);
	assert_int_equal(run.outcome, OUTCOME_PASSED);
	m = metric_find(&run.metrics, "pbkdf2_sha256");
	assert_non_null(m);
	assert_string_equal(m->unit, "1/s");
	assert_true(m->value > 1000);
	assert_int_equal(run.metrics.n, 1);
	assert_int_equal(json_object_array_length(json_get(run.detail, "notes")), 1);
	run_done(&run);
}

static int share(void **state)
{
	(void)state;
	ticks = mmap(NULL, sizeof(*ticks), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return ticks == MAP_FAILED ? -1 : 0;
}

#define TEST(f) cmocka_unit_test_setup(f, before)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(everything_said_is_heard),
		TEST(bad_ends_are_told_apart),
		TEST(lists_are_read),
		TEST(bad_words_are_all_faults),
		TEST(a_key_derivation_is_measured),
	};

	return cmocka_run_group_tests(tests, share, NULL);
}
