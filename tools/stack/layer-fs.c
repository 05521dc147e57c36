// SPDX-License-Identifier: GPL-3.0-or-later
// Filesystems: kinds ext2, ext3, ext4, xfs, vfat; made, mounted, unmounted.
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>

#include "common/clock.h"
#include "common/io.h"
#include "common/mem.h"
#include "common/process.h"
#include "device/driver.h"
#include "stack/kinds.h"
#include "stack/mkfs.h"
#include "stack/mount-option.h"
#include "stack/mounts.h"
#include "stack/node.h"
#include "stack/stack.h"
#include "stack/wipe.h"

static const char *const block_words[] = { "1024", "2048", "4096", NULL };

#define MOUNT_PARAM                                                                 \
	{                                                                           \
		.key = "mount", .type = PARAM_TEXT, .fallback = "",                 \
		.help = "more mount options, joined by +: data=writeback+nobarrier" \
	}

static const struct param_spec block_fs_params[] = {
	{ .key = "block-size",
	  .type = PARAM_WORD,
	  .help = "bytes, default 4096",
	  .choices = block_words },
	MOUNT_PARAM,
	{ 0 },
};

static const struct param_spec ext4_params[] = {
	{ .key = "block-size",
	  .type = PARAM_WORD,
	  .help = "bytes, default 4096",
	  .choices = block_words },
	{ .key = "encrypt",
	  .type = PARAM_BOOL,
	  .fallback = "no",
	  .help = "the feature that fscrypt needs" },
	MOUNT_PARAM,
	{ 0 },
};

static const struct param_spec plain_params[] = { MOUNT_PARAM, { 0 } };

struct fs_state {
	char *command; // the mkfs that made it, NULL when opened
	char *version;
	double seconds; // that the mkfs took, its data on the device
};

static unsigned block_size(const struct plan_layer *spec)
{
	return (unsigned)param_uint(spec->params, spec->n, block_fs_params, "block-size");
}

static const char *features(const struct layer *l)
{
	return param_bool(l->spec->params, l->spec->n, l->ops->params, "encrypt")
		       ? "encrypt"
		       : NULL;
}

// The first line that says a number with a dot: each mkfs words its version differently.
static char *version_of(const struct mkfs *m)
{
	const char *const argv[] = { m->program, m->version, NULL };
	_cleanup_process_ struct process p = { .argv = argv };
	_cleanup_strbuf_ struct strbuf all = { 0 };
	char *save = NULL;

	process_run(&p, NULL); // its exit status differs between programs
	strbuf_puts(&all, strbuf_str(&p.out));
	strbuf_puts(&all, strbuf_str(&p.err_out));
	for (char *l = strtok_r(all.data, "\n", &save); l;
	     l = strtok_r(NULL, "\n", &save))
		if (strpbrk(l, "0123456789") && strchr(l, '.'))
			return mem_strdup(l);
	return NULL;
}

static int sync_device(const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -1 : fsync(fd);
}

static int make(const struct mkfs *m, const struct layer *layer, struct fs_state *s,
		uint64_t size, struct err *err)
{
	_cleanup_strbuf_ struct strbuf options = { 0 }, line = { 0 };
	const char *argv[MKFS_ARGS_MAX];
	_cleanup_process_ struct process p = { .argv = argv,
					       .timeout_ns = mkfs_timeout_ns(size) };
	int r;

	mkfs_argv(m, layer->below, block_size(layer->spec), features(layer), argv,
		  &options);
	for (size_t i = 0; argv[i]; i++)
		strbuf_printf(&line, "%s%s", i ? " " : "", argv[i]);
	s->command = strbuf_take(&line);
	r = process_run(&p, err);
	if (r == 0 && sync_device(layer->below) < 0) // some only write to the cache
		r = err_set(err, -errno, "it does not take its data: %s",
			    strerror(errno));
	s->seconds = (double)(clock_mono_ns() - p.started_ns) / 1e9;
	if (r == -ENOENT)
		return err_set(err, r, "the program %s is not in this image", m->program);
	if (r < 0)
		return err_prefix(err, r, "%s on %s", m->program, layer->below);
	s->version = version_of(m);
	return 0;
}

static int mount_it(const struct mkfs *m, struct layer *layer, bool read_only,
		    struct err *err)
{
	_cleanup_strbuf_ struct strbuf options = { 0 };
	_cleanup_free_ char *dir = mem_printf(MOUNT_ROOT "/%s", layer->name);
	unsigned long flags = MS_NOATIME | MS_NOSUID | MS_NODEV;
	int r = io_make_dirs(dir);

