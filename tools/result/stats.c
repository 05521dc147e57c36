// SPDX-License-Identifier: GPL-3.0-or-later
// Distributions, summaries, and how large an experiment has to be.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "result/stats.h"

#define POWER      0.8
#define LEVEL      0.05
#define BLOCKS_MAX 100000
#define BLOCKS_MIN 6 // with fewer no sign-flip p is below LEVEL

// The continued fraction of the incomplete beta function, DLMF 8.17.22, by Lentz's
// method. It converges fast for x < (a + 1) / (a + b + 2).
static double beta_fraction(double a, double b, double x)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), f;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	f = d;
	for (int m = 1; m < 10000; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		f *= c * d;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		step = c * d;
		f *= step;
		if (fabs(step - 1) < 1e-15)
			break;
	}
	return f;
}

// The logarithm of the gamma function without lgamma()'s global sign: Stirling's series
// (DLMF 5.11.1) after moving x above 15.
static double log_gamma(double x)
{
	double shift = 0, z;

	while (x < 15)
		shift += log(x++);
	z = 1 / (x * x);
	return (x - 0.5) * log(x) - x + 0.5 * log(2 * M_PI) - shift +
	       (1.0 / 12 - z * (1.0 / 360 - z * (1.0 / 1260 - z / 1680))) / x;
}

// The regularised incomplete beta function I_x(a, b).
static double beta(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x >= 1;
	front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) +
		    b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double stats_t_cdf(double t, double df)
{
	double tail = 0.5 * beta(df / 2, 0.5, df / (df + t * t));

	return t > 0 ? 1 - tail : tail;
}

static double t_density(double t, double df)
{
	return exp(log_gamma((df + 1) / 2) - log_gamma(df / 2) -
		   (df + 1) / 2 * log1p(t * t / df)) /
	       sqrt(df * M_PI);
}

// Newton's method on the tail, so that nothing is lost near 1; bisection where it would
// leave the interval that holds the root.
double stats_t_quantile(double p, double df)
{
	double low = 0, high = 2, tail = p > 0.5 ? 1 - p : p, t = 1;

	if (p <= 0 || p >= 1)
		return p <= 0 ? -INFINITY : INFINITY;
	while (stats_t_cdf(-high, df) > tail && high < 1e300) {
		low = high;
		high *= 2;
	}
	t = (low + high) / 2;
	for (int i = 0; i < 200 && high - low > 1e-14 * high; i++) {
		double off = stats_t_cdf(-t, df) - tail, next;

		if (off > 0)
			low = t;
		else
			high = t;
		next = t + off / t_density(t, df);
		if (!(next > low && next < high))
			next = (low + high) / 2;
		if (fabs(next - t) <= 1e-13 * t)
			break;
		t = next;
	}
	return p > 0.5 ? t : p < 0.5 ? -t : 0;
}

double stats_normal_cdf(double z)
{
	return 0.5 * erfc(-z / M_SQRT2);
}

