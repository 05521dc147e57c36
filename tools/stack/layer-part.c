// SPDX-License-Identifier: GPL-3.0-or-later
// Partition tables through libfdisk: kinds gpt and mbr.
#include <fcntl.h>
#include <libfdisk/libfdisk.h>
#include <linux/blkpg.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>

#include "common/io.h"
#include "common/mem.h"
#include "common/number.h"
#include "stack/kinds.h"
#include "stack/node.h"
#include "stack/part.h"
#include "stack/stack.h"
#include "stack/volume.h"
#include "stack/wipe.h"

static const struct param_spec part_params[] = {
	{ .key = "part",
	  .type = PARAM_UINT,
	  .help = "number of an existing partition (open arms); the only one goes "
		  "without",
	  .min = 1,
	  .max = 128 },
	{ 0 },
};

static const struct part_table *table_of(const struct layer *layer)
{
	return part_table_find(layer->ops->kind);
}

// Which partitions are ours to remove from the kernel again.
struct part_state {
	size_t made; // partitions 1..made exist because of us; 0: they were there
	unsigned carrier;
};

static void cleanup_context(struct fdisk_context **c)
{
	if (*c)
		fdisk_unref_context(*c);
}

static char *part_node(const char *disk, size_t number)
{
	_cleanup_free_ char *path = fdisk_partname(disk, number);

	return mem_strdup(path ? path : "");
}

// fdisk has its own idea of where a partition should start: each is placed exactly.
static int add_partition(struct fdisk_context *cxt, const struct volume *v, size_t number,
			 unsigned sectors_per_unit)
{
	struct fdisk_partition *pa = fdisk_new_partition();
	int r;

	if (!pa)
		return -ENOMEM;
	fdisk_partition_set_start(pa, v->start * sectors_per_unit);
	fdisk_partition_set_size(pa, v->count * sectors_per_unit);
	fdisk_partition_size_explicit(pa, 1);
	fdisk_partition_set_partno(pa, number - 1);
	if (fdisk_is_labeltype(cxt, FDISK_DISKLABEL_GPT))
		fdisk_partition_set_name(pa, v->name);
	r = fdisk_add_partition(cxt, pa, NULL);
	fdisk_unref_partition(pa);
	return r;
}

// The target is asked for again here: this writes.
static int write_table(const struct stack *stack, const struct part_table *table,
		       const char *disk, const struct volume_list *volumes,
		       struct err *err)
{
	_cleanup_(cleanup_context) struct fdisk_context *cxt = fdisk_new_context();
	unsigned sector = node_logical_sector(disk);
	int r = stack_may_write(stack, disk, err);

	if (r < 0)
		return r;
	if (!cxt)
		return err_set(err, -ENOMEM, "no memory for a partition table");
	fdisk_disable_dialogs(cxt, 1);
	r = fdisk_assign_device(cxt, disk, 0);
	if (r == 0)
		r = fdisk_create_disklabel(cxt, table->label);
	for (size_t i = 0; r == 0 && i < volumes->n; i++)
		r = add_partition(cxt, &volumes->items[i], i + 1, PART_UNIT / sector);
	if (r == 0)
		r = fdisk_write_disklabel(cxt);
	if (r == 0)
		r = fdisk_reread_partition_table(cxt);
	if (fdisk_deassign_device(cxt, 0) < 0 && r == 0)
		r = -EIO;
	// libfdisk returns 1 where it would have asked a person
	return r == 0 ? 0
		      : err_set(err, r < 0 ? r : -EINVAL,
				"%s: cannot write its %s partition table: %s", disk,
				table->kind, r < 0 ? strerror(-r) : "not possible there");
}

// The kernel has read the table; the nodes may take their time. Each partition is wiped
// too: old signatures at its start or end must not come back to life.
static int take_partitions(struct stack *stack, struct layer *layer,
			   const struct volume_list *volumes, struct err *err)
{
	for (size_t i = 0; i < volumes->n; i++) {
		_cleanup_free_ char *node = part_node(layer->below, i + 1);
		int r = node_wait(node, volumes->items[i].count * PART_UNIT, err);

		if (r == 0)
			r = stack_step(stack, "wiping a partition", err);
		if (r == 0)
			r = stack_wipe(stack, node, err);
		if (r < 0)
			return r;
		if (&volumes->items[i] == volume_carrier(volumes))
			layer->path = mem_strdup(node);
	}
	return 0;
}

static int part_up(struct stack *stack, struct layer *layer, struct err *err)
{
	_cleanup_volumes_ struct volume_list volumes;
	const struct part_table *table = table_of(layer);
	struct part_state *state = layer->state = mem_new(1, sizeof(*state));
	uint64_t size;
	int r = node_size(layer->below, &size, err);

	volume_list_make(&volumes, layer->spec, part_params, "data");
	if (r == 0)
		r = volume_layout(
			&volumes, PART_UNIT, 1,
			part_end(table, size, node_logical_sector(layer->below)), err);
	if (r == 0) {
		state->made = volumes.n;
		r = write_table(stack, table, layer->below, &volumes, err);
	}
	if (r == 0)
		r = stack_step(stack, "the partitions", err);
	if (r == 0)
		r = take_partitions(stack, layer, &volumes, err);
	return r;
}

// The number of the partition to open: the one that is named, or the only one.
static int choose(struct fdisk_context *cxt, const struct layer *layer, unsigned *number,
		  struct err *err)
{
	_cleanup_strbuf_ struct strbuf list = { 0 };
	size_t used = 0, wanted = param_uint(layer->spec->params, layer->spec->n,
					     part_params, "part");
	unsigned first = 0;

