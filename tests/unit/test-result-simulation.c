// SPDX-License-Identifier: GPL-3.0-or-later
// Is the method worth its words? Simulated campaigns, their truth known: false alarms
// beside those of the naive order, power, coverage, and what was chosen otherwise than
// in the textbooks beside what they say. `make simulate` takes many more campaigns.
#include "unit.h"

#include <stdio.h>

#include "common/mem.h"
#include "result/stats.h"
#include "simulate.h"

// Three times A, then three times B, and so on for n: what everybody does.
struct naive {
	unsigned means, welch;
};

static void judge_naively(const struct sim *s, struct naive *n)
{
	uint64_t state = order_block_seed(s->seed, 99);
	double v[SIM_SLOTS_MAX];
	struct stats_welch w;

	sim_series(s->noise, s->sd, 2 * s->blocks, &state, v);
	w = stats_welch(v, s->blocks, v + s->blocks, s->blocks);
	n->means += fabs(w.difference) > log1p(COMPARISON_MARGIN / 100);
	n->welch += w.p < 0.05;
}

static void false_alarms(void **state)
{
	unsigned count = sim_count(600);

	(void)state;
	print_message("two equal arms called different, %% of %u campaigns of 8 "
		      "blocks:\n%-16s %9s %22s %14s\n",
		      count, "", "interleaved", "AAABBB, means 3 % off", "Welch p<.05");
	for (int kind = 0; kind < SIM_KINDS; kind++) {
		struct sim s = { .noise = (enum sim_noise)kind,
				 .sd = 0.02,
				 .blocks = 8,
				 .arms = 2,
				 .metrics = 1 };
		struct naive naive = { 0 };
		unsigned alarms = 0;

		for (s.seed = 1; s.seed <= count; s.seed++) {
			struct json_object *o = sim_campaign(&s);
			struct comparison_list list;

			comparison_make(&list, o);
			alarms += sim_different(&list.items[0]);
			judge_naively(&s, &naive);
			comparison_list_done(&list);
			json_object_put(o);
		}
		print_message("%-16s %9.1f %22.1f %14.1f\n", sim_names[kind],
			      100.0 * alarms / count, 100.0 * naive.means / count,
			      100.0 * naive.welch / count);
		assert_true(alarms <= count * (0.05 + sim_allowance(0.05, count)));
		// what is shown must be worth showing
		if (kind == SIM_DRIFT || kind == SIM_AUTO || kind == SIM_ALL)
			assert_true(naive.welch > 3 * alarms);
	}
}

// Among many metrics of several arms, too: one false finding in a pair of arms is one.
static void false_alarms_of_many_metrics(void **state)
{
	unsigned count = sim_count(200);

	(void)state;
	for (int kind = 0; kind < SIM_KINDS; kind += SIM_ALL) {
		struct sim s = { .noise = (enum sim_noise)kind,
				 .sd = 0.02,
				 .blocks = 8,
				 .arms = 3,
				 .metrics = 14 };
		unsigned alarms = 0;

		for (s.seed = 1; s.seed <= count; s.seed++) {
			struct json_object *o = sim_campaign(&s);
			struct comparison_list list;
			bool any = false;

			comparison_make(&list, o);
			for (size_t i = 0; i < s.metrics; i++)
				any |= sim_different(&list.items[i]);
			alarms += any;
			comparison_list_done(&list);
			json_object_put(o);
		}
		print_message("14 metrics, %-16s any of them %4.1f %%\n", sim_names[kind],
			      100.0 * alarms / count);
		assert_true(alarms <= count * (0.05 + sim_allowance(0.05, count)));
	}
}

// The share of campaigns that find `effect`, and of those where Holm's p would.
static double power(unsigned blocks, size_t metrics, double effect, unsigned count,
		    double *holm)
{
	struct sim s = { .sd = 0.02,
			 .effect = effect,
			 .blocks = blocks,
			 .arms = 2,
			 .metrics = metrics };
	unsigned found = 0, by_holm = 0;

	for (s.seed = 1; s.seed <= count; s.seed++) {
		struct json_object *o = sim_campaign(&s);
		struct comparison_list list;

		comparison_make(&list, o);
		found += list.items[0].verdict == COMPARISON_SLOWER;
		by_holm += list.items[0].p_holm < 0.05;
		comparison_list_done(&list);
		json_object_put(o);
	}
	*holm = (double)by_holm / count;
	return (double)found / count;
}

