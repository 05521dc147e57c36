// SPDX-License-Identifier: GPL-3.0-or-later
// SNIA's steady state (Solid State Storage Performance Test Specification 2.0.2, section
// 2.1.24): a window of five rounds whose values neither range nor slope much.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define STEADY_WINDOW 5
#define STEADY_ROUNDS 25 // at most; then the numbers are kept and marked

// Do the last five of n rounds lie within 20 % of their mean, and does their
// least-squares line rise or fall by at most 10 % of it from the first to the last?
bool steady_reached(const double *rounds, size_t n);
