// SPDX-License-Identifier: GPL-3.0-or-later
// The median of what an engine timed within one run.
#include <stdlib.h>

#include "suite/median.h"

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double median(double *values, size_t n)
{
	if (n == 0)
		return 0;
	qsort(values, n, sizeof(*values), ascending);
	return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}
