// SPDX-License-Identifier: GPL-3.0-or-later
// Private to this folder: which modaliases are still to be served, each once, in order.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define MODALIAS_MAX 4096 // distinct ones; a large server has some hundred

enum modalias_rank {
	MODALIAS_FIRST, // hardware
	MODALIAS_LAST,  // cpu: crypto self-tests take seconds on a slow machine
	MODALIAS_RANKS,
};

struct modalias_queue {
	char **seen; // every alias that ever came, in order
	size_t n, room;
	size_t next[MODALIAS_RANKS]; // index into `seen` of what to look at next
};

// Adds one. Returns true when it is new; an empty one, and more than MODALIAS_MAX, are
// refused.
bool modalias_add(struct modalias_queue *q, const char *alias);

// Takes the next one of that rank; NULL when there is none. Valid for the queue's life.
const char *modalias_take(struct modalias_queue *q, enum modalias_rank rank);

enum modalias_rank modalias_rank(const char *alias);

// Is it a USB 1 controller? Its driver must come after that of USB 2 (ehci), which else
// takes the ports away again.
bool modalias_wants_ehci(const char *alias);

// Calls `found` for each file "modalias" below `dir`, e.g. "/sys/devices"; symlinks are
// not followed. Returns how many, or -errno when the folder itself cannot be read.
int modalias_walk(const char *dir, void (*found)(const char *alias, void *arg),
		  void *arg);

void modalias_done(struct modalias_queue *q);
