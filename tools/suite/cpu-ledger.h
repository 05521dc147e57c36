// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the files of the CPU account only.
#pragma once

#include "suite/cpu.h"

struct cpu_known {
	int pid;
	uint64_t start, ns;
	bool seen; // again, at the next look
	bool worker;
	char queue[CPU_TASK_NAME]; // family of a kernel thread when it was seen to work
};

// Reads every task of the machine and adds what each used since the last look to its
// share. The first call only notes where they stand. `working`: the benchmark is at work,
// so that a kworker's name tells what it does for it.
int cpu_ledger_look(struct cpu_account *a, bool working);

// The same for the kworkers that are known: few, so that it can be done often. Their
// names change with what they work on, and after the run they tell of something else.
void cpu_ledger_look_at_workers(struct cpu_account *a);
