// SPDX-License-Identifier: GPL-3.0-or-later
// Device-mapper devices without udev.
#include <errno.h>
#include <libdevmapper.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/clock.h"
#include "common/io.h"
#include "common/mem.h"
#include "device/driver.h"
#include "stack/devmap.h"
#include "stack/lvm.h"
#include "stack/node.h"

#define RETRY_NS 50000000L // between two tries to remove a busy mapping

// libdevmapper's own words of the last failure; it gives no other reason than errno.
static char last_words[200];

_printf_(5, 6) static void keep_words(int level, const char *file _unused_,
				      int line _unused_, int code _unused_,
				      const char *fmt, ...)
{
	va_list ap;

	if ((level & 7) > 4) // _LOG_WARN: the rest is chatter
		return;
	va_start(ap, fmt);
	vsnprintf(last_words, sizeof(last_words), fmt, ap);
	va_end(ap);
}

int devmap_init(struct err *err)
{
	setenv("DM_DISABLE_UDEV", "1", 1);
	dm_udev_set_sync_support(0);
	dm_log_with_errno_init(keep_words);
	if (io_exists("/dev/mapper/control"))
		return 0;
	return driver_load("dm_mod", err);
}

char *devmap_name(const char *kernel_name)
{
	return io_read_line("/sys/class/block/%s/dm/name", kernel_name);
}

void devmap_strip_key(const char *target, const char *args, struct strbuf *to)
{
	const char *key = strchr(args, ' '), *rest = key ? strchr(key + 1, ' ') : NULL;

	if (strcmp(target, "crypt") != 0) {
		strbuf_puts(to, args);
		return;
	}
	// "aes-xts-plain64 KEY 0 8:1 32768 1 no_read_workqueue"; damaged: nothing at all
	if (!rest)
		return;
	strbuf_add(to, args, (size_t)(key - args));
	strbuf_puts(to, " -");
	strbuf_puts(to, rest);
}

// Calls `each` for every target of the live table.
static int walk_table(const char *name,
		      void (*each)(void *arg, uint64_t start, uint64_t length,
				   const char *type, const char *args),
		      void *arg)
{
	struct dm_task *t = dm_task_create(DM_DEVICE_TABLE);
	char *type, *args;
	void *next = NULL;
	uint64_t start, length;
	int r = 0;

	if (!t)
		return -ENOMEM;
	if (!dm_task_set_name(t, name) || !dm_task_secure_data(t) || !dm_task_run(t)) {
		r = dm_task_get_errno(t) ? -dm_task_get_errno(t) : -EIO;
		dm_task_destroy(t);
		return r;
	}
	do {
		next = dm_get_next_target(t, next, &start, &length, &type, &args);
		if (type)
			each(arg, start, length, type, args);
	} while (next);
	dm_task_destroy(t);
	return r;
}

static void add_line(void *arg, uint64_t start, uint64_t length, const char *type,
		     const char *args)
{
	struct strbuf *to = arg;

	strbuf_printf(to, "%llu %llu %s ", (unsigned long long)start,
		      (unsigned long long)length, type);
	devmap_strip_key(type, args, to);
	strbuf_puts(to, "\n");
}

int devmap_table(const char *name, struct strbuf *to, struct err *err)
{
	int r = walk_table(name, add_line, to);

	return r == 0 ? 0
		      : err_set(err, r, "cannot read the table of mapping %s: %s", name,
				strerror(-r));
}

static void add_json(void *arg, uint64_t start, uint64_t length, const char *type,
		     const char *args)
{
	_cleanup_strbuf_ struct strbuf shown = { 0 };
	struct json_object *o = json_new();

	devmap_strip_key(type, args, &shown);
	json_set_uint(o, "start", start);
	json_set_uint(o, "sectors", length);
	json_set_str(o, "target", type);
	json_set_str(o, "args", strbuf_str(&shown));
	json_append(arg, o);
}

void devmap_describe(const char *name, struct json_object *to)
{
	struct json_object *table = json_new_array();

	walk_table(name, add_json, table);
	json_set(to, "table", table);
}

int devmap_create(const char *name, uint64_t sectors, const char *target,
		  const char *args, bool read_only, struct err *err)
{
	struct dm_task *t = dm_task_create(DM_DEVICE_CREATE);
	_cleanup_free_ char *module = mem_printf("dm-%s", target);
	int r = 0;

	if (!t)
		return err_set(err, -ENOMEM, "no memory for mapping %s", name);
	last_words[0] = '\0';
	dm_log_with_errno_init(keep_words); // libcryptsetup takes it away
	driver_load(module, NULL); // built in, or the kernel says what is missing
	if (!dm_task_set_name(t, name) || (read_only && !dm_task_set_ro(t)) ||
	    !dm_task_add_target(t, 0, sectors, target, args))
		r = -EINVAL;
	else if (!dm_task_run(t))
		r = dm_task_get_errno(t) ? -dm_task_get_errno(t) : -EIO;
	dm_task_destroy(t);
	dm_task_update_nodes(); // without udev, libdm makes the node, when told so
	return r == 0 ? 0
		      : err_set(err, r, "cannot make mapping %s (%s %s): %s (%s)", name,
				target, args, strerror(-r), last_words);
}

// One try. Returns 0, -ENXIO when there is no such mapping, or another -errno.
static int remove_once(const char *name)
{
	struct dm_task *t = dm_task_create(DM_DEVICE_REMOVE);
	int r = 0;

	if (!t)
		return -ENOMEM;
	if (!dm_task_set_name(t, name))
		r = -EINVAL;
	else if (!dm_task_run(t))
		r = dm_task_get_errno(t) ? -dm_task_get_errno(t) : -EIO;
	dm_task_destroy(t);
	return r;
}

int devmap_remove(const char *name, struct err *err)
{
	static const struct timespec pause = { .tv_nsec = RETRY_NS };
	uint64_t deadline = clock_mono_ns() + NODE_PATIENCE;
	_cleanup_free_ char *path = mem_printf("/dev/mapper/%s", name);
	int r;

	last_words[0] = '\0';
	dm_log_with_errno_init(keep_words); // libcryptsetup takes it away
	while ((r = remove_once(name)) == -EBUSY && clock_mono_ns() < deadline)
		nanosleep(&pause, NULL);
	if (r < 0 && r != -ENXIO)
		return err_set(err, r, "cannot remove mapping %s: %s (%s)", name,
			       strerror(-r), last_words);
	lvm_remove_links(name);
	dm_task_update_nodes(); // without udev, libdm removes the node, when told so
	return node_wait_gone(path, err);
}
