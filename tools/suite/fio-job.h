// SPDX-License-Identifier: GPL-3.0-or-later
// fio's command line for a test of a plan, with our defaults.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "plan/plan.h"

struct fio_job {
	char *path;    // file or device
	bool is_file;  // the path is a file that fio makes
	bool writes;   // by its rw
	bool readonly; // fio is told so
	bool direct;
	uint64_t size;     // bytes; 0: the whole device
	bool timed;        // neither size nor runtime was given: 30 s
	uint64_t round_ns; // length of a round towards steady state; 0: one run as told
	unsigned round;    // from 1, with round_ns
	bool exact;        // `size` bytes must have been moved in the end
};

// rw of the test, "read" where it says nothing.
const char *fio_job_rw(const struct plan_test *test);

// Fills everything but the path and is_file, which must be set.
void fio_job_defaults(struct fio_job *job, const struct plan_test *test);

// The command line. Every key that the test gives is passed on, ours fill the rest.
char **fio_job_argv(const struct fio_job *job, const struct plan_test *test,
		    uint64_t seed, const char *output);
void fio_job_free_argv(char **argv);