static void the_detectable_is_found(void **state)
{
	static const unsigned sizes[] = { 6, 8, 12 };
	static const size_t metrics[] = { 1, 14 };
	unsigned count = sim_count(200);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		for (size_t k = 0; k < ARRAY_SIZE(metrics); k++) {
			double size =
				stats_detectable(0.02 * M_SQRT2, sizes[i], metrics[k]);
			double holm,
				found = power(sizes[i], metrics[k], -size, count, &holm);

			print_message("%2u blocks, %2zu metrics: a difference of %4.1f "
				      "%%, said to be detectable, is found in %5.1f "
				      "%%; with Holm's p in %5.1f %%\n",
				      sizes[i], metrics[k], 100 * expm1(size),
				      100 * found, 100 * holm);
			assert_true(found >= 0.8 - sim_allowance(0.8, count));
			// 2/2^8 times 14 is more than 0.05 whatever happened
			assert_true(metrics[k] == 1 || sizes[i] > 8 || holm == 0);
		}
}

// ((1.96 + 0.84) sd / margin)^2 knows neither Student nor the other metrics.
static void enough_blocks_are_asked_for(void **state)
{
	double margin = log1p(0.05), sd = 0.02 * M_SQRT2, ignored;
	unsigned textbook = (unsigned)ceil(pow(2.8 * sd / margin, 2));
	size_t ours = stats_blocks_needed(sd, margin, 3);
	unsigned count = sim_count(200);
	double there = power(textbook, 3, -margin, count, &ignored);
	double here = power((unsigned)ours, 3, -margin, count, &ignored);

	(void)state;
	print_message("3 metrics, 5 %%: the textbook's %u blocks find it in %.0f %%, our "
		      "%zu in %.0f %%\n",
		      textbook, 100 * there, ours, 100 * here);
	assert_true(here >= 0.8 - sim_allowance(0.8, count));
	assert_true(there < 0.5);
}

// The root mean square error of the measured change under drift, in percent.
static double error_of_design(bool unmirrored, unsigned count)
{
	struct sim s = { .noise = SIM_DRIFT,
			 .sd = 0.005,
			 .blocks = 8,
			 .arms = 4,
			 .metrics = 1,
			 .unmirrored = unmirrored };
	double squares = 0;

	for (s.seed = 1; s.seed <= count; s.seed++) {
		struct json_object *o = sim_campaign(&s);
		struct comparison_list list;

		comparison_make(&list, o);
		squares += list.items[0].change * list.items[0].change / count;
		comparison_list_done(&list);
		json_object_put(o);
	}
	return sqrt(squares);
}

static void mirrored_blocks_are_nearer_the_truth(void **state)
{
	unsigned count = sim_count(200);
	double drawn = error_of_design(true, count);
	double mirrored = error_of_design(false, count);

	(void)state;
	print_message("4 arms under a drift of 15 %%: error %.2f %% with every block "
		      "drawn, %.2f %% with every second one mirrored\n",
		      drawn, mirrored);
	assert_true(mirrored < 0.75 * drawn);
}

static void the_truth_is_in_the_interval(void **state)
{
	unsigned count = sim_count(300);

	(void)state;
	for (int kind = 0; kind < SIM_KINDS; kind++) {
		struct sim s = { .noise = (enum sim_noise)kind,
				 .sd = 0.02,
				 .effect = log(0.88),
				 .blocks = 8,
				 .arms = 2,
				 .metrics = 1 };
		unsigned inside = 0;

		for (s.seed = 1; s.seed <= count; s.seed++) {
			struct json_object *o = sim_campaign(&s);
			struct comparison_list list;

			comparison_make(&list, o);
			inside += list.items[0].low <= -12 + 1e-9 &&
				  list.items[0].high >= -12 - 1e-9;
			comparison_list_done(&list);
			json_object_put(o);
		}
		print_message("%-16s the truth is in the 95 %% interval in %4.1f %%\n",
			      sim_names[kind], 100.0 * inside / count);
		assert_true(inside >= 0.93 * count);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(false_alarms),
		cmocka_unit_test(false_alarms_of_many_metrics),
		cmocka_unit_test(the_detectable_is_found),
		cmocka_unit_test(enough_blocks_are_asked_for),
		cmocka_unit_test(mirrored_blocks_are_nearer_the_truth),
		cmocka_unit_test(the_truth_is_in_the_interval),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