	for (size_t i = 0; i < fdisk_get_npartitions(cxt); i++) {
		if (!fdisk_is_partition_used(cxt, i))
			continue;
		if (!used++)
			first = (unsigned)i + 1;
		strbuf_printf(&list, "%s%zu", list.len ? ", " : "", i + 1);
		if (wanted == i + 1)
			first = (unsigned)wanted;
	}
	if (wanted ? first == wanted : used == 1) {
		*number = first;
		return 0;
	}
	return err_set(err, wanted ? -ENOENT : -ENOTUNIQ,
		       "%s has partitions %s: name one of them with part=N", layer->below,
		       list.len ? strbuf_str(&list) : "(none)");
}

// The kernel has read the table when the disk came; unless we took the partitions out.
static int find_partitions(struct layer *layer, size_t last, struct err *err)
{
	struct part_state *state = layer->state;
	_cleanup_close_ int fd = -1;

	layer->path = part_node(layer->below, state->carrier);
	if (io_exists(layer->path))
		return 0;
	fd = open(layer->below, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || ioctl(fd, BLKRRPART) < 0)
		return err_set(err, -errno,
			       "the kernel cannot read the partitions of %s: %s",
			       layer->below, strerror(errno));
	state->made = last;
	return node_wait(layer->path, 0, err);
}

static int part_open(struct stack *stack _unused_, struct layer *layer, struct err *err)
{
	_cleanup_(cleanup_context) struct fdisk_context *cxt = fdisk_new_context();
	const struct part_table *table = table_of(layer);
	struct part_state *state = layer->state = mem_new(1, sizeof(*state));
	struct fdisk_label *label;
	int r;

	if (!cxt)
		return err_set(err, -ENOMEM, "no memory for a partition table");
	r = fdisk_assign_device(cxt, layer->below, 1);
	if (r < 0)
		return err_set(err, r, "%s: cannot read its partition table: %s",
			       layer->below, strerror(-r));
	label = fdisk_get_label(cxt, NULL);
	if (!label || strcmp(fdisk_label_get_name(label), table->label) != 0)
		return err_set(err, -EINVAL, "%s has no %s partition table (found: %s)",
			       layer->below, table->kind,
			       label ? fdisk_label_get_name(label) : "none");
	r = choose(cxt, layer, &state->carrier, err);
	if (r < 0)
		return r;
	return find_partitions(layer, fdisk_get_npartitions(cxt), err);
}

// Takes a partition out of the kernel; the table on the disk stays until it is wiped.
static int forget(int fd, const char *disk, size_t number, struct err *err)
{
	_cleanup_free_ char *node = part_node(disk, number);
	struct blkpg_partition part = { .pno = (int)number };
	struct blkpg_ioctl_arg arg = { .op = BLKPG_DEL_PARTITION,
				       .datalen = sizeof(part),
				       .data = &part };

	if (ioctl(fd, BLKPG, &arg) < 0 && errno != ENXIO)
		return err_set(err, -errno,
			       "cannot take partition %s out of the kernel: %s", node,
			       strerror(errno));
	return node_wait_gone(node, err);
}

static int part_down(struct stack *stack _unused_, struct layer *layer, struct err *err)
{
	struct part_state *state = layer->state;
	_cleanup_close_ int fd = -1;
	int r = 0;

	if (state && state->made) {
		fd = open(layer->below, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return err_set(err, -errno, "cannot open %s: %s", layer->below,
				       strerror(errno));
	}
	while (r == 0 && state && state->made) {
		r = forget(fd, layer->below, state->made, err);
		if (r == 0)
			state->made--;
	}
	if (r < 0)
		return r;
	free(TAKE_PTR(layer->state));
	return 0;
}

static void part_describe(const struct layer *layer, struct json_object *to)
{
	_cleanup_free_ char *name = node_kernel_name(layer->path);
	int64_t start = io_read_number(-1, "/sys/class/block/%s/start", name ? name : "");

	json_set_str(to, "table", table_of(layer)->label);
	json_set_int(
		to, "partition",
		io_read_number(0, "/sys/class/block/%s/partition", name ? name : ""));
	if (start >= 0) // in 512-byte units, whatever the disk's sector is
		json_set_int(to, "start", start * 512);
}

static void check_with(const struct plan_layer *spec, const char *file, int line,
		       struct fault_list *faults)
{
	const struct part_table *table = part_table_find(spec->kind);

	volume_check(spec, part_params, table->max, file, line, faults);
}

const struct layer_ops layer_gpt = {
	.kind = "gpt",
	.help = "GUID partition table, partitions aligned to 1 MiB",
	.place = LAYER_MAKES_BLOCK,
	.params = part_params,
	.volumes = true,
	.carrier_key = "part",
	.carrier_by_number = true,
	.on_disk = true,
	.check = check_with,
	.up = part_up,
	.open = part_open,
	.down = part_down,
	.describe = part_describe,
};

const struct layer_ops layer_mbr = {
	.kind = "mbr",
	.help = "MBR (DOS) partition table, up to four primary partitions",
	.place = LAYER_MAKES_BLOCK,
	.params = part_params,
	.volumes = true,
	.carrier_key = "part",
	.carrier_by_number = true,
	.on_disk = true,
	.check = check_with,
	.up = part_up,
	.open = part_open,
	.down = part_down,
	.describe = part_describe,
};
