// SPDX-License-Identifier: GPL-3.0-or-later
// CPU truth: what a run costs the whole machine, and who spent it. A tool's own figure
// does not hold the kernel's threads, where encryption and RAID happen.
//
// The total is what no CPU was idle for: elapsed time x CPUs - idle - iowait - steal of
// /proc/stat, less what an idle machine spends (the baseline) and less our own time. It
// is split into the benchmark (its cgroup), kernel threads by family, other programs, and
// interrupts; what is left is unattributed. Resolutions and what overlaps are recorded:
// without CONFIG_IRQ_TIME_ACCOUNTING an interrupt's time is in the thread that it hit.
#pragma once

#include "common/json.h"
#include "result/metric.h"

#include "suite/cpu-proc.h"

// Where the machine's files are found: "" for the live one; tests point it elsewhere.
extern const char *cpu_root;

struct cpu_known; // a task and how much it had used

struct cpu_share {
	char name[CPU_TASK_NAME]; // family, or a program's name
	bool kernel;
	uint64_t ns;
};

struct cpu_account {
	struct cpu_times first;
	uint64_t first_ns, own_ns, children_ns;
	const char *cgroup;      // whose processes are the benchmark; may be NULL
	struct cpu_known *known; // as of the last look
	size_t n_known;
	struct cpu_share *shares; // what the looks so far gave
	size_t n_shares;
	unsigned looks, ended; // tasks that had gone at the next look
	// No look before: looking must not cost what it measures.
	uint64_t next_ns, next_full_ns;
	bool lazy_init; // ext4 initialised its tables at one of the looks
	bool bad;       // /proc could not be read
};

// CPU-seconds per second that the idle machine spends, with how well that is known.
struct cpu_baseline {
	double rate, error; // CPUs; 0 when it was not measured
	double seconds;     // how long was measured
};

// Measures for so long; nothing else may run. 0: no baseline.
void cpu_baseline_measure(uint64_t duration_ns, struct cpu_baseline *ret);
struct json_object *cpu_baseline_json(const struct cpu_baseline *b);

void cpu_begin(struct cpu_account *a, const char *cgroup);

// To be called often during the run; looks at the kernel's workers now and then, and less
// often at all tasks. A worker's time is counted for the queue it is seen at while the
// run lasts; in a run shorter than a second, for the one it is seen at afterwards. What a
// task used after the last look before it ended is unattributed.
void cpu_look(struct cpu_account *a);

// The end of the run: the account as JSON for detail.cpu. `benchmark_s` is what the
// cgroup says, negative when there is none. The caller puts it.
struct json_object *cpu_end(struct cpu_account *a, double benchmark_s,
			    const struct cpu_baseline *b);

// Adds "cpu" (s) and, when at least 1 MiB was moved, "cpu_per_gib" (s/GiB) of that
// account to the metrics.
void cpu_metrics(const struct json_object *account, uint64_t bytes,
		 struct metric_list *to);

void cpu_done(struct cpu_account *a);
