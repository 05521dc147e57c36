// SPDX-License-Identifier: GPL-3.0-or-later
// Private to this folder: what the loader's threads share.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "device/driver.h"
#include "device/modalias.h"

#define DRIVER_WORKERS_MAX 4    // more gains nothing: measured 11 s with 1, 8 s with 4
#define DRIVER_SEEN_MAX    1024 // block devices whose appearance is remembered

struct driver_worker {
	pthread_t thread;
	const char *alias; // being loaded, or NULL
	uint64_t since_ns;
};

struct driver_seen {
	char name[32];
	uint64_t ns;
};

// One loader per program. `lock` guards all but the callback, which has its own lock so
// that it may call back into here and is never running once it was removed.
struct driver {
	pthread_mutex_t lock;
	pthread_cond_t changed; // CLOCK_MONOTONIC
	unsigned changes;       // block events and loads so far
	uint64_t active_ns;     // when something last happened; may lie ahead
	bool running, stop;

	struct modalias_queue queue;
	struct driver_stats stats;
	struct driver_worker workers[DRIVER_WORKERS_MAX];
	unsigned n_workers;
	pthread_t listener;
	int socket, wake[2]; // a byte into wake[1] ends the listener

	struct driver_seen *seen;
	size_t n_seen;

	pthread_mutex_t callback_lock;
	void (*callback)(const char *name, void *arg);
	void *callback_arg;
};

extern struct driver driver;

void driver_push(const char *alias);    // takes the lock itself
void driver_changed(uint64_t ahead_ns); // lock held: wakes all who wait
void *driver_work(void *worker);        // thread: loads what is queued
void *driver_listen(void *unused);      // thread: serves uevents for life
int driver_walk(void);                  // queues what sysfs holds
