// SPDX-License-Identifier: GPL-3.0-or-later
// Empties the caches between a test and the last one.
#pragma once

#include "stack/stack.h"

// Syncs, flushes the buffers of every layer's device and of the targets, top down, and
// drops the page cache. Done in a child that is left behind after two minutes, because a
// dying disk may hold a sync for ever: then -ETIMEDOUT. -errno when caches could not be
// dropped.
int cache_drop(const struct stack *stack, struct err *err);
