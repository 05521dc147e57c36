// SPDX-License-Identifier: GPL-3.0-or-later
// Creates, looks at and deletes many small files, and times each phase.
#pragma once

#include <stdint.h>

#define SMALL_FILES_MAX  UINT64_C(100000000)
#define SMALL_FILES_COST UINT64_C(4096) // that one may take beside its content

struct small_files {
	const char *dir; // made, and removed again
	uint64_t files;  // to begin with
	uint64_t most;
	uint64_t size;  // bytes in each
	double least_s; // that each phase must last
	uint64_t seed;  // of the order in which they are looked at and deleted
};

// Runs rounds with more and more files until creating and deleting last long enough;
// looking is repeated within a round until it does. Creating and deleting end with a
// syncfs(2), because a filesystem that only remembers has done nothing yet. Says through
// work_say() of the last round: files, rounds, stat_passes, create_s, stat_s, delete_s,
// and "limited" with a reason when there was no room for more files. For run_work().
int small_files_run(const struct small_files *f, int out);

// How many files the next round should have so that `shortest_s` becomes `least_s`, with
// a third to spare: at least twice, at most sixteen times as many. Pure.
uint64_t small_files_next(uint64_t files, double shortest_s, double least_s);
