// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of the runner share: suite.c (blocks and arms), runner-test.c (one
// test), runner-record.c (what is written down).
#pragma once

#include "suite/cpu.h"
#include "suite/suite.h"

struct runner {
	struct suite *suite;
	unsigned index;  // of the last run
	char *stop;      // why nothing more may be started; NULL: go on
	char *disturbed; // the first physical cause to repeat this block, or NULL
	bool no_cgroup;  // was said
	bool emulated;   // the machine is a guest
	struct cpu_baseline baseline;
	struct json_object *layers; // of the stack that is up, as stack_json(), or NULL
};

// Where in the campaign we are. Block 0 is the warm-up block.
struct place {
	unsigned block, order; // from 1
	const struct plan_arm *arm;
	const struct plan_test *test;  // NULL: the arm as a whole
	const struct json_object *cut; // the power was cut in this arm; NULL: it was not
};

// "block 1/2, arm encrypted, test bonnie"; the caller frees.
char *runner_where(const struct runner *r, const struct place *at);

// Runs one arm in one block: built, tested, torn down.
void runner_arm(struct runner *r, struct place *at);

// What disturbed the machine during the run of that record, if it is a cause to repeat
// its block: the words of one of its gates. NULL: none.
const char *runner_disturbance(const struct json_object *record);

// Is every rate of every comparison known as narrowly as the plan asks?
bool runner_precise(const struct runner *r);

// Writes down that a block is repeated, and why.
void runner_record_repeat(struct runner *r, unsigned block, const char *why);

// A short line for the person.
void runner_say(const struct runner *r, const char *fmt, ...) _printf_(2, 3);

// Runs the test at that place on a stack that is up (or records why not) and writes it
// down. `refused` non-NULL: it is not run, with that outcome and reason.
void runner_test(struct runner *r, const struct place *at, struct stack *stack,
		 enum outcome outcome, const char *refused);

// The record of that run in the campaign that is resumed, when it passed there; or, in
// the arm in which the power was cut on purpose, whatever it came to: nothing of that arm
// is done twice.
const struct json_object *runner_past(const struct runner *r, const struct place *at);

// The note that the power was to be cut in that arm of that block; NULL: it was not.
const struct json_object *runner_cut(const struct runner *r, const struct place *at);

// Each writes one record to the store and to campaign->runs, and makes the verdict of it.
// runner_record_run() also stores the raw files.
void runner_record_run(struct runner *r, const struct place *at, const struct run *run);
void runner_record_past(struct runner *r, const struct place *at,
			const struct json_object *past);

// Writes a record of kind "cut", which the next boot finds. 0 when it is on the medium.
int runner_record_cut(struct runner *r, const struct place *at, const char *phase,
		      uint64_t count);

// A record of kind "stack", at the build and at the tear-down of an arm.
struct arm_event {
	const char *phase; // "build", "teardown"
	enum outcome outcome;
	const char *why;
	struct json_object *layers; // taken over; NULL: none
	const char *leftovers;      // one a line; NULL: none
	uint64_t started_ns, ended_ns;
};
void runner_record_arm(struct runner *r, const struct place *at, struct arm_event *e);
