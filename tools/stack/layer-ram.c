// SPDX-License-Identifier: GPL-3.0-or-later
// Block devices without a disk, for calibration: kinds null_blk and brd.
#include <libkmod.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "common/io.h"
#include "common/mem.h"
#include "common/number.h"
#include "stack/kdf.h"
#include "stack/kinds.h"
#include "stack/node.h"
#include "stack/stack.h"

#define CONFIGFS "/sys/kernel/config"
#define NULLB    CONFIGFS "/nullb/"

// Since Linux 6.0 also the kernel's name of the device; before, it counts.
#define NULLB_NAME "nullb_assay"

// Kept free for everything else when a device lives in memory.
#define SPARE (UINT64_C(64) << 20)

static const char *const sector_words[] = { "512", "4096", NULL };

static const struct param_spec null_blk_params[] = {
	{ .key = "size",
	  .type = PARAM_SIZE,
	  .fallback = "1G",
	  .help = "whole MiB",
	  .min = 1 << 20 },
	{ .key = "sector-size",
	  .type = PARAM_WORD,
	  .fallback = "512",
	  .help = "logical sector",
	  .choices = sector_words },
	{ .key = "memory",
	  .type = PARAM_BOOL,
	  .fallback = "no",
	  .help = "keep what is written, in memory; without it reads give no data" },
	{ .key = "latency-ns",
	  .type = PARAM_UINT,
	  .fallback = "0",
	  .help = "time that each request takes",
	  .max = UINT64_C(1000000000) },
	{ 0 },
};

static const struct param_spec brd_params[] = {
	{ .key = "size",
	  .type = PARAM_SIZE,
	  .fallback = "64M",
	  .help = "RAM disk, whole KiB",
	  .min = 1 << 20 },
	{ 0 },
};

static uint64_t size_of(const struct layer *l)
{
	return param_size(l->spec->params, l->spec->n, l->ops->params, "size");
}

static int check_memory(const struct layer *l, struct err *err)
{
	_cleanup_strbuf_ struct strbuf need = { 0 }, have = { 0 };
	uint64_t free = kdf_available() * 1024;

	if (size_of(l) + SPARE <= free)
		return 0;
	number_format_bytes(&need, size_of(l));
	number_format_bytes(&have, free);
	return err_set(err, -ENOMEM,
		       "%s in memory takes %s and 64 MiB beside it, and %s is free",
		       l->ops->kind, strbuf_str(&need), strbuf_str(&have));
}

// Loads a module with these options, whatever it had before.
static int load_with(const char *name, const char *options, struct err *err)
{
	struct kmod_ctx *ctx = kmod_new(NULL, NULL);
	struct kmod_module *m = NULL;
	int r = ctx ? kmod_module_new_from_name(ctx, name, &m) : -ENOMEM;

	if (r == 0 && kmod_module_get_initstate(m) == KMOD_MODULE_LIVE)
		r = kmod_module_remove_module(m, 0);
	if (r == 0)
		r = kmod_module_probe_insert_module(m, KMOD_PROBE_IGNORE_COMMAND, options,
						    NULL, NULL, NULL);
	kmod_module_unref(m);
	kmod_unref(ctx);
	return r >= 0 ? 0
		      : err_set(err, r, "kernel module %s could not be loaded: %s", name,
				r == -EBUSY || r == -EAGAIN ? "it is in use"
							    : strerror(-r));
}

static int unload(const char *name)
{
	struct kmod_ctx *ctx = kmod_new(NULL, NULL);
	struct kmod_module *m = NULL;
	int r = ctx ? kmod_module_new_from_name(ctx, name, &m) : -ENOMEM;

	if (r == 0 && kmod_module_get_initstate(m) == KMOD_MODULE_LIVE)
		r = kmod_module_remove_module(m, 0);
	kmod_module_unref(m);
	kmod_unref(ctx);
	return r;
}

static int set(const char *file, uint64_t value, struct err *err)
{
	_cleanup_free_ char *path = mem_printf(NULLB NULLB_NAME "/%s", file);
	_cleanup_free_ char *text = mem_printf("%llu", (unsigned long long)value);
	int r = io_write_file(path, text);

	return r == 0 ? 0
		      : err_set(err, r, "null_blk does not take %s=%s: %s", file, text,
				strerror(-r));
}

