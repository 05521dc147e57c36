// SPDX-License-Identifier: GPL-3.0-or-later
// PID 1's decisions: control lines, how a child ended, what follows, clock and memory.
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/pid1.h"

static void feed(struct pid1_control *c, const char *text, unsigned bad)
{
	assert_int_equal(pid1_control_feed(c, text, strlen(text)), bad);
}

static void lines_are_understood(void **state)
{
	struct pid1_control c = { 0 };

	(void)state;
	feed(&c, "deadline 90.5\nthen reboot\nphase block 2, arm plain\n", 0);
	assert_true(c.deadline_ns == UINT64_C(90500000000));
	assert_int_equal(c.then, PID1_REBOOT);
	assert_string_equal(c.phase, "block 2, arm plain");
	feed(&c, "deadline 0\n", 0);
	assert_true(c.deadline_ns == 0);
}

static void pieces_are_joined(void **state)
{
	struct pid1_control c = { 0 };

	(void)state;
	feed(&c, "th", 0);
	feed(&c, "en bo", 0);
	assert_int_equal(c.then, PID1_UNSAID);
	feed(&c, "ot\nphase x", 0);
	assert_int_equal(c.then, PID1_BOOT);
	assert_string_equal(c.phase, "");
}

static void nonsense_changes_nothing(void **state)
{
	struct pid1_control c = { .then = PID1_MENU, .deadline_ns = 5 };

	(void)state;
	feed(&c, "then explode\ndeadline -1\ndeadline soon\ndeadline 1e999\n", 4);
	feed(&c, "deadline 999999999999\n\nTHEN reboot\nthen\n", 4);
	assert_int_equal(c.then, PID1_MENU);
	assert_true(c.deadline_ns == 5);
}

static void long_line_is_ignored_whole(void **state)
{
	struct pid1_control c = { 0 };
	char text[1000];

	(void)state;
	memset(text, 'x', sizeof(text));
	memcpy(text, "phase ", 6);
	assert_int_equal(pid1_control_feed(&c, text, sizeof(text)), 0);
	feed(&c, "\nphase short\n", 1);
	assert_string_equal(c.phase, "short");
}

static void phase_is_cleaned_and_cut(void **state)
{
	struct pid1_control c = { 0 };
	char text[222];

	(void)state;
	feed(&c, "phase a\033[31mb\tc\n", 0);
	assert_string_equal(c.phase, "a [31mb c");
	memset(text, 'y', sizeof(text));
	memcpy(text, "phase ", 6);
	text[sizeof(text) - 1] = '\n';
	assert_int_equal(pid1_control_feed(&c, text, sizeof(text)), 0);
	assert_int_equal(strlen(c.phase), sizeof(c.phase) - 1);
}

static void described(const struct pid1_end *e, const char *phase, const char *want)
{
	char text[300];

	pid1_end_describe(e, phase, text, sizeof(text));
	assert_string_equal(text, want);
}

static void ends_are_described(void **state)
{
	(void)state;
	described(&(struct pid1_end){ .status = SIGSEGV }, "arm plain",
		  "killed by signal 11 (Segmentation fault) while: arm plain");
	described(&(struct pid1_end){ .status = 3 << 8 }, "", "exit status 3");
	described(&(struct pid1_end){ .status = 70 << 8 }, "",
		  "exit status 70 (out of memory)");
	described(&(struct pid1_end){ .stuck = true, .late = true }, "fio",
		  "its deadline passed; did not die when killed; left behind while: fio");
	described(&(struct pid1_end){ .missing = true }, "", "could not be started");
	described(&(struct pid1_end){ .asked = true, .status = SIGTERM }, "",
		  "stopped by a person; killed by signal 15 (Terminated)");
}

