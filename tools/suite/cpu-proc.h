// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel's accounts of CPU time, /proc/stat and /proc/PID/stat, as proc(5) and
// Documentation/filesystems/proc.rst describe them. Pure parsers.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// All CPUs together since boot, in ticks of 1/sysconf(_SC_CLK_TCK) s. Columns that an old
// kernel lacks are 0.
struct cpu_times {
	uint64_t user, nice, system, idle, iowait, irq, softirq, steal;
	uint64_t interrupts, switches, forks; // counts
	unsigned cpus;                        // online: lines "cpuN"
};

// From the text of /proc/stat. Returns 0 or -EBADMSG.
int cpu_times_parse(const char *text, struct cpu_times *ret);

// Seconds that CPUs were not idle between two readings that lie `elapsed` seconds apart:
// what the hypervisor took is not counted, and a counter that ran backwards (iowait may)
// stands still.
double cpu_busy_seconds(const struct cpu_times *before, const struct cpu_times *after,
			double elapsed);

#define CPU_TASK_NAME 64 // a kworker's name with that of its queue has at most 64 bytes

struct cpu_task {
	int pid;
	char name[CPU_TASK_NAME]; // "kworker/u4:1-kcryptd-253:0"
	bool kernel;              // a kernel thread
	uint64_t ticks;           // user and system; of all threads of a program
	uint64_t start;           // in ticks since boot: tells two of one pid apart
};

// From the line of /proc/PID/stat. Returns 0 or -EBADMSG.
int cpu_task_parse(const char *line, struct cpu_task *ret);

// What a thread is counted as (at most CPU_TASK_NAME bytes with the NUL): the workqueue
// that a kworker works on or worked on last ("kcryptd" for the name above), the family of
// a thread of a device ("md", "loop", "dmcrypt_write", "jbd2"), else its name without
// numbers at the end. A kworker that tells no queue (before Linux 4.18) is "kworker/u"
// when it may run on any CPU, else "kworker".
void cpu_task_class(const char *name, char *ret);
