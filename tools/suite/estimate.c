// SPDX-License-Identifier: GPL-3.0-or-later
// How long will a campaign take?
#include "suite/suite.h"

#define RUN_FALLBACK 60.0 // s
#define ARM_OVERHEAD 8.0  // s: build, mkfs, key, tear-down
#define RUN_OVERHEAD 1.0  // s: caches, records

double suite_seconds(const struct plan *plan, double rate)
{
	double block = 0;

	for (size_t i = 0; i < plan->n_tests; i++) {
		const struct plan_test *test = &plan->tests[i];
		const struct test_ops *ops = test_find(test->engine);

		block += RUN_OVERHEAD +
			 (ops && ops->seconds ? ops->seconds(test, rate) : RUN_FALLBACK);
	}
	block = (block + ARM_OVERHEAD) * (double)plan->n_arms;
	return block * (plan->blocks + plan->warm_up);
}

double suite_guess_rate(const struct device *disk)
{
	if (disk->rotational)
		return 60e6;
	return disk->removable ? 20e6 : 200e6;
}
