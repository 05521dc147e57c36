// SPDX-License-Identifier: GPL-3.0-or-later
// The machine record: the queue of every block device.
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "result/machine-private.h"

static void add_queue(const char *dir, const char *name, void *arg)
{
	static const char *const numbers[] = {
		"nr_requests",
		"read_ahead_kb",
		"wbt_lat_usec",
		"rq_affinity",
		"nomerges",
		"max_sectors_kb",
		"max_hw_sectors_kb",
		"fua",
		"discard_granularity",
		"discard_max_bytes",
		"rotational",
		"logical_block_size",
		"physical_block_size",
		"minimum_io_size",
		"optimal_io_size",
		"add_random",
		"io_poll",
		"iostats",
	};
	static const char *const words[] = { "scheduler", "write_cache", "zoned" };
	struct json_object *o = json_new();

	if (io_read_number(0, "%s/%s/size", dir, name) <= 0) {
		json_object_put(o); // a loop device or a reader with nothing in it
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		_cleanup_free_ char *path = mem_printf("%s/queue/%s", name, words[i]);

		machine_set_chosen(o, words[i], dir, path);
	}
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		_cleanup_free_ char *path = mem_printf("%s/queue/%s", name, numbers[i]);

		machine_set_number(o, numbers[i], dir, path);
	}
	json_set(arg, name, o);
}

struct json_object *machine_block(const char *root)
{
	struct json_object *o = json_new();

	json_set_str(o, "from", "/sys/block/NAME/queue");
	machine_each(root, "sys/block", "", add_queue, o);
	return o;
}
