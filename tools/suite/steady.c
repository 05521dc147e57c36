// SPDX-License-Identifier: GPL-3.0-or-later
// SNIA's steady state.
#include "suite/steady.h"

#include <math.h>

#include "result/stats.h"

#define RANGE_MOST 0.20
#define SLOPE_MOST 0.10

bool steady_reached(const double *rounds, size_t n)
{
	const double *window = rounds + n - STEADY_WINDOW;
	double least, most, mean;

	if (n < STEADY_WINDOW)
		return false;
	least = most = window[0];
	for (size_t i = 1; i < STEADY_WINDOW; i++) {
		least = fmin(least, window[i]);
		most = fmax(most, window[i]);
	}
	mean = stats_summarise(window, STEADY_WINDOW).mean;
	return mean > 0 && most - least <= RANGE_MOST * mean &&
	       fabs(stats_slope(window, STEADY_WINDOW)) * (STEADY_WINDOW - 1) <=
		       SLOPE_MOST * mean;
}
