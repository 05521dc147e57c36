// SPDX-License-Identifier: GPL-3.0-or-later
// A test engine: one file, one const table of functions, found by the word in the plan.
//
// The contract. `check` is pure and adds every fault. `run` runs the tool (bounded by
// run->timeout_ns, inside run->cgroup, nothing else in the machine busy), keeps its
// output verbatim with run_raw(), parses it exactly and adds metrics. It sets outcome and
// why through run_end(); a tool that says nothing is failed, a missing one is skipped.
#pragma once

#include "common/process.h"
#include "plan/param.h"
#include "result/metric.h"
#include "result/outcome.h"
#include "stack/stack.h"

enum test_place {
	TEST_ON_DEVICE, // a block device: the top of the stack, or the disk
	TEST_ON_DIR,    // a mounted filesystem
	TEST_ON_EITHER, // a file when there is a filesystem, else the top device
};

struct run;
struct cpu_account;

struct test_ops {
	const char *engine;
	const char *help; // one line
	enum test_place place;
	const struct param_spec *params; // ends with a NULL key
	bool any_params;                 // keys beyond the table are the tool's own (fio)
	bool cuts_power; // ends the machine; the next boot runs its second half
	bool known_keys; // it opens again what the arm made (stack.key_seed)
	void (*check)(const struct plan_test *test, const char *file,
		      struct fault_list *faults); // beyond the table; may be NULL
	// Why that arm cannot carry the test, beyond `place`; NULL: it can. May be NULL.
	const char *(*refused)(const struct plan_test *test, const struct plan_arm *arm);
	void (*run)(struct run *run);
	// About how many seconds one run takes on a disk that moves `rate` bytes a
	// second in order; NULL: a minute.
	double (*seconds)(const struct plan_test *test, double rate);
};

struct run_file {
	char *name; // "bonnie.csv", "fio.json", "hdparm-disk.txt"
	struct strbuf data;
};

// One test on one arm in one block.
struct run {
	const struct plan *plan;
	const struct plan_arm *arm;
	const struct plan_test *test;
	const struct test_ops *ops;
	struct stack *stack;
	unsigned block, order; // from 1; order within the block
	unsigned index;        // from 1, over the campaign
	uint64_t timeout_ns;
	uint64_t seed;           // for this block, the same for all arms
	const char *cgroup;      // cgroup-v2 folder for the tool
	void (*tick)(void *arg); // progress, for process.tick
	void *tick_arg;
	// With cuts_power: notes on the stick and on serial what the next boot must know.
	// Returns 0 once it is there.
	int (*mark)(void *arg, const char *phase, uint64_t count);
	void (*say)(void *arg, const char *text); // a line for the person
	void *mark_arg;                           // of both
	const struct json_object *cut; // the last such note: this is the second half
	uint64_t done, total; // how far it is, in the engine's own unit; total 0: unknown

	enum outcome outcome;
	char *why;
	struct metric_list metrics;
	// What the tool says it moved, for the gates; 0: it does not say.
	uint64_t read_bytes, written_bytes;
	struct cpu_account *cpu; // of this run while the engine works, else NULL
	bool too_quick;          // an operation took less than a microsecond
	struct json_object *gates, *flags; // gate.h; NULL: none
	struct json_object *detail; // engine's own facts: command line, version, sizes
	struct run_file *files;
	size_t n_files;
	uint64_t started_ns, ended_ns;
};

extern const struct test_ops *const test_engines[];
const struct test_ops *test_find(const char *engine);

// Keeps tool output verbatim under that name (copied).
void run_raw(struct run *run, const char *name, const void *data, size_t len);

// Sets the outcome with a formatted reason (NULL for passed).
void run_end(struct run *run, enum outcome outcome, const char *fmt, ...) _printf_(3, 4);

// Runs a tool for this run: timeout, cgroup and (unless it has one) tick from `run`, the
// command line added to detail.commands, both streams kept as raw files "<name>.out" /
// "<name>.err" when not empty. On a bad end sets the outcome and returns -errno as
// process_run().
int run_tool(struct run *run, const char *name, struct process *p);
