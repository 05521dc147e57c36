// SPDX-License-Identifier: GPL-3.0-or-later
// Runs another program without a shell, with a deadline, in its own process group.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/err.h"
#include "common/strbuf.h"

enum process_end {
	PROCESS_EXITED,    // `status` is its exit status
	PROCESS_SIGNALLED, // `status` is the signal
	PROCESS_TIMEOUT,   // the deadline passed; the group was killed
	PROCESS_STUCK,     // killed, but did not die (uninterruptible); left behind
	PROCESS_MISSING,   // there is no such program
};

// The caller fills the first group, process_run() the second.
struct process {
	const char *const *argv; // NULL-terminated; argv[0] is looked up in PATH
	const void *input;       // bytes for stdin; NULL means /dev/null
	size_t input_len;
	uint64_t timeout_ns;     // 0 means PROCESS_DEFAULT_TIMEOUT
	size_t max_output;       // of each stream; 0 means 8 MiB; more is cut off
	const char *cgroup;      // path of a cgroup-v2 folder to start in, or NULL
	const char *dir;         // working folder, or NULL
	void (*tick)(void *arg); // called about once a second while it runs, or NULL
	void *tick_arg;

	enum process_end end;
	int status;
	bool output_cut;
	struct strbuf out, err_out; // stdout and stderr, verbatim
	uint64_t started_ns, ended_ns;
	uint64_t user_ns,
		system_ns; // CPU time of the process and its waited-for children
};

#define PROCESS_DEFAULT_TIMEOUT (UINT64_C(120) * 1000000000)

// Runs it to its end. Returns 0 when it ran and ended with exit status 0; -ENOENT when
// the program is missing; -ETIMEDOUT; -EIO for every other end, with `err` saying
// program, how it ended and the last line of its stderr. LC_ALL=C and a short, fixed
// environment are set for it. The output is kept in every case.
int process_run(struct process *p, struct err *err);

// Frees the captured output.
void process_done(struct process *p);
#define _cleanup_process_ _cleanup_(process_done)

// "exit status 3", "killed by signal 9 (Killed)", "no end after 30 s", ...
void process_describe_end(const struct process *p, struct strbuf *to);