static int power_on(const struct layer *l, struct err *err)
{
	uint64_t latency =
		param_uint(l->spec->params, l->spec->n, null_blk_params, "latency-ns");
	const struct {
		const char *file;
		uint64_t value;
	} rows[] = {
		{ "size", size_of(l) >> 20 },
		{ "blocksize", param_uint(l->spec->params, l->spec->n, null_blk_params,
					  "sector-size") },
		{ "memory_backed",
		  param_bool(l->spec->params, l->spec->n, null_blk_params, "memory") },
		{ "irqmode", latency ? 2 : 0 }, // 2: by a timer
		{ "completion_nsec", latency },
		{ "power", 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int r = set(rows[i].file, rows[i].value, err);

		if (r < 0)
			return r;
	}
	return 0;
}

static int take_node(struct layer *l, const char *path, struct err *err)
{
	int r = node_wait(path, size_of(l), err);

	if (r == 0)
		r = guard_adopt(path, &l->adopted, err);
	if (r == 0)
		l->path = mem_strdup(path);
	return r;
}

static int null_blk_up(struct stack *stack, struct layer *l, struct err *err)
{
	static const char dir[] = NULLB NULLB_NAME;
	_cleanup_free_ char *path = NULL;
	int r = 0;

	if (param_bool(l->spec->params, l->spec->n, null_blk_params, "memory"))
		r = check_memory(l, err);
	if (r == 0 && !io_exists("/sys/module/null_blk"))
		r = load_with("null_blk", "nr_devices=0", err);
	if (r < 0)
		return r;
	if (!io_exists(NULLB) && mount("none", CONFIGFS, "configfs", 0, NULL) < 0)
		return err_set(err, -errno, "cannot mount configfs: %s", strerror(errno));
	if (mkdir(dir, 0755) < 0)
		return err_set(err, -errno, "cannot make %s: %s", dir, strerror(errno));
	r = stack_step(stack, "switching it on", err);
	if (r == 0)
		r = power_on(l, err);
	if (r < 0)
		return r;
	path = io_exists("/sys/class/block/" NULLB_NAME)
		       ? mem_strdup("/dev/" NULLB_NAME)
		       : mem_printf("/dev/nullb%lld",
				    (long long)io_read_number(0, "%s/index", dir));
	return take_node(l, path, err);
}

static int null_blk_down(struct stack *stack _unused_, struct layer *l, struct err *err)
{
	static const char dir[] = NULLB NULLB_NAME;

	if (rmdir(dir) < 0 && errno != ENOENT)
		return err_set(err, -errno, "cannot remove %s: %s", dir, strerror(errno));
	return l->path ? node_wait_gone(l->path, err) : 0;
}

static void null_blk_describe(const struct layer *l _unused_, struct json_object *to)
{
	static const char *const files[] = { "size", "blocksize", "memory_backed",
					     "irqmode", "completion_nsec" };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		json_set_int(to, files[i],
			     io_read_number(-1, NULLB NULLB_NAME "/%s", files[i]));
}

static int brd_up(struct stack *stack _unused_, struct layer *l, struct err *err)
{
	_cleanup_free_ char *options = mem_printf(
		"rd_nr=1 rd_size=%llu", (unsigned long long)(size_of(l) / 1024));
	int r = check_memory(l, err);

	if (r == 0)
		r = load_with("brd", options, err);
	return r < 0 ? r : take_node(l, "/dev/ram0", err);
}

static int brd_down(struct stack *stack _unused_, struct layer *l _unused_,
		    struct err *err)
{
	int r = unload("brd");

	return r == 0 ? 0
		      : err_set(err, r, "kernel module brd cannot be removed: %s",
				strerror(-r));
}

static void brd_describe(const struct layer *l _unused_, struct json_object *to)
{
	json_set_bool(to, "memory_backed", true);
}

const struct layer_ops layer_null_blk = {
	.kind = "null_blk",
	.help = "a device that does nothing, or keeps data in memory; no disk is touched",
	.place = LAYER_MAKES_BLOCK,
	.params = null_blk_params,
	.on_disk = true,
	.apart = true,
	.forgets = true,
	.up = null_blk_up,
	.down = null_blk_down,
	.describe = null_blk_describe,
};

const struct layer_ops layer_brd = {
	.kind = "brd",
	.help = "a RAM disk; no disk is touched",
	.place = LAYER_MAKES_BLOCK,
	.params = brd_params,
	.on_disk = true,
	.apart = true,
	.forgets = true,
	.up = brd_up,
	.down = brd_down,
	.describe = brd_describe,
};
