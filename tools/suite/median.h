// SPDX-License-Identifier: GPL-3.0-or-later
// The median of what an engine timed within one run.
#pragma once

#include <stddef.h>

// Sorts the values. With an even number the mean of the middle two; 0 without any.
double median(double *values, size_t n);
