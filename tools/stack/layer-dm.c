// SPDX-License-Identifier: GPL-3.0-or-later
// Device-mapper targets that encrypt nothing, for controls and calibration: kinds linear,
// delay and zero.
#include <string.h>

#include "common/mem.h"
#include "stack/devmap.h"
#include "stack/kinds.h"
#include "stack/node.h"
#include "stack/stack.h"

#define SECTOR 512

static const struct param_spec linear_params[] = {
	{ .key = "offset",
	  .type = PARAM_SIZE,
	  .fallback = "0",
	  .help = "where it begins on what is below, such as 16M to match LUKS2" },
	{ .key = "size", .type = PARAM_SIZE, .help = "default: to the end" },
	{ 0 },
};

static const struct param_spec delay_params[] = {
	{ .key = "read-ms",
	  .type = PARAM_UINT,
	  .fallback = "0",
	  .help = "added to each read, milliseconds",
	  .max = 60000 },
	{ .key = "write-ms",
	  .type = PARAM_UINT,
	  .fallback = "0",
	  .help = "added to each write and flush",
	  .max = 60000 },
	{ 0 },
};

static const struct param_spec zero_params[] = {
	{ .key = "size", .type = PARAM_SIZE, .help = "default: as what is below" },
	{ 0 },
};

static uint64_t size_of(const struct layer *l, const char *key)
{
	return param_size(l->spec->params, l->spec->n, l->ops->params, key);
}

static uint64_t number_of(const struct layer *l, const char *key)
{
	return param_uint(l->spec->params, l->spec->n, l->ops->params, key);
}

// The part of the device below that is shown, in whole logical sectors.
static int part_of(const struct layer *l, uint64_t offset, uint64_t want, uint64_t *bytes,
		   struct err *err)
{
	unsigned sector = node_logical_sector(l->below);
	uint64_t size;
	int r = node_size(l->below, &size, err);

	if (r < 0)
		return r;
	if (offset % sector || want % sector)
		return err_set(err, -EINVAL,
			       "offset and size must be multiples of its sectors of %u "
			       "bytes",
			       sector);
	if (offset >= size || want > size - offset)
		return err_set(err, -ENOSPC,
			       "offset %llu and size %llu lie beyond its %llu bytes",
			       (unsigned long long)offset, (unsigned long long)want,
			       (unsigned long long)size);
	*bytes = want ? want : (size - offset) / sector * sector;
	return 0;
}

static int activate(const struct stack *stack, struct layer *l, uint64_t bytes,
		    const char *target, const char *args, struct err *err)
{
	bool read_only = stack->arm->open && !stack->arm->scratch;
	int r = devmap_create(l->name, bytes / SECTOR, target, args, read_only, err);

	if (r < 0)
		return r;
	l->path = mem_printf("/dev/mapper/%s", l->name);
	return node_wait(l->path, bytes, err);
}

static int linear_up(struct stack *stack, struct layer *l, struct err *err)
{
	uint64_t offset = size_of(l, "offset"), bytes = 0;
	_cleanup_free_ char *args =
		mem_printf("%s %llu", l->below, (unsigned long long)(offset / SECTOR));
	int r = part_of(l, offset, size_of(l, "size"), &bytes, err);

	return r < 0 ? r : activate(stack, l, bytes, "linear", args, err);
}

static int delay_up(struct stack *stack, struct layer *l, struct err *err)
{
	_cleanup_free_ char *args =
		mem_printf("%s 0 %llu %s 0 %llu", l->below,
			   (unsigned long long)number_of(l, "read-ms"), l->below,
			   (unsigned long long)number_of(l, "write-ms"));
	uint64_t bytes = 0;
	int r = part_of(l, 0, 0, &bytes, err);

	return r < 0 ? r : activate(stack, l, bytes, "delay", args, err);
}

static int zero_up(struct stack *stack, struct layer *l, struct err *err)
{
	uint64_t bytes = size_of(l, "size");
	int r = bytes ? 0 : part_of(l, 0, 0, &bytes, err);

	if (r == 0)
		r = activate(stack, l, bytes / 4096 * 4096, "zero", "", err);
	return r < 0 ? r : guard_adopt(l->path, &l->adopted, err);
}

static int dm_down(struct stack *stack _unused_, struct layer *l, struct err *err)
{
	return devmap_remove(l->name, err);
}

static void dm_describe(const struct layer *l, struct json_object *to)
{
	devmap_describe(l->name, to);
}

#define DM_OPS(word)                                                        \
	.kind = #word, .place = LAYER_MAKES_BLOCK, .params = word##_params, \
	.up = word##_up, .down = dm_down, .describe = dm_describe

const struct layer_ops layer_linear = {
	DM_OPS(linear),
	.help = "dm-linear: the same sectors as another arm's volume, for a control",
	.open = linear_up,
};

const struct layer_ops layer_delay = {
	DM_OPS(delay),
	.help = "dm-delay: a device of known latency, for calibration",
	.open = delay_up,
};

const struct layer_ops layer_zero = {
	DM_OPS(zero),
	.help = "dm-zero: reads zeros, forgets writes; the disk is not touched",
	.on_disk = true,
	.apart = true,
	.forgets = true,
};
