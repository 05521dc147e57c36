// SPDX-License-Identifier: GPL-3.0-or-later
// Which of fio's job options a plan may give.
#pragma once

#include "common/strbuf.h"
#include "plan/plan.h"

// Appends why this key must not be given; returns whether it may. Names of files, other
// programs and other machines are refused: a plan says through `target` and `stack` where
// a test works, and nowhere else. Shortened names, which fio would complete, are refused
// with them.
bool fio_key_allowed(const struct plan_param *param, struct strbuf *why);

// Does rw= with that value write (or trim)?
bool fio_writes(const char *rw);