static void only_exit_0_is_well(void **state)
{
	(void)state;
	assert_true(pid1_end_well(&(struct pid1_end){ .status = 0 }));
	assert_true(pid1_end_well(&(struct pid1_end){ .status = 0, .asked = true }));
	assert_false(pid1_end_well(&(struct pid1_end){ .status = 1 << 8 }));
	assert_false(pid1_end_well(&(struct pid1_end){ .status = SIGKILL }));
	assert_false(pid1_end_well(&(struct pid1_end){ .late = true }));
	assert_false(pid1_end_well(&(struct pid1_end){ .stuck = true }));
	assert_false(pid1_end_well(&(struct pid1_end){ .missing = true }));
	assert_false(pid1_end_well(&(struct pid1_end){ .breached = true }));
}

static void what_follows(void **state)
{
	(void)state;
	assert_int_equal(pid1_next(true, PID1_UNSAID, PID1_UNSAID), PID1_POWEROFF);
	assert_int_equal(pid1_next(true, PID1_REBOOT, PID1_UNSAID), PID1_REBOOT);
	assert_int_equal(pid1_next(true, PID1_BOOT, PID1_UNSAID), PID1_BOOT);
	assert_int_equal(pid1_next(false, PID1_REBOOT, PID1_UNSAID), PID1_POWEROFF);
	assert_int_equal(pid1_next(false, PID1_SHELL, PID1_UNSAID), PID1_POWEROFF);
	assert_int_equal(pid1_next(true, PID1_POWEROFF, PID1_REBOOT), PID1_REBOOT);
	assert_int_equal(pid1_next(false, PID1_UNSAID, PID1_REBOOT), PID1_REBOOT);
}

static void words_go_both_ways(void **state)
{
	(void)state;
	for (int t = PID1_POWEROFF; t <= PID1_BOOT; t++)
		assert_int_equal(pid1_then_parse(pid1_then_name((enum pid1_then)t)), t);
	assert_int_equal(pid1_then_parse("unsaid"), PID1_UNSAID);
	assert_int_equal(pid1_then_parse(""), PID1_UNSAID);
}

static void clock_window(void **state)
{
	const int64_t build = 1767225600; // 2026-01-01

	(void)state;
	assert_false(pid1_clock_suspect(build, build, true));
	assert_true(pid1_clock_suspect(build - 1, build, false));
	assert_false(pid1_clock_suspect(build + INT64_C(631152000), build, false));
	assert_true(pid1_clock_suspect(build + INT64_C(631152001), build, false));
	assert_true(pid1_clock_suspect(315532800, build, false)); // 1980, an empty CMOS
	assert_true(pid1_clock_suspect(INT64_C(2208988800), build, true)); // 2040
	assert_false(pid1_clock_suspect(INT64_C(2208988800), build, false));
	assert_false(pid1_clock_suspect(INT32_MAX, 0, true));
	assert_true(pid1_clock_suspect(INT64_C(1) + INT32_MAX, 0, true));
	assert_true(pid1_clock_suspect(0, 0, false));
}

static void meminfo_values(void **state)
{
	const char *text = "MemTotal:         243660 kB\nMemFree:  1 kB\n"
			   "MemAvailable:     184104 kB\nHugePages_Total:       0\n";

	(void)state;
	assert_true(pid1_meminfo(text, "MemAvailable") == UINT64_C(184104) * 1024);
	assert_true(pid1_meminfo(text, "MemTotal") == UINT64_C(243660) * 1024);
	assert_true(pid1_meminfo(text, "Mem") == 0);
	assert_true(pid1_meminfo("", "MemTotal") == 0);
	assert_true(pid1_meminfo("MemTotal: lots", "MemTotal") == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_understood),
		cmocka_unit_test(pieces_are_joined),
		cmocka_unit_test(nonsense_changes_nothing),
		cmocka_unit_test(long_line_is_ignored_whole),
		cmocka_unit_test(phase_is_cleaned_and_cut),
		cmocka_unit_test(ends_are_described),
		cmocka_unit_test(only_exit_0_is_well),
		cmocka_unit_test(what_follows),
		cmocka_unit_test(words_go_both_ways),
		cmocka_unit_test(clock_window),
		cmocka_unit_test(meminfo_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
