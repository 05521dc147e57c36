// SPDX-License-Identifier: GPL-3.0-or-later
// Loads kernel modules for the hardware that is there and for what is plugged in later.
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "common/clock.h"
#include "common/mem.h"
#include "common/number.h"
#include "device/driver-private.h"
#include "device/module.h"
#include "device/uevent.h"

// A waiter looks again this often even when nothing was announced: a stick without
// partitions sends no event for its filesystem.
#define LOOK_AGAIN CLOCK_SECOND

// Needed whatever hardware there is: /dev/mapper/control does not exist before dm_mod.
static const char *const always[] = { "dm_mod", "loop" };

struct driver driver = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.callback_lock = PTHREAD_MUTEX_INITIALIZER,
	.socket = -1,
	.wake = { -1, -1 },
};

static pthread_once_t once = PTHREAD_ONCE_INIT;

// The deadlines here are monotonic, so the condition must wait by that clock.
static void init_condition(void)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&driver.changed, &attr);
	pthread_condattr_destroy(&attr);
}

static int start_threads(struct err *err)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned want = cpus > DRIVER_WORKERS_MAX ? DRIVER_WORKERS_MAX
			: cpus < 1                ? 1
						  : (unsigned)cpus;
	int r = pthread_create(&driver.listener, NULL, driver_listen, NULL);

	if (r != 0)
		return err_set(err, -r, "the driver loader cannot start a thread: %s",
			       strerror(r));
	for (unsigned i = 0; i < want; i++) {
		struct driver_worker *w = &driver.workers[driver.n_workers];

		r = pthread_create(&w->thread, NULL, driver_work, w);
		if (r == 0)
			driver.n_workers++;
	}
	if (driver.n_workers == 0)
		return err_set(err, -r, "the driver loader cannot start a thread: %s",
			       strerror(r));
	return 0;
}

// Signals are for the program's main thread.
static int start_threads_masked(struct err *err)
{
	sigset_t all, before;
	int r;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	r = start_threads(err);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return r;
}

int driver_start(struct err *err)
{
	int r;

	pthread_once(&once, init_condition);
	if (driver.running)
		return 0;
	driver.stats = (struct driver_stats){ .started_ns = clock_mono_ns() };
	driver.stop = false;
	driver.n_workers = 0;
	driver.socket =
		uevent_open(err); // before the walk, so that nothing falls between
	if (driver.socket < 0)
		return driver.socket;
	if (pipe2(driver.wake, O_CLOEXEC | O_NONBLOCK) < 0)
		return err_set(err, -errno, "the driver loader cannot start: %s",
			       strerror(errno));
	driver.seen = mem_new(DRIVER_SEEN_MAX, sizeof(*driver.seen));
	r = start_threads_masked(err);
	if (r < 0)
		return r;
	driver.running = true;
	for (size_t i = 0; i < ARRAY_SIZE(always); i++)
		driver_push(always[i]);
	r = driver_walk();
	return r < 0 ? err_set(err, r, "/sys/devices cannot be read: %s", strerror(-r))
		     : 0;
}

