// SPDX-License-Identifier: GPL-3.0-or-later
// Random numbers of a plan: pure functions of its seed.
#pragma once

#include <stdint.h>

// The next number of a splitmix64 stream.
uint64_t order_next(uint64_t *state);

// The seed that tests get in that block: the same for every arm.
uint64_t order_block_seed(uint64_t seed, unsigned block);
