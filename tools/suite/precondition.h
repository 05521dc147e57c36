// SPDX-License-Identifier: GPL-3.0-or-later
// Brings SSDs into the state in which they work for years: every block written.
#pragma once

#include "suite/runner.h"

// Discards every target where it can be (SNIA's purge, as far as a block device offers
// one), then writes all of it twice with random data, 128 KiB at a time in order (SNIA's
// workload-independent preconditioning). Each target gives one record of kind
// "precondition" and an item of design.precondition. When one cannot be written the
// verdict says so, r->stop is set and -EIO returned.
int precondition(struct runner *r);
