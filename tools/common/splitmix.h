// SPDX-License-Identifier: GPL-3.0-or-later
// A stream of numbers that follows from a seed: for order, places and content of tests,
// never for what is to be secret.
#pragma once

#include <stdint.h>

// Sebastiano Vigna's splitmix64, public domain algorithm: an increment and two rounds of
// multiply and shift; every seed is good, 0 too.
static inline uint64_t splitmix_next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}