// Lock held. Waits for a change until `until_ns`; false when that time passed.
static bool wait_change(uint64_t until_ns)
{
	const struct timespec until = {
		.tv_sec = (time_t)(until_ns / CLOCK_SECOND),
		.tv_nsec = (long)(until_ns % CLOCK_SECOND),
	};

	return pthread_cond_timedwait(&driver.changed, &driver.lock, &until) == 0;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

int driver_wait(int (*done)(void *arg), void *arg, uint64_t deadline_ns)
{
	pthread_once(&once, init_condition);
	for (;;) {
		uint64_t look;
		unsigned before;

		pthread_mutex_lock(&driver.lock);
		before = driver.changes;
		pthread_mutex_unlock(&driver.lock);
		if (done(arg))
			return 0;
		if (clock_mono_ns() >= deadline_ns)
			return -ETIMEDOUT;
		look = earlier(deadline_ns, clock_mono_ns() + LOOK_AGAIN);
		pthread_mutex_lock(&driver.lock);
		while (driver.changes == before && wait_change(look))
			;
		pthread_mutex_unlock(&driver.lock);
	}
}

// Lock held.
static bool queue_is_empty(void)
{
	for (unsigned i = 0; i < driver.n_workers; i++)
		if (driver.workers[i].alias)
			return false;
	return driver.queue.next[MODALIAS_FIRST] == driver.queue.n &&
	       driver.queue.next[MODALIAS_LAST] == driver.queue.n;
}

int driver_settle(uint64_t quiet_ns, uint64_t deadline_ns)
{
	int r = -ETIMEDOUT;

	pthread_once(&once, init_condition);
	pthread_mutex_lock(&driver.lock);
	while (clock_mono_ns() < deadline_ns) {
		bool empty = queue_is_empty();
		uint64_t quiet = driver.active_ns + quiet_ns;

		if (empty && clock_mono_ns() >= quiet) {
			if (!driver.stats.settled_ns)
				driver.stats.settled_ns = clock_mono_ns();
			r = 0;
			break;
		}
		wait_change(empty ? earlier(deadline_ns, quiet) : deadline_ns);
	}
	pthread_mutex_unlock(&driver.lock);
	return r;
}

uint64_t driver_seen(const char *name)
{
	uint64_t ns = 0;

	pthread_mutex_lock(&driver.lock);
	for (size_t i = 0; i < driver.n_seen; i++)
		if (strcmp(driver.seen[i].name, name) == 0)
			ns = driver.seen[i].ns;
	pthread_mutex_unlock(&driver.lock);
	return ns;
}

void driver_on_block(void (*callback)(const char *name, void *arg), void *arg)
{
	pthread_mutex_lock(&driver.callback_lock);
	driver.callback = callback;
	driver.callback_arg = arg;
	pthread_mutex_unlock(&driver.callback_lock);
}

int driver_load(const char *name, struct err *err)
{
	struct kmod_ctx *ctx = module_open();
	int r;

	if (!ctx)
		return err_set(err, -ENOENT,
			       "there are no kernel modules for the running kernel; %s "
			       "cannot be loaded",
			       name);
	r = module_load(ctx, name, NULL, err);
	module_close(ctx);
	return r;
}

void driver_stats(struct driver_stats *ret)
{
	pthread_mutex_lock(&driver.lock);
	*ret = driver.stats;
	pthread_mutex_unlock(&driver.lock);
}

unsigned driver_busy(uint64_t min_ns, struct strbuf *to)
{
	uint64_t now = clock_mono_ns();
	unsigned n = 0;

	pthread_mutex_lock(&driver.lock);
	for (unsigned i = 0; i < driver.n_workers; i++) {
		const struct driver_worker *w = &driver.workers[i];

		if (!w->alias || now - w->since_ns < min_ns)
			continue;
		strbuf_printf(to, "%s%s for ", n++ ? ", " : "", w->alias);
		number_format_duration(to, now - w->since_ns);
	}
	pthread_mutex_unlock(&driver.lock);
	return n;
}

// Joins a thread, or leaves it behind when the time is over. True when it ended.
static bool join_until(pthread_t thread, const struct timespec *until)
{
	return pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, until) == 0;
}

void driver_stop(void)
{
	struct timespec until;
	bool all = true;

	if (!driver.running)
		return;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += 2;
	driver_on_block(NULL, NULL);
	pthread_mutex_lock(&driver.lock);
	driver.stop = true;
	pthread_cond_broadcast(&driver.changed);
	pthread_mutex_unlock(&driver.lock);
	if (write(driver.wake[1], "", 1) < 0)
		all = false;
	all = join_until(driver.listener, &until) && all;
	for (unsigned i = 0; i < driver.n_workers; i++)
		all = join_until(driver.workers[i].thread, &until) && all;
	if (!all)
		return; // a thread that hangs in the kernel still uses what is here
	driver.running = false;
	close(driver.socket);
	close(driver.wake[0]);
	close(driver.wake[1]);
	modalias_done(&driver.queue);
	free(driver.seen);
	driver.seen = NULL;
	driver.n_seen = 0;
}