double stats_normal_quantile(double p)
{
	double low = -40, high = 40;

	if (p <= 0 || p >= 1)
		return p <= 0 ? -INFINITY : INFINITY;
	for (int i = 0; i < 100; i++) {
		double middle = (low + high) / 2;

		if (stats_normal_cdf(middle) < p)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

struct stats_summary stats_summarise(const double *v, size_t n)
{
	struct stats_summary s = { .n = n };
	double squares = 0;

	for (size_t i = 0; i < n; i++)
		s.mean += v[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (v[i] - s.mean) * (v[i] - s.mean);
	s.sd = n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
	return s;
}

static int compare(const void *va, const void *vb)
{
	const double *a = va, *b = vb;

	return *a < *b ? -1 : *a > *b;
}

void stats_sort(double *v, size_t n)
{
	if (n)
		qsort(v, n, sizeof(*v), compare);
}

double stats_percentile(const double *sorted, size_t n, double percent)
{
	double at = percent / 100 * (double)(n ? n - 1 : 0);
	size_t below = (size_t)at;

	if (n == 0)
		return 0;
	if (below + 1 >= n)
		return sorted[n - 1];
	return sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

double stats_median(const double *v, size_t n)
{
	_cleanup_free_ double *sorted = mem_new(n + 1, sizeof(*sorted));

	if (n)
		memcpy(sorted, v, n * sizeof(*v));
	stats_sort(sorted, n);
	return stats_percentile(sorted, n, 50);
}

double stats_mad(const double *v, size_t n)
{
	_cleanup_free_ double *away = mem_new(n + 1, sizeof(*away));
	double median = stats_median(v, n);

	for (size_t i = 0; i < n; i++)
		away[i] = fabs(v[i] - median);
	return 1.4826 * stats_median(away, n);
}

// The median lies between the k-th value from below and from above unless fewer than k
// of n fair coins fall on one side.
double stats_median_interval(const double *sorted, size_t n, double *low, double *high)
{
	double miss = exp2(-(double)n), term = miss, best = 0;

	*low = *high = 0;
	for (size_t k = 0; k < (n + 1) / 2; k++) {
		double sure = 1 - 2 * miss;

		if (k > 0 && sure < 0.95)
			break;
		*low = sorted[k];
		*high = sorted[n - 1 - k];
		best = sure;
		term *= (double)(n - k) / (double)(k + 1);
		miss += term;
	}
	return best < 0 ? 0 : best;
}

double stats_slope(const double *v, size_t n)
{
	double middle = ((double)n - 1) / 2, above = 0, below = 0;

	for (size_t i = 0; i < n; i++) {
		double x = (double)i - middle;

		above += x * v[i];
		below += x * x;
	}
	return below > 0 ? above / below : 0;
}

// Each raw value in rising order is adjusted together with its equals.
void stats_holm(double *p, size_t m)
{
	_cleanup_free_ double *raw = mem_new(m + 1, sizeof(*raw));
	_cleanup_free_ double *adjusted = mem_new(m + 1, sizeof(*adjusted));
	double least = 0;

	if (m)
		memcpy(raw, p, m * sizeof(*p));
	stats_sort(raw, m);
	for (size_t k = 0; k < m; k++) {
		least = fmax(least, fmin(1, (double)(m - k) * raw[k]));
		for (size_t i = 0; i < m && (k == 0 || raw[k] != raw[k - 1]); i++)
			adjusted[i] = p[i] == raw[k] ? least : adjusted[i];
	}
	for (size_t i = 0; i < m; i++)
		p[i] = adjusted[i];
}

// In units of sd. The t test alone would find (t[1-.05/2] + t[.8]) / sqrt(n) in 80 % of
// campaigns. Among m metrics the level of each is about .05/m. The sign-flip test asks
// for more in few blocks, where its p comes in coarse steps: by how much was measured for
// 1 to 40 metrics (tests/unit/test-result-simulation.c checks it).
static double detectable_factor(size_t n, size_t m)
{
	double df = (double)n - 1, level = LEVEL / 2 / (double)(m ? m : 1);
	double price = n == BLOCKS_MIN ? 1.4 : 1.09;

	if (n < BLOCKS_MIN)
		return INFINITY;
	return price * (stats_t_quantile(1 - level, df) + stats_t_quantile(POWER, df)) /
	       sqrt((double)n);
}

double stats_detectable(double sd, size_t n, size_t m)
{
	double factor = detectable_factor(n, m);

	return isinf(factor) ? factor : factor * sd;
}

// Two one-sided tests at 5 % each succeed with 80 % at a true effect of 0 when each
// fails with 10 %.
static double equivalence_factor(size_t n)
{
	double df = (double)n - 1;

	return (stats_t_quantile(1 - LEVEL, df) +
		stats_t_quantile(1 - (1 - POWER) / 2, df)) /
	       sqrt((double)n);
}

static int enough(double sd, double margin, size_t n, size_t m)
{
	return detectable_factor(n, m) * sd <= margin &&
	       equivalence_factor(n) * sd <= margin;
}

size_t stats_blocks_needed(double sd, double margin, size_t m)
{
	size_t low = BLOCKS_MIN - 1, high = BLOCKS_MIN;

	while (high <= BLOCKS_MAX && !enough(sd, margin, high, m)) {
		low = high;
		high *= 2;
	}
	if (high > BLOCKS_MAX && !enough(sd, margin, BLOCKS_MAX, m))
		return SIZE_MAX;
	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (enough(sd, margin, middle, m))
			high = middle;
		else
			low = middle;
	}
	return high;
}
