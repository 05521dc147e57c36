// SPDX-License-Identifier: GPL-3.0-or-later
// md arrays as sysfs shows them.
#include <dirent.h>
#include <fcntl.h>
#include <linux/major.h> // MD_MAJOR, which md_u.h needs
#include <linux/raid/md_u.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

#include "common/clock.h"
#include "common/crc32.h"
#include "common/io.h"
#include "common/mem.h"
#include "stack/md.h"
#include "stack/node.h"

#define PREFIX     "md_"
#define NAME_BYTES 31 // the kernel's DISK_NAME_LEN without the NUL
#define MD_DIR     "/dev/md"
#define RETRY_NS   50000000L

// A change of sync_action wakes us at once; this is for a kernel that forgot to.
#define LOOK_AGAIN_MS 1000

char *md_kernel_name(const char *layer_name)
{
	size_t len = strlen(layer_name), room = NAME_BYTES - strlen(PREFIX);

	if (len <= room)
		return mem_printf(PREFIX "%s", layer_name);
	return mem_printf(PREFIX "%.*s.%08x", (int)(room - 9), layer_name,
			  (unsigned)crc32_add(0, layer_name, len));
}

void md_layout_text(uint64_t layout, struct strbuf *to)
{
	unsigned near = layout & 0xff, far = (layout >> 8) & 0xff;

	if (far > 1)
		strbuf_printf(to, "%c%u", layout & 0x10000 ? 'o' : 'f', far);
	else if (near > 1)
		strbuf_printf(to, "n%u", near);
}

// Is it idle? Reads from the start: sysfs gives the value anew then.
static bool is_idle(int fd)
{
	char text[32];
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

	if (n < 0)
		return true; // the array has just gone
	text[n] = '\0';
	return strncmp(text, "idle", 4) == 0 || strncmp(text, "frozen", 6) == 0;
}

int md_wait_idle(const char *sysfs, uint64_t timeout_ns, struct err *err)
{
	_cleanup_free_ char *path = mem_printf("%s/sync_action", sysfs);
	_cleanup_free_ char *action = NULL, *done = NULL;
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint64_t deadline = clock_mono_ns() + timeout_ns;

	if (fd < 0)
		return errno == ENOENT ? 0
				       : err_set(err, -errno, "cannot read %s: %s", path,
						 strerror(errno));
	while (!is_idle(fd)) {
		struct pollfd p = { .fd = fd, .events = POLLPRI };
		int left = clock_poll_ms(deadline);

		if (clock_mono_ns() >= deadline)
			break;
		poll(&p, 1, left < LOOK_AGAIN_MS ? left : LOOK_AGAIN_MS);
	}
	if (is_idle(fd))
		return 0;
	action = io_read_line("%s/sync_action", sysfs);
	done = io_read_line("%s/sync_completed", sysfs);
	return err_set(
		err, -ETIMEDOUT,
		"the array did not come to rest within %llu s: it does %s, sectors "
		"done %s",
		(unsigned long long)(timeout_ns / CLOCK_SECOND), action ?: "?",
		done ?: "?");
}

uint64_t md_sync_timeout_ns(uint64_t size)
{
	return (600 + size / 5000000) * CLOCK_SECOND;
}

static void add_line(const char *sysfs, const char *file, struct json_object *to)
{
	_cleanup_free_ char *line = io_read_line("%s/%s", sysfs, file);

	if (line)
		json_set_str(to, file, line);
}

static void add_number(const char *sysfs, const char *file, const char *key,
		       uint64_t unit, struct json_object *to)
{
	int64_t v = io_read_number(-1, "%s/%s", sysfs, file);

	if (v >= 0)
		json_set_uint(to, key, (uint64_t)v * unit);
}

static void cleanup_dir(DIR **d)
{
	if (*d)
		closedir(*d);
}

// Where the data begin on each member: they decide how stripes meet the disk's own units.
static void add_members(const char *sysfs, struct json_object *to)
{
	_cleanup_(cleanup_dir) DIR *dir = opendir(sysfs);
	struct json_object *members = json_new_array();
	struct dirent *e;

	json_set(to, "members", members);
	while (dir && (e = readdir(dir))) {
		_cleanup_free_ char *member = NULL;
		struct json_object *o;

		if (strncmp(e->d_name, "dev-", 4) != 0)
			continue;
		member = mem_printf("%s/%s", sysfs, e->d_name);
		o = json_new();
		json_set_str(o, "device", e->d_name + 4);
		add_line(member, "slot", o);
		add_line(member, "state", o);
		add_number(member, "offset", "data_offset", 512, o);
		add_number(member, "size", "size", 1024, o);
		json_append(members, o);
	}
}

void md_describe_state(const char *sysfs, struct json_object *to)
{
	add_line(sysfs, "sync_action", to);
	add_line(sysfs, "array_state", to);
	add_number(sysfs, "degraded", "degraded", 1, to);
}

void md_describe(const char *sysfs, struct json_object *to)
{
	_cleanup_strbuf_ struct strbuf layout = { 0 };
	_cleanup_free_ char *level = io_read_line("%s/level", sysfs);

	json_set_str(to, "level", level);
	if (level && strcmp(level, "raid10") == 0) {
		md_layout_text((uint64_t)io_read_number(0, "%s/layout", sysfs), &layout);
		json_set_str(to, "layout", strbuf_str(&layout));
	}
	add_number(sysfs, "raid_disks", "raid_disks", 1, to);
	add_number(sysfs, "chunk_size", "chunk", 1, to);
	add_line(sysfs, "metadata_version", to);
	add_line(sysfs, "consistency_policy", to);
	md_describe_state(sysfs, to);
	add_members(sysfs, to);
}

// mdadm leaves a link by the array's own name.
static void remove_links(const char *kernel_name)
{
	_cleanup_free_ char *link =
		mem_printf(MD_DIR "/%s", kernel_name + strlen(PREFIX));

	if (strncmp(kernel_name, PREFIX, strlen(PREFIX)) == 0)
		unlink(link);
}

static int stop_once(const char *node)
{
	_cleanup_close_ int fd = open(node, O_RDONLY | O_CLOEXEC);

	return fd < 0 || ioctl(fd, STOP_ARRAY, NULL) < 0 ? -errno : 0;
}

int md_stop(const char *kernel_name, struct err *err)
{
	static const struct timespec pause = { .tv_nsec = RETRY_NS };
	uint64_t deadline = clock_mono_ns() + NODE_PATIENCE;
	_cleanup_free_ char *node = mem_printf("/dev/%s", kernel_name);
	int r;

	while ((r = stop_once(node)) == -EBUSY && clock_mono_ns() < deadline)
		nanosleep(&pause, NULL);
	if (r < 0 && r != -ENOENT && r != -ENXIO && r != -ENODEV)
		return err_set(err, r, "cannot stop the array %s: %s", node,
			       r == -EBUSY ? "something still uses it" : strerror(-r));
	remove_links(kernel_name);
	// Only named arrays lose their node with their last user; "md127" keeps it.
	return strncmp(kernel_name, PREFIX, strlen(PREFIX)) == 0
		       ? node_wait_gone(node, err)
		       : 0;
}
