// SPDX-License-Identifier: GPL-3.0-or-later
// The loader's threads: one listens to the kernel, some load modules.
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/clock.h"
#include "device/driver-private.h"
#include "device/module.h"
#include "device/uevent.h"

// usb-storage waits a second (its parameter delay_use) before it looks for disks.
#define USB_DELAY (3 * CLOCK_SECOND / 2)
#define HANGS     (15 * CLOCK_SECOND)

static void found(const char *alias, void *arg _unused_)
{
	driver_push(alias);
}

int driver_walk(void)
{
	return modalias_walk("/sys/devices", found, NULL);
}

void driver_push(const char *alias)
{
	pthread_mutex_lock(&driver.lock);
	if (modalias_add(&driver.queue, alias)) {
		driver.stats.aliases++;
		driver.active_ns = clock_mono_ns();
		pthread_cond_broadcast(&driver.changed);
	}
	pthread_mutex_unlock(&driver.lock);
}

void driver_changed(uint64_t ahead_ns)
{
	uint64_t now = clock_mono_ns() + ahead_ns;

	driver.changes++;
	if (driver.active_ns < now)
		driver.active_ns = now;
	pthread_cond_broadcast(&driver.changed);
}

// Lock held. A load that hangs (an NVMe disk that does not answer holds it for minutes)
// must not keep the CPU's AES from being used: it does not count.
static bool others_are_done(void)
{
	uint64_t now = clock_mono_ns();

	for (unsigned i = 0; i < driver.n_workers; i++)
		if (driver.workers[i].alias && now - driver.workers[i].since_ns < HANGS)
			return false;
	return true;
}

// Lock held. Aliases of the last rank wait until all others are served.
static const char *take(void)
{
	const char *alias = modalias_take(&driver.queue, MODALIAS_FIRST);

	if (!alias && others_are_done())
		alias = modalias_take(&driver.queue, MODALIAS_LAST);
	return alias;
}

// Lock held. Waits for something to do, or a while.
static void rest(void)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += 5;
	pthread_cond_timedwait(&driver.changed, &driver.lock, &until);
}

// Without a context there are no modules for this kernel: each alias is served by none.
static void load(struct kmod_ctx *ctx, const char *alias, struct module_count *count)
{
	if (ctx && modalias_wants_ehci(alias))
		module_load(ctx, "ehci_pci", count, NULL);
	if (ctx)
		module_load(ctx, alias, count, NULL);
}

void *driver_work(void *arg)
{
	struct driver_worker *self = arg;
	struct kmod_ctx *ctx = module_open();

	pthread_mutex_lock(&driver.lock);
	while (!driver.stop) {
		struct module_count count = { 0 };

		self->alias = take();
		if (!self->alias) {
			rest();
			continue;
		}
		self->since_ns = clock_mono_ns();
		pthread_mutex_unlock(&driver.lock);
		load(ctx, self->alias, &count);
		pthread_mutex_lock(&driver.lock);
		self->alias = NULL;
		driver.stats.modules += count.loaded;
		driver.stats.failed += count.failed;
		driver_changed(0);
	}
	pthread_mutex_unlock(&driver.lock);
	module_close(ctx);
	return NULL;
}

// Lock held.
static void remember(const char *name, uint64_t now)
{
	struct driver_seen *s = driver.seen;
	size_t i = 0;

	while (i < driver.n_seen && strcmp(s[i].name, name) != 0)
		i++;
	if (i == DRIVER_SEEN_MAX || strlen(name) >= sizeof(s[i].name))
		return;
	snprintf(s[i].name, sizeof(s[i].name), "%s", name);
	s[i].ns = now;
	if (i == driver.n_seen)
		driver.n_seen++;
}

static void call_back(const char *name)
{
	pthread_mutex_lock(&driver.callback_lock);
	if (driver.callback)
		driver.callback(name, driver.callback_arg);
	pthread_mutex_unlock(&driver.callback_lock);
}

static void block_event(const struct uevent *e)
{
	bool add = strcmp(e->action, "add") == 0, gone = strcmp(e->action, "remove") == 0;

	pthread_mutex_lock(&driver.lock);
	if (add || gone)
		remember(e->name, add ? clock_mono_ns() : 0);
	driver_changed(0);
	pthread_mutex_unlock(&driver.lock);
	if (!gone)
		call_back(e->name);
}

static void other_event(const struct uevent *e)
{
	bool usb_disk = strcmp(e->subsystem, "scsi_host") == 0 &&
			strstr(e->devpath, "/usb") != NULL;

	pthread_mutex_lock(&driver.lock);
	driver_changed(usb_disk ? USB_DELAY : 0);
	pthread_mutex_unlock(&driver.lock);
}

static void serve(void)
{
	char buf[UEVENT_MAX];
	struct uevent e;
	int r;

	while ((r = uevent_receive(driver.socket, buf, &e)) >= 0) {
		if (r == 0)
			continue;
		if (*e.modalias && strcmp(e.action, "add") == 0)
			driver_push(e.modalias);
		if (strcmp(e.subsystem, "block") == 0)
			block_event(&e);
		else
			other_event(&e);
	}
	if (r == -ENOBUFS) { // events were lost: what they said is in sysfs
		driver_walk();
		pthread_mutex_lock(&driver.lock);
		driver_changed(0);
		pthread_mutex_unlock(&driver.lock);
		call_back(NULL); // a disk may be among what was lost
	}
}

void *driver_listen(void *unused _unused_)
{
	struct pollfd fds[2] = {
		{ .fd = driver.socket, .events = POLLIN },
		{ .fd = driver.wake[0], .events = POLLIN },
	};

	for (;;) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return NULL;
		if (fds[1].revents)
			return NULL;
		serve();
	}
}
