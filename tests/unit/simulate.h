// SPDX-License-Identifier: GPL-3.0-or-later
// Simulated campaigns: a machine whose speed wanders while the arms take turns.
#pragma once

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "campaign-data.h"
#include "result/comparison.h"
#include "suite/order.h"
#include "suite/suite.h"

#define SIM_SLOTS_MAX   256
#define SIM_METRICS_MAX 16

enum sim_noise {
	SIM_WHITE,   // independent from run to run
	SIM_DRIFT,   // 15 % slower from beginning to end, as a disk that warms up or ages
	SIM_BURSTS,  // every fifteenth slot begins some in which all is 30 % slower
	SIM_BIMODAL, // each run is, by chance, fast or 10 % slower
	SIM_AUTO,    // a random walk that returns: correlation 0.9 from slot to slot
	SIM_ALL,
	SIM_KINDS,
};

static const char *const sim_names[SIM_KINDS] = { "white noise",    "drift",
						  "bursts",         "bimodal",
						  "autocorrelated", "all of these" };

static inline double sim_uniform(uint64_t *state)
{
	return ((double)(order_next(state) >> 11) + 0.5) / 0x1p53;
}

// Box and Muller, 1958.
static inline double sim_normal(uint64_t *state)
{
	double r = sqrt(-2 * log(sim_uniform(state)));

	return r * cos(2 * M_PI * sim_uniform(state));
}

// The logarithm of the speed in each of n slots of time, standard deviation `sd` of what
// differs from run to run.
static inline void sim_series(enum sim_noise kind, double sd, size_t n, uint64_t *state,
			      double *to)
{
	double walk = sim_normal(state) * 3 * sd;
	size_t burst = 0;

	for (size_t i = 0; i < n; i++) {
		bool all = kind == SIM_ALL;

		walk = 0.9 * walk + sqrt(1 - 0.81) * 3 * sd * sim_normal(state);
		if (burst > 0)
			burst--;
		else if (sim_uniform(state) < 1 / 15.0)
			burst = 1 + (size_t)(4 * sim_uniform(state));
		to[i] = sd * sim_normal(state);
		if (kind == SIM_DRIFT || all)
			to[i] -= 0.15 * (double)i / (double)n;
		if (kind == SIM_BURSTS || all)
			to[i] += burst ? log(0.7) : 0;
		if (kind == SIM_BIMODAL || all)
			to[i] += sim_uniform(state) < 0.5 ? log(0.9) : 0;
		if (kind == SIM_AUTO || all)
			to[i] += walk;
	}
}

struct sim {
	enum sim_noise noise;
	double sd;     // of one run, in logarithms
	double effect; // of the second arm in the first metric, in logarithms
	unsigned blocks;
	size_t arms, metrics;
	uint64_t seed;
	bool unmirrored; // every block drawn anew, as textbooks have it
};

// Runs the arms in the order that the suite would take. Metrics wander independently.
static inline struct json_object *sim_campaign(const struct sim *s)
{
	static const char *const names[] = { "a", "b", "c", "d" };
	static double series[SIM_METRICS_MAX][SIM_SLOTS_MAX];
	struct json_object *o = make_result(names, s->arms, -1);
	uint64_t state = order_block_seed(s->seed, 99);
	size_t order[4], slot = 0;

	for (size_t k = 0; k < s->metrics; k++)
		sim_series(s->noise, s->sd, s->blocks * s->arms, &state, series[k]);
	for (unsigned block = 1; block <= s->blocks; block++) {
		suite_order(s->seed, s->unmirrored ? 2 * block - 1 : block, s->arms,
			    order);
		for (size_t i = 0; i < s->arms; i++, slot++) {
			struct json_object *run =
				add_run(o, block, names[order[i]], "t", OUTCOME_PASSED);

			for (size_t k = 0; k < s->metrics; k++) {
				bool moved = k == 0 && order[i] == 1;
				char name[16];

				snprintf(name, sizeof(name), "m%zu", k);
				add_value(run, name, "B/s", BETTER_HIGHER, BOUND_EXACT,
					  1e8 * exp(series[k][slot] +
						    (moved ? s->effect : 0)));
			}
		}
	}
	return o;
}

static inline bool sim_different(const struct comparison *c)
{
	return c->verdict == COMPARISON_SLOWER || c->verdict == COMPARISON_FASTER;
}

// How many campaigns a share is taken of; ASSAY_SIMULATE=N says otherwise.
static inline unsigned sim_count(unsigned usual)
{
	const char *said = getenv("ASSAY_SIMULATE");

	return said && atoi(said) > 0 ? (unsigned)atoi(said) : usual;
}

// What chance adds to a share of n campaigns: three standard deviations.
static inline double sim_allowance(double p, unsigned n)
{
	return 3 * sqrt(p * (1 - p) / n);
}
