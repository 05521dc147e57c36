// SPDX-License-Identifier: GPL-3.0-or-later
// Two samples that are not paired, as in numbers that others have published.
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "result/stats.h"

#define COUNT_MAX 10000 // na * nb that is still counted exactly

struct stats_welch stats_welch(const double *a, size_t na, const double *b, size_t nb)
{
	const struct stats_summary sa = stats_summarise(a, na);
	const struct stats_summary sb = stats_summarise(b, nb);
	double va = na ? sa.sd * sa.sd / (double)na : 0;
	double vb = nb ? sb.sd * sb.sd / (double)nb : 0, v = va + vb, half;
	struct stats_welch w = { NAN, NAN, NAN, NAN, NAN };

	if (na == 0 || nb == 0)
		return w;
	w.difference = sb.mean - sa.mean;
	if (na < 2 || nb < 2 || v <= 0)
		return w; // no spread is known: no inference
	w.df = v * v /
	       (va * va / ((double)na - 1) + vb * vb / ((double)nb - 1)); // Satterthwaite
	half = stats_t_quantile(0.975, w.df) * sqrt(v);
	w.low = w.difference - half;
	w.high = w.difference + half;
	w.p = 2 * stats_t_cdf(-fabs(w.difference) / sqrt(v), w.df);
	return w;
}

// In how many of all orders of na + nb values without ties U is at most `u`: Mann and
// Whitney's recurrence (1947), ways(a, b, u) = ways(a - 1, b, u - b) + ways(a, b - 1, u),
// as shares so that nothing overflows.
static double share_up_to(size_t na, size_t nb, size_t u)
{
	size_t width = na * nb + 1;
	double *ways = mem_new((nb + 1) * width, sizeof(*ways)), sum = 0;

	for (size_t a = 0; a <= na; a++)
		for (size_t b = 0; b <= nb; b++)
			// for a given b the row still holds the figures of a - 1; from
			// the top, so that u - b is one of those
			for (size_t x = width; x-- > 0;) {
				double with_a = a && x >= b ? ways[b * width + x - b] : 0;
				double with_b = b ? ways[(b - 1) * width + x] : 0;
				double all = (double)(a + b);

				ways[b * width + x] =
					a + b == 0 ? x == 0
						   : (double)a / all * with_a +
							     (double)b / all * with_b;
			}
	for (size_t x = 0; x <= u; x++)
		sum += ways[nb * width + x];
	free(ways);
	return sum;
}

// sum of t^3 - t over groups of equal values
static double tie_term(const double *a, size_t na, const double *b, size_t nb)
{
	_cleanup_free_ double *all = mem_new(na + nb, sizeof(*all));
	double term = 0;

	memcpy(all, a, na * sizeof(*a));
	memcpy(all + na, b, nb * sizeof(*b));
	stats_sort(all, na + nb);
	for (size_t i = 0, k; i < na + nb; i = k) {
		double t;

		for (k = i + 1; k < na + nb && all[k] == all[i];)
			k++;
		t = (double)(k - i);
		term += t * t * t - t;
	}
	return term;
}

double stats_mann_whitney(const double *a, size_t na, const double *b, size_t nb)
{
	double u = 0, ties, all = (double)(na + nb), p, sd;

	if (na == 0 || nb == 0)
		return NAN;
	for (size_t i = 0; i < na; i++)
		for (size_t k = 0; k < nb; k++)
			u += a[i] > b[k] ? 1 : a[i] == b[k] ? 0.5 : 0;
	u = fmin(u, (double)na * (double)nb - u);
	ties = tie_term(a, na, b, nb);
	if (ties == 0 && na <= COUNT_MAX / nb) {
		p = 2 * share_up_to(na, nb, (size_t)u);
		return p > 1 ? 1 : p;
	}
	sd = sqrt((double)na * (double)nb / 12 * (all + 1 - ties / (all * (all - 1))));
	if (sd <= 0)
		return 1; // all values are equal
	p = 2 * stats_normal_cdf((u + 0.5 - (double)na * (double)nb / 2) / sd);
	return p > 1 ? 1 : p;
}
