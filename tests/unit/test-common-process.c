// SPDX-License-Identifier: GPL-3.0-or-later
// Running other programs: every way a program can end.
#include "unit.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/mem.h"
#include "common/process.h"

#define SH(script) ((const char *const[]){ "/bin/sh", "-c", script, NULL })

static void keeps_both_streams(void **state)
{
	_cleanup_process_ struct process p = { .argv = SH("echo out; echo err >&2") };
	struct err err = { 0 };

	(void)state;
	assert_int_equal(process_run(&p, &err), 0);
	assert_int_equal(p.end, PROCESS_EXITED);
	assert_string_equal(strbuf_str(&p.out), "out\n");
	assert_string_equal(strbuf_str(&p.err_out), "err\n");
}

static void tells_status_and_last_line(void **state)
{
	_cleanup_process_ struct process p = {
		.argv = SH("echo one >&2; echo disk full >&2; exit 3")
	};
	struct err err = { 0 };

	(void)state;
	assert_int_equal(process_run(&p, &err), -EIO);
	assert_int_equal(p.status, 3);
	assert_string_equal(err.text, "/bin/sh: exit status 3: disk full");
}

static void tells_a_signal(void **state)
{
	_cleanup_process_ struct process p = { .argv = SH("kill -9 $$") };
	struct err err = { 0 };

	(void)state;
	assert_int_equal(process_run(&p, &err), -EIO);
	assert_int_equal(p.end, PROCESS_SIGNALLED);
	assert_string_equal(err.text, "/bin/sh: killed by signal 9 (Killed)");
}

static void tells_a_missing_program(void **state)
{
	const char *const argv[] = { "no-such-program-here", NULL };
	_cleanup_process_ struct process p = { .argv = argv };
	struct err err = { 0 };

	(void)state;
	assert_int_equal(process_run(&p, &err), -ENOENT);
	assert_int_equal(p.end, PROCESS_MISSING);
}

static void ends_at_the_deadline(void **state)
{
	_cleanup_process_ struct process p = {
		.argv = SH("echo before; exec sleep 600"),
		.timeout_ns = CLOCK_SECOND / 5,
	};
	struct err err = { 0 };
	uint64_t start = clock_mono_ns();

	(void)state;
	assert_int_equal(process_run(&p, &err), -ETIMEDOUT);
	assert_int_equal(p.end, PROCESS_TIMEOUT);
	assert_string_equal(strbuf_str(&p.out), "before\n");
	assert_true(clock_mono_ns() - start < 60 * CLOCK_SECOND);
}

static void kills_one_that_ignores_term(void **state)
{
	_cleanup_process_ struct process p = {
		.argv = SH("trap '' TERM; while :; do sleep 600; done"),
		.timeout_ns = CLOCK_SECOND / 5,
	};
	struct err err = { 0 };

	(void)state;
	assert_int_equal(process_run(&p, &err), -ETIMEDOUT);
	assert_int_equal(p.end, PROCESS_TIMEOUT);
}

static void leaves_no_child_behind(void **state)
{
	_cleanup_process_ struct process p = { .argv = SH("sleep 600 & echo $!") };
	struct err err = { 0 };
	pid_t child;

	(void)state;
	assert_int_equal(process_run(&p, &err), 0);
	child = (pid_t)atoi(strbuf_str(&p.out));
	assert_true(child > 1);
	for (int i = 0; i < 500 && kill(child, 0) == 0; i++) { // gone or a zombie
		_cleanup_free_ char *path = mem_printf("/proc/%d/stat", child);
		FILE *f = fopen(path, "re");
		char line[256] = "";

		if (!f)
			return;
		if (fgets(line, sizeof(line), f) && strstr(line, ") Z ")) {
			fclose(f);
			return;
		}
		fclose(f);
		usleep(10000);
	}
	assert_int_equal(kill(child, 0), -1);
}

static void feeds_input_and_cuts_output(void **state)
{
	_cleanup_free_ char *big = mem_new(300000, 1);
	_cleanup_process_ struct process p = {
		.argv = SH("cat"),
		.input = big,
		.input_len = 300000,
		.max_output = 100000,
	};
	struct err err = { 0 };

	(void)state;
	memset(big, 'x', 300000);
	assert_int_equal(process_run(&p, &err), 0);
	assert_int_equal(p.out.len, 100000);
	assert_true(p.output_cut);
}

static void counts_cpu_time(void **state)
{
	_cleanup_process_ struct process p = {
		.argv = SH("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done")
	};
	struct err err = { 0 };

	(void)state;
	assert_int_equal(process_run(&p, &err), 0);
	assert_true(p.user_ns > 0);
	assert_true(p.user_ns <= p.ended_ns - p.started_ns + CLOCK_SECOND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_both_streams),
		cmocka_unit_test(tells_status_and_last_line),
		cmocka_unit_test(tells_a_signal),
		cmocka_unit_test(tells_a_missing_program),
		cmocka_unit_test(ends_at_the_deadline),
		cmocka_unit_test(kills_one_that_ignores_term),
		cmocka_unit_test(leaves_no_child_behind),
		cmocka_unit_test(feeds_input_and_cuts_output),
		cmocka_unit_test(counts_cpu_time),
	};

	return cmocka_run_group_tests_name("common/process", tests, NULL, NULL);
}
