// SPDX-License-Identifier: GPL-3.0-or-later
// Facts and switches of one block device node, and waiting for nodes.
#include <fcntl.h>
#include <libudev.h>
#include <linux/fs.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "common/clock.h"
#include "common/io.h"
#include "common/mem.h"
#include "stack/node.h"

// An event may be lost (a full socket) or come before we listen: look again this often.
#define LOOK_AGAIN_MS 100

// The kernel's own block uevents; no udev daemon is needed. Both NULL when there is no
// socket to be had: then the wait polls.
struct events {
	struct udev *udev;
	struct udev_monitor *monitor;
};

static void events_init(struct events *e)
{
	e->monitor = NULL;
	e->udev = udev_new();
	if (e->udev)
		e->monitor = udev_monitor_new_from_netlink(e->udev, "kernel");
	if (!e->monitor)
		return;
	udev_monitor_filter_add_match_subsystem_devtype(e->monitor, "block", NULL);
	udev_monitor_enable_receiving(e->monitor);
}

static void events_done(struct events *e)
{
	if (e->monitor)
		udev_monitor_unref(e->monitor);
	if (e->udev)
		udev_unref(e->udev);
}

static void events_wait(struct events *e)
{
	struct pollfd p = { .fd = e->monitor ? udev_monitor_get_fd(e->monitor) : -1,
			    .events = POLLIN };
	struct udev_device *d;

	if (poll(&p, 1, LOOK_AGAIN_MS) <= 0 || !e->monitor)
		return;
	while ((d = udev_monitor_receive_device(e->monitor)))
		udev_device_unref(d);
}

static bool is_there(const char *path, uint64_t size)
{
	struct stat st;
	uint64_t have = 0;

	if (stat(path, &st) < 0 || !S_ISBLK(st.st_mode))
		return false;
	return node_size(path, &have, NULL) == 0 && (size == 0 || have == size);
}

static int wait_for(const char *path, uint64_t size, bool there)
{
	uint64_t deadline = clock_mono_ns() + NODE_PATIENCE;
	struct events e;
	int r = -ETIMEDOUT;

	events_init(&e);
	for (;;) {
		if (there ? is_there(path, size) : !io_exists(path)) {
			r = 0;
			break;
		}
		if (clock_mono_ns() >= deadline)
			break;
		events_wait(&e);
	}
	events_done(&e);
	return r;
}

int node_wait(const char *path, uint64_t size, struct err *err)
{
	int r = is_there(path, size) ? 0 : wait_for(path, size, true);
	uint64_t have = 0;

	if (r == 0)
		return 0;
	if (node_size(path, &have, NULL) == 0)
		return err_set(err, r,
			       "%s has %llu bytes, not the %llu that were asked for",
			       path, (unsigned long long)have, (unsigned long long)size);
	return err_set(err, r, "%s did not appear within 10 s", path);
}

int node_wait_gone(const char *path, struct err *err)
{
	int r = io_exists(path) ? wait_for(path, 0, false) : 0;

	return r == 0 ? 0 : err_set(err, r, "%s did not vanish within 10 s", path);
}

char *node_kernel_name(const char *path)
{
	_cleanup_free_ char *link = NULL, *real = NULL;
	const char *slash;
	struct stat st;

	if (stat(path, &st) < 0 || !S_ISBLK(st.st_mode))
		return NULL;
	link = mem_printf("/sys/dev/block/%u:%u", major(st.st_rdev), minor(st.st_rdev));
	real = realpath(link, NULL);
	slash = real ? strrchr(real, '/') : NULL;
	return slash ? mem_strdup(slash + 1) : NULL;
}

int node_size(const char *path, uint64_t *ret, struct err *err)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || ioctl(fd, BLKGETSIZE64, ret) < 0)
		return err_set(err, -errno, "%s: cannot read its size: %s", path,
			       strerror(errno));
	return 0;
}

unsigned node_logical_sector(const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	int size;

	return fd >= 0 && ioctl(fd, BLKSSZGET, &size) == 0 && size > 0 ? (unsigned)size
								       : 512;
}

int node_set_readonly(const char *path, bool readonly)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	int value = readonly;

	return fd < 0 || ioctl(fd, BLKROSET, &value) < 0 ? -errno : 0;
}

bool node_is_readonly(const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	int value = 0;

	return fd >= 0 && ioctl(fd, BLKROGET, &value) == 0 && value;
}

// "none [mq-deadline] kyber" -> "mq-deadline"; text without brackets as it is.
static char *chosen(const char *text)
{
	const char *from = strchr(text, '['), *to = from ? strchr(from, ']') : NULL;

	return to ? mem_strndup(from + 1, (size_t)(to - from - 1)) : mem_strdup(text);
}

static struct json_object *queue_json(const char *disk)
{
	static const char *const numbers[] = {
		"read_ahead_kb",       "rotational",        "logical_block_size",
		"physical_block_size", "max_sectors_kb",    "nr_requests",
		"wbt_lat_usec",        "discard_max_bytes", "minimum_io_size",
		"optimal_io_size"
	};
	static const char *const words[] = { "scheduler", "write_cache" };
	struct json_object *o = json_new();

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		_cleanup_free_ char *line =
			io_read_line("/sys/class/block/%s/queue/%s", disk, words[i]);
		_cleanup_free_ char *word = line ? chosen(line) : NULL;

		json_set_str(o, words[i], word);
	}
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		int64_t v = io_read_number(INT64_MIN, "/sys/class/block/%s/queue/%s",
					   disk, numbers[i]);

		if (v != INT64_MIN)
			json_set_int(o, numbers[i], v);
	}
	return o;
}

void node_describe(const char *path, struct json_object *to)
{
	_cleanup_free_ char *name = node_kernel_name(path), *mark = NULL, *link = NULL,
			    *real = NULL;
	uint64_t size = 0;

	json_set_str(to, "kernel_name", name);
	if (node_size(path, &size, NULL) == 0)
		json_set_uint(to, "size", size);
	if (!name)
		return;
	mark = mem_printf("/sys/class/block/%s/partition", name);
	if (!io_exists(mark)) {
		json_set(to, "queue", queue_json(name));
		return;
	}
	// A partition shares the queue of its disk, the folder around it.
	link = mem_printf("/sys/class/block/%s/..", name);
	real = realpath(link, NULL);
	if (real && strrchr(real, '/'))
		json_set(to, "queue", queue_json(strrchr(real, '/') + 1));
}
