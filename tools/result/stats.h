// SPDX-License-Identifier: GPL-3.0-or-later
// The mathematics of a comparison: pure functions of arrays of numbers, no allocation
// that outlives a call, no state.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Student's t distribution with `df` degrees of freedom (> 0). The distribution function
// is the regularised incomplete beta function (DLMF 8.17, continued fraction 8.17.22);
// the quantile is its inverse, right to 1e-9. `p` in (0,1).
double stats_t_cdf(double t, double df);
double stats_t_quantile(double p, double df);

// The standard normal distribution: its function, and its inverse by Newton's method.
double stats_normal_cdf(double z);
double stats_normal_quantile(double p);

// Mean and standard deviation (n - 1 below the line); sd is 0 for n < 2.
struct stats_summary {
	size_t n;
	double mean, sd;
};
struct stats_summary stats_summarise(const double *v, size_t n);

// The value below which half of them lie. stats_sort() orders in place; the others leave
// what they are given as it is, save that `sorted` must be. 0 for n = 0.
void stats_sort(double *v, size_t n);
double stats_median(const double *v, size_t n);
double stats_percentile(const double *sorted, size_t n, double percent);

// Median absolute deviation from the median, times 1.4826: the standard deviation of
// normal numbers, hardly moved by a few wild ones.
double stats_mad(const double *v, size_t n);

// The narrowest pair of order statistics, symmetric from both ends, that holds the
// median with at least 95 %; with n < 6 that is all of them with less. Returns how surely
// (0.9375 for n = 5); 0 for n = 0.
double stats_median_interval(const double *sorted, size_t n, double *low, double *high);

// Slope of the least-squares line through (0, v[0]), (1, v[1]), ...; 0 for n < 2.
double stats_slope(const double *v, size_t n);

// Up to so many blocks every one of the 2^n sign vectors is tried. Beyond, 9999 of them
// are drawn with a fixed seed, so that the same data always give the same p.
#define STATS_EXACT_MAX 16

// The sign-flip permutation test of "the true mean is 0": the share of sign vectors for
// which |sum(±r)| is at least |sum(r)|. 1 for n = 0.
double stats_sign_flip(const double *r, size_t n);

// The same for m families of numbers over the same n blocks at once, adjusted so that
// the chance of any false finding among all m is what each p says: Westfall and Young's
// step-down maximum (1993, algorithm 4.1), all families flipped together, of the
// studentised sums |sum(±r)| / sqrt(sum(r^2)). r[k * n + i] is family k in block i; NAN
// is no value. p has room for m.
void stats_step_down(const double *r, size_t n, size_t m, double *p);

// Holm's adjustment (1979) of m p values, in place.
void stats_holm(double *p, size_t m);

// The effect, in the unit of `sd`, that n blocks find with a chance of 80 % when it is
// judged among m metrics (see stats.c); INFINITY for n < 6, where the sign-flip test can
// find nothing.
double stats_detectable(double sd, size_t n, size_t m);

// How many blocks it takes to find an effect of `margin` with a chance of 80 %, and also
// to show with that chance that an effect of 0 is within it. At least 6; SIZE_MAX when
// more than 100000.
size_t stats_blocks_needed(double sd, double margin, size_t m);

// Two samples that are not paired, as imported numbers are. Welch's t test of equal
// means (p in *p; NAN where a sample has fewer than 2 values), the difference of the
// means b - a and its 95 % interval.
struct stats_welch {
	double difference, low, high, p, df;
};
struct stats_welch stats_welch(const double *a, size_t na, const double *b, size_t nb);

// The Mann-Whitney test, two-sided and exact where there are no ties and na * nb is at
// most 10000 (by counting), else by the normal approximation with ties. NAN without data.
double stats_mann_whitney(const double *a, size_t na, const double *b, size_t nb);