	if (r < 0)
		return err_set(err, r, "cannot make the folder %s: %s", dir,
			       strerror(-r));
	strbuf_puts(&options, param_text(layer->spec->params, layer->spec->n,
					 layer->ops->params, "mount"));
	for (char *p = options.data; p && *p; p++)
		if (*p == '+')
			*p = ',';
	if (read_only) {
		flags |= MS_RDONLY;
		strbuf_printf(&options, "%s%s", options.len && *m->mount_open ? "," : "",
			      m->mount_open);
	}
	driver_load(m->kind, NULL); // built in, or mount(2) says what is missing
	if (mount(layer->below, dir, m->kind, flags, strbuf_str(&options)) < 0)
		return err_set(err, -errno, "cannot mount %s on %s (options \"%s\"): %s",
			       m->kind, layer->below, strbuf_str(&options),
			       errno == ENODEV ? "this kernel has no such filesystem"
			       : errno == EINVAL
				       ? "there is no such filesystem on it, or it does "
					 "not know an option"
				       : strerror(errno));
	layer->dir = TAKE_PTR(dir);
	layer->path = mem_strdup(layer->below);
	return 0;
}

// The target is asked for again here: this writes.
static int fs_up(struct stack *stack, struct layer *layer, struct err *err)
{
	const struct mkfs *m = mkfs_find(layer->ops->kind);
	struct fs_state *s = layer->state = mem_new(1, sizeof(*s));
	uint64_t size;
	int r = stack_may_write(stack, layer->below, err);

	if (r == 0)
		r = node_size(layer->below, &size, err);
	if (r == 0)
		r = mkfs_check(m, size, node_logical_sector(layer->below),
			       block_size(layer->spec), err);
	if (r == 0)
		r = make(m, layer, s, size, err);
	if (r == 0)
		r = stack_step(stack, "mounting", err);
	return r < 0 ? r : mount_it(m, layer, false, err);
}

static int fs_open(struct stack *stack, struct layer *layer, struct err *err)
{
	layer->state = mem_new(1, sizeof(struct fs_state));
	return mount_it(mkfs_find(layer->ops->kind), layer, !stack->arm->scratch, err);
}

static int fs_down(struct stack *stack _unused_, struct layer *layer, struct err *err)
{
	_cleanup_free_ char *dir = mem_printf(MOUNT_ROOT "/%s", layer->name);
	struct fs_state *s = layer->state;
	int r = layer->dir ? mount_remove(layer->dir) : 0;

	if (r < 0)
		return err_set(err, r, "cannot unmount %s: %s", layer->dir,
			       r == -EBUSY ? "something still uses it" : strerror(-r));
	rmdir(dir);
	free(TAKE_PTR(layer->dir));
	if (s) {
		free(s->command);
		free(s->version);
	}
	free(TAKE_PTR(layer->state));
	return 0;
}

static void fs_describe(const struct layer *layer, struct json_object *to)
{
	const struct fs_state *s = layer->state;

	if (s) {
		json_set_str(to, "mkfs", s->command);
		json_set_str(to, "mkfs_version", s->version);
		if (s->command)
			json_set_double(to, "mkfs_seconds", s->seconds);
	}
	mount_describe(layer->dir, to);
}

static void fs_check(const struct plan_layer *spec, const char *file, int line,
		     struct fault_list *faults)
{
	mount_option_check(plan_param(spec->params, spec->n, "mount"), spec->kind, file,
			   line, faults);
}

#define FS_OPS(table)                                                             \
	.place = LAYER_MAKES_FS, .params = table, .check = fs_check, .up = fs_up, \
	.open = fs_open, .down = fs_down, .describe = fs_describe

const struct layer_ops layer_ext2 = {
	.kind = "ext2",
	.help = "ext2, no journal",
	FS_OPS(block_fs_params),
};

const struct layer_ops layer_ext3 = {
	.kind = "ext3",
	.help = "ext3, nothing initialised lazily",
	FS_OPS(block_fs_params),
};

const struct layer_ops layer_ext4 = {
	.kind = "ext4",
	.help = "ext4, nothing initialised lazily",
	FS_OPS(ext4_params),
};

const struct layer_ops layer_xfs = {
	.kind = "xfs",
	.help = "XFS, at least 300 MiB",
	FS_OPS(block_fs_params),
};

const struct layer_ops layer_btrfs = {
	.kind = "btrfs",
	.help = "Btrfs, metadata twice (DUP), at least 128 MiB",
	FS_OPS(plain_params),
};

const struct layer_ops layer_f2fs = {
	.kind = "f2fs",
	.help = "F2FS, at least 64 MiB",
	FS_OPS(plain_params),
};

const struct layer_ops layer_exfat = {
	.kind = "exfat",
	.help = "exFAT",
	FS_OPS(plain_params),
};

const struct layer_ops layer_vfat = {
	.kind = "vfat",
	.help = "FAT32",
	FS_OPS(plain_params),
};
