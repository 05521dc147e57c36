// SPDX-License-Identifier: GPL-3.0-or-later
// What the engines share: the parameters that every test takes, and the engines' names.
#pragma once

#include "suite/test.h"

extern const struct test_ops test_badblocks, test_bonnie, test_cryptobench, test_files;
extern const struct test_ops test_fill, test_fio, test_hdparm, test_mkfs, test_null;
extern const struct test_ops test_powercut, test_smart, test_unlock;

// Rows of every engine's table.
#define TEST_TIMEOUT_PARAM(default)                                            \
	{                                                                      \
		.key = "timeout", .type = PARAM_DURATION, .fallback = default, \
		.help = "how long one run may take before it is stopped"       \
	}
#define TEST_CAP_PARAM                                                    \
	{                                                                 \
		.key = "cap", .type = PARAM_SIZE, .min = 16 << 20,        \
		.help = "memory that the tool and its page cache may use" \
	}
#define TEST_COMMON_PARAMS TEST_TIMEOUT_PARAM("1h"), TEST_CAP_PARAM

// The effective value of a test's parameter, NULL when there is none.
const char *test_param(const struct plan_test *test, const struct param_spec *spec,
		       const char *key);
bool test_param_known(const struct param_spec *spec, const char *key);

// Why this arm cannot carry that test; NULL when it can.
const char *test_refused(const struct test_ops *ops, const struct plan_test *test,
			 const struct plan_arm *arm);

// Why the top of that arm may not be overwritten as a device; NULL when it may: it is
// one that we made, and nothing is on it.
const char *test_refused_bare(const struct plan_arm *arm);
