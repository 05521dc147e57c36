// SPDX-License-Identifier: GPL-3.0-or-later
// What hdparm prints.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "suite/hdparm-text.h"

#define MIB 1048576.0

static struct hdparm_timing t[HDPARM_TIMINGS];

static size_t parse(const char *text)
{
	return hdparm_text_parse(text, strlen(text), t);
}

static void about(double value, double want)
{
	if (fabs(value - want) > 1e-6 * want)
		fail_msg("%.9g instead of %.9g", value, want);
}

static void reads_both_timings(void **state)
{
	(void)state;
	assert_int_equal(
		parse("\n/dev/hda:\n"
		      " Timing cached reads:   1416 MB in  2.00 seconds = 707.48 MB/sec\n"
		      " Timing buffered disk reads:   82 MB in  3.06 seconds =  26.80 "
		      "MB/sec\n"),
		2);
	assert_true(t[0].cached);
	assert_false(t[1].cached);
	assert_false(t[0].direct);
	about(t[0].rate, 707.48 * MIB); // its MB is MiB
	about(t[1].rate, 26.80 * MIB);
	about(t[1].bytes, 82 * MIB);
	about(t[1].seconds, 3.06);
}

static void reads_slow_disks_in_kb(void **state)
{
	(void)state;
	assert_int_equal(parse(" Timing buffered disk reads:   2 MB in  4.41 seconds = "
			       "464.26 kB/sec\n"),
			 1);
	about(t[0].rate, 464.26 * 1024);
}

static void widths_overflow(void **state)
{
	(void)state;
	assert_int_equal(
		parse(" Timing cached reads:   123456 MB in  1.99 seconds = 62038.19 "
		      "MB/sec\n Timing buffered disk reads: 21234 MB in  3.00 seconds = "
		      "7078.00 MB/sec\n"),
		2);
	about(t[0].rate, 62038.19 * MIB);
	about(t[1].rate, 7078.0 * MIB);
}

static void reads_direct_and_offset(void **state)
{
	(void)state;
	assert_int_equal(
		parse(" Timing O_DIRECT cached reads:   550 MB in  2.00 seconds = 274.55 "
		      "MB/sec\n Timing O_DIRECT disk reads (offset 100 GB): 300 MB in  "
		      "3.01 seconds =  99.50 MB/sec\n"),
		2);
	assert_true(t[0].direct && t[0].cached);
	assert_true(t[1].direct && !t[1].cached);
	about(t[1].rate, 99.5 * MIB);
}

static void passes_over_all_else(void **state)
{
	(void)state;
	assert_int_equal(hdparm_text_parse(NULL, 0, t), 0);
	assert_int_equal(parse("/dev/x: No such file or directory\n"), 0);
	assert_int_equal(parse(" Timing buffered disk reads: \n"), 0);
	assert_int_equal(parse(" Timing buffered disk reads: read() hit EOF - device too "
			       "small\n"),
			 0);
	assert_int_equal(
		parse(" Timing cached reads:   14 MB in  2.00 seconds = 7.4 GB/sec\n"),
		0);
	assert_int_equal(
		parse(" Timing cached reads:   14 MB in  2.00 seconds = -7.4 MB/sec\n"),
		0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_both_timings),
		cmocka_unit_test(reads_slow_disks_in_kb),
		cmocka_unit_test(widths_overflow),
		cmocka_unit_test(reads_direct_and_offset),
		cmocka_unit_test(passes_over_all_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
