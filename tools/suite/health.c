// SPDX-License-Identifier: GPL-3.0-or-later
// What a disk says of its own health.
#include <errno.h>
#include <fcntl.h>
#include <linux/hdreg.h>
#include <linux/nvme_ioctl.h>
#include <string.h>
#include <sys/ioctl.h>

#include "common/bounded.h"
#include "common/clock.h"
#include "common/io.h"
#include "common/mem.h"
#include "suite/gate.h"
#include "suite/health.h"

#define PATIENCE            (10 * CLOCK_SECOND)
#define ATA_SMART           0xb0
#define ATA_SMART_READ_DATA 0xd0
#define ATA_ATTRIBUTES      30
#define NVME_GET_LOG        0x02
#define NVME_HEALTH         0x02
#define NVME_ALL            0xffffffffu
#define NVME_UNIT           512000 // bytes: thousands of 512-byte units
#define KELVIN              273

static uint64_t little(const unsigned char *p, size_t n)
{
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | p[n];
	return v;
}

// An attribute is 12 bytes: id, flags (2), value, worst, raw (6), reserved. Of a
// temperature only the lowest raw byte is one; others of the raw bytes are makers' own.
int health_parse_ata(const unsigned char data[512], struct json_object *to)
{
	static const struct {
		unsigned id;
		size_t bytes;
		const char *name;
	} rows[] = {
		{ 5, 6, "reallocated" },
		{ 9, 4, "hours" },
		{ 187, 4, "uncorrectable" },
		{ 190, 1, "celsius" },
		{ 194, 1, "celsius" },
		{ 197, 6, "pending" },
		{ 198, 6, "offline_uncorrectable" },
		{ 199, 6, "crc_errors" },
		{ 241, 6, "written_lbas" },
	};
	unsigned char sum = 0;

	for (size_t i = 0; i < 512; i++)
		sum = (unsigned char)(sum + data[i]);
	if (sum != 0)
		return -EBADMSG;
	for (size_t i = 0; i < ATA_ATTRIBUTES; i++) {
		const unsigned char *a = data + 2 + 12 * i;

		for (size_t k = 0; k < ARRAY_SIZE(rows); k++)
			if (a[0] == rows[k].id)
				json_set_uint(to, rows[k].name,
					      little(a + 5, rows[k].bytes));
	}
	return 0;
}

// Counters have 16 bytes; nothing that a disk lives through needs more than eight.
void health_parse_nvme(const unsigned char data[512], struct json_object *to)
{
	uint64_t kelvin = little(data + 1, 2);

	json_set_uint(to, "warnings", data[0]);
	if (kelvin > KELVIN)
		json_set_int(to, "celsius", (int64_t)kelvin - KELVIN);
	json_set_uint(to, "spare_percent", data[3]);
	json_set_uint(to, "used_percent", data[5]);
	json_set_double(to, "written_bytes", (double)little(data + 48, 8) * NVME_UNIT);
	json_set_uint(to, "hours", little(data + 128, 8));
	json_set_uint(to, "unsafe_shutdowns", little(data + 144, 8));
	json_set_uint(to, "media_errors", little(data + 160, 8));
	json_set_uint(to, "error_log", little(data + 176, 8));
	json_set_uint(to, "hot_minutes", little(data + 192, 4) + little(data + 196, 4));
}

static bool ask_ata(int fd, struct json_object *to)
{
	// command, LBA low, feature, sectors; the answer follows
	unsigned char args[4 + 512] = { ATA_SMART, 0, ATA_SMART_READ_DATA, 1 };

	return ioctl(fd, HDIO_DRIVE_CMD, args) == 0 &&
	       health_parse_ata(args + 4, to) == 0;
}

static bool ask_nvme(int fd, struct json_object *to)
{
	unsigned char data[512] = { 0 };
	struct nvme_admin_cmd cmd = {
		.opcode = NVME_GET_LOG,
		.nsid = NVME_ALL,
		.addr = (uintptr_t)data,
		.data_len = sizeof(data),
		.cdw10 = NVME_HEALTH | (sizeof(data) / 4 - 1) << 16,
	};

	if (ioctl(fd, NVME_IOCTL_ADMIN_CMD, &cmd) != 0)
		return false;
	health_parse_nvme(data, to);
	return true;
}

static int ask(void *arg, int out)
{
	_cleanup_close_ int fd = open(arg, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	_cleanup_json_ struct json_object *o = json_new();
	const char *line;

	if (fd < 0 || (!ask_nvme(fd, o) && !ask_ata(fd, o)))
		return -ENOTSUP;
	line = json_line(o);
	return io_write_all(out, line, strlen(line));
}

struct json_object *health_json(struct target *const *targets, size_t n)
{
	struct json_object *all = json_new();

	for (size_t i = 0; i < n; i++) {
		const char *path = target_path(targets[i]);
		_cleanup_strbuf_ struct strbuf text = { 0 };
		struct json_object *o;

		if (bounded_run(ask, (void *)(uintptr_t)path, PATIENCE, &text) < 0)
			continue;
		o = json_parse_text(strbuf_str(&text), text.len, NULL);
		if (o)
			json_set(all, strrchr(path, '/') ? strrchr(path, '/') + 1 : path,
				 o);
	}
	return all;
}

static void compare_one(struct run *run, const char *disk, const struct json_object *was,
			const struct json_object *is)
{
	static const struct {
		const char *name, *words;
	} damage[] = {
		{ "reallocated", "sectors were reallocated" },
		{ "pending", "sectors wait to be reallocated" },
		{ "uncorrectable", "errors could not be corrected" },
		{ "offline_uncorrectable", "sectors cannot be read" },
		{ "crc_errors", "transfers failed on the cable" },
		{ "media_errors", "errors on the medium" },
	};
	int64_t hot =
		json_get_int(is, "hot_minutes", 0) - json_get_int(was, "hot_minutes", 0);

	for (size_t i = 0; i < ARRAY_SIZE(damage); i++) {
		int64_t more = json_get_int(is, damage[i].name, 0) -
			       json_get_int(was, damage[i].name, 0);

		if (more > 0)
			gate_trip(run, "media", "%s counted during the run: %lld more %s",
				  disk, (long long)more, damage[i].words);
	}
	if (hot > 0)
		gate_flag(run, "hot", "%s was above its temperature limit", disk);
}

void health_compare(struct run *run, const struct json_object *before,
		    const struct json_object *after)
{
	struct json_object *o;

	if (!before || !after ||
	    json_object_object_length((struct json_object *)(uintptr_t)after) == 0)
		return;
	o = json_new();
	json_set(o, "before", json_object_get((struct json_object *)(uintptr_t)before));
	json_set(o, "after", json_object_get((struct json_object *)(uintptr_t)after));
	json_set(run->detail, "smart", o);
	json_object_object_foreach ((struct json_object *)(uintptr_t)after, disk, is) {
		struct json_object *was = json_get(before, disk);

		if (was)
			compare_one(run, disk, was, is);
	}
}
