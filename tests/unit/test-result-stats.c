// SPDX-License-Identifier: GPL-3.0-or-later
// The mathematics against values worked out otherwise (tests/data/stats/make.py) and
// against published tables.
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "common/number.h"
#include "result/stats.h"

#define REFERENCE  "tests/data/stats/reference.txt"
#define VALUES_MAX 64

static void near(double seen, double want, double tolerance)
{
	if (!(fabs(seen - want) <= tolerance))
		fail_msg("%.12g is not %.12g", seen, want);
}

static unsigned t_lines, flip_lines, step_lines, mann_lines;

static void check_line(const char *kind, const double *v, size_t n)
{
	if (strcmp(kind, "t") == 0) {
		near(stats_t_quantile(v[1], v[0]), v[2], 1e-7 * (1 + v[2]));
		near(stats_t_quantile(1 - v[1], v[0]), -v[2], 1e-7 * (1 + v[2]));
		near(stats_t_cdf(v[2], v[0]), v[1], 1e-9);
		t_lines++;
	} else if (strcmp(kind, "flip") == 0) {
		assert_int_equal(n, v[0] + 2);
		near(stats_sign_flip(v + 2, (size_t)v[0]), v[1], 1e-9);
		flip_lines++;
	} else if (strcmp(kind, "step") == 0) {
		size_t blocks = (size_t)v[0], m = (size_t)v[1];
		double p[8];

		assert_int_equal(n, 2 + m + m * blocks);
		stats_step_down(v + 2 + m, blocks, m, p);
		for (size_t k = 0; k < m; k++)
			near(p[k], v[2 + k], 1e-6);
		step_lines++;
	} else if (strcmp(kind, "mann") == 0) {
		size_t na = (size_t)v[0], nb = (size_t)v[1];

		assert_int_equal(n, 3 + na + nb);
		near(stats_mann_whitney(v + 3, na, v + 3 + na, nb), v[2], 1e-9);
		mann_lines++;
	} else {
		fail_msg("what is %s?", kind);
	}
}

static void reference_values_come_out(void **state)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	char *save_line = NULL;

	(void)state;
	assert_int_equal(io_read_file(REFERENCE, &text, 1 << 20), 0);
	for (char *line = strtok_r(text.data, "\n", &save_line); line;
	     line = strtok_r(NULL, "\n", &save_line)) {
		double v[VALUES_MAX];
		char *save = NULL, *kind = strtok_r(line, " ", &save), *word;
		size_t n = 0;

		while ((word = strtok_r(NULL, " ", &save)) && n < VALUES_MAX)
			assert_int_equal(number_double(word, &v[n++]), 0);
		check_line(kind, v, n);
	}
	assert_int_equal(t_lines, 85);
	assert_int_equal(flip_lines, 36);
	assert_int_equal(step_lines, 4);
	assert_int_equal(mann_lines, 18);
}

static void published_values_come_out(void **state)
{
	static const double least_flip[] = { 0.0625, 0.03125, 0.015625, 0.0078125 };
	static const double least_mann[] = { 0.1, 2 / 70.0, 2 / 252.0, 2 / 924.0 };
	const double low[] = { 1, 2, 3, 4, 5, 6 }, high[] = { 11, 12, 13, 14, 15, 16 };

	(void)state;
	// Student's table as every textbook has it
	near(stats_t_quantile(0.975, 1), 12.706, 5e-4);
	near(stats_t_quantile(0.975, 7), 2.365, 5e-4);
	near(stats_t_quantile(0.95, 5), 2.015, 5e-4);
	near(stats_t_quantile(0.995, 29), 2.756, 5e-4);
	near(stats_normal_quantile(0.975), 1.959963985, 1e-8);
	near(stats_normal_quantile(0.2), -0.841621234, 1e-8);
	near(stats_normal_cdf(1.644853627), 0.95, 1e-9);
	for (size_t n = 5; n <= 8; n++)
		near(stats_sign_flip((const double[8]){ 1, 2, 3, 4, 5, 6, 7, 8 }, n),
		     least_flip[n - 5], 1e-12);
	for (size_t n = 3; n <= 6; n++)
		near(stats_mann_whitney(low, n, high, n), least_mann[n - 3], 1e-12);
}

// Fisher's example of 1935: Darwin's fifteen pairs of maize, in eighths of an inch; 863
// of 16384 sign vectors are as extreme on either side (The Design of Experiments, section
// 21).
static void darwins_maize(void **state)
{
	const double r[15] = {
		49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48
	};

	(void)state;
	near(stats_sign_flip(r, 15), 1726 / 32768.0, 1e-12);
}

static void drawn_signs_are_near_the_exact_p(void **state)
{
	double r[17], exact = 0, p;

	(void)state;
	for (size_t i = 0; i < 17; i++)
		r[i] = 0.3 + sin((double)i * 2.4);
	for (unsigned s = 0; s < 1U << 17; s++) {
		double sum = 0, seen = 0;

		for (size_t i = 0; i < 17; i++) {
			sum += s >> i & 1 ? -r[i] : r[i];
			seen += r[i];
		}
		exact += fabs(sum) >= fabs(seen) - 1e-9;
	}
	exact /= 1U << 17;
	p = stats_sign_flip(r, 17);
	near(p, exact, 4 * sqrt(exact * (1 - exact) / 9999)); // four sigma of the draw
	assert_true(p == stats_sign_flip(r, 17));             // a seed of its own
}

