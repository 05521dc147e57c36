// SPDX-License-Identifier: GPL-3.0-or-later
// What the engines share: the parameters that every test takes, and the engines' names.
#pragma once

#include "suite/test.h"

extern const struct test_ops test_bonnie, test_cryptobench, test_fio, test_hdparm;
extern const struct test_ops test_null;

// Rows of every engine's table.
#define TEST_COMMON_PARAMS                                                \
	{ .key = "timeout",                                               \
	  .type = PARAM_DURATION,                                         \
	  .fallback = "1h",                                               \
	  .help = "how long one run may take before it is stopped" },     \
	{                                                                 \
		.key = "cap", .type = PARAM_SIZE, .min = 16 << 20,        \
		.help = "memory that the tool and its page cache may use" \
	}

// The effective value of a test's parameter, NULL when there is none.
const char *test_param(const struct plan_test *test, const struct param_spec *spec,
		       const char *key);
bool test_param_known(const struct param_spec *spec, const char *key);

// Why this arm cannot carry tests of that engine; NULL when it can.
const char *test_refused(const struct test_ops *ops, const struct plan_arm *arm);