static void holm_is_step_down_and_monotone(void **state)
{
	double p[] = { 0.01, 0.04, 0.03, 0.005 }, ties[] = { 0.02, 0.02, 0.9 };

	(void)state;
	stats_holm(p, 4); // Holm 1979 by hand
	near(p[0], 0.03, 1e-12);
	near(p[1], 0.06, 1e-12);
	near(p[2], 0.06, 1e-12);
	near(p[3], 0.02, 1e-12);
	stats_holm(ties, 3);
	near(ties[0], 0.06, 1e-12);
	near(ties[1], 0.06, 1e-12);
	near(ties[2], 0.9, 1e-12);
}

static void one_family_is_the_plain_test(void **state)
{
	const double r[2][8] = { { 1, 2, -0.5, 3, 1, 0.2, 0.7, -1 },
				 { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN } };
	double p[2];

	(void)state;
	stats_step_down(r[0], 8, 1, p);
	near(p[0], stats_sign_flip(r[0], 8), 1e-12);
	stats_step_down(r[0], 8, 2, p); // a family without values takes nothing away
	near(p[0], stats_sign_flip(r[0], 8), 1e-12);
	near(p[1], 1, 0);
	near(stats_sign_flip(r[0], 0), 1, 0);
}

static void medians_and_their_intervals(void **state)
{
	// n, ranks from either end, coverage: exact sums of binomials
	static const struct {
		size_t n, rank;
		double sure;
	} rows[] = { { 5, 1, 0.9375 },    { 6, 1, 0.96875 },   { 8, 1, 0.9921875 },
		     { 9, 2, 0.9609375 }, { 12, 3, 0.961426 }, { 15, 4, 0.964844 },
		     { 20, 6, 0.958611 } };
	double v[20], low, high;

	(void)state;
	for (size_t i = 0; i < 20; i++)
		v[i] = (double)i + 1;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		near(stats_median_interval(v, rows[i].n, &low, &high), rows[i].sure,
		     1e-6);
		near(low, (double)rows[i].rank, 0);
		near(high, (double)(rows[i].n + 1 - rows[i].rank), 0);
	}
	near(stats_median((const double[]){ 5, 1, 4, 2, 3 }, 5), 3, 0); // mmtests: 1.5
	near(stats_median((const double[]){ 4, 1, 3, 2 }, 4), 2.5, 0);
	near(stats_mad((const double[]){ 1, 1, 2, 2, 4, 6, 9 }, 7), 1.4826, 1e-12);
	near(stats_percentile(v, 20, 95), 19.05, 1e-12);
	near(stats_slope((const double[]){ 1, 3, 5, 7 }, 4), 2, 1e-12);
	near(stats_median(NULL, 0), 0, 0);
}

static void sizes_of_experiments(void **state)
{
	size_t n;

	(void)state;
	assert_true(isinf(stats_detectable(1, 5, 1)));
	// (t[7, .975] + t[7, .8]) / sqrt(8) from the tables, and 9 % for the coarse p
	near(stats_detectable(0.02, 8, 1), 0.02 * 1.09 * (2.3646 + 0.8960) / sqrt(8),
	     1e-6);
	assert_true(stats_detectable(0.02, 8, 14) > stats_detectable(0.02, 8, 1));
	assert_int_equal(stats_blocks_needed(0, 0.03, 14), 6);
	assert_true(stats_blocks_needed(1, 1e-6, 1) == SIZE_MAX);
	n = stats_blocks_needed(0.05, 0.03, 1);
	assert_true(stats_detectable(0.05, n, 1) <= 0.03);
	assert_true(n > 22); // ((1.96 + 0.84) 0.05 / 0.03)^2, which forgets t and TOST
}

static void welch_of_student_himself(void **state)
{
	// Student 1908, table of sleep: two drugs, ten patients, here as if unpaired.
	// R prints for t.test(extra ~ group): t = -1.8608, df = 17.776, p = 0.07939,
	// interval -3.3654832 to 0.2054832.
	const double a[] = { 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0 };
	const double b[] = { 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4 };
	const struct stats_welch w = stats_welch(a, 10, b, 10);

	(void)state;
	near(w.df, 17.776, 5e-4);
	near(w.p, 0.07939, 5e-6);
	near(w.low, -0.2054832, 5e-7);
	near(w.high, 3.3654832, 5e-7);
	assert_true(isnan(stats_welch(a, 1, b, 1).p)); // one against one: no inference
	near(stats_welch(a, 1, b, 1).difference, 1.2, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reference_values_come_out),
		cmocka_unit_test(published_values_come_out),
		cmocka_unit_test(darwins_maize),
		cmocka_unit_test(drawn_signs_are_near_the_exact_p),
		cmocka_unit_test(holm_is_step_down_and_monotone),
		cmocka_unit_test(one_family_is_the_plain_test),
		cmocka_unit_test(medians_and_their_intervals),
		cmocka_unit_test(sizes_of_experiments),
		cmocka_unit_test(welch_of_student_himself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
