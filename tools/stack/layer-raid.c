// SPDX-License-Identifier: GPL-3.0-or-later
// md arrays through mdadm: kinds raid0, raid1 and raid10, over several disks.
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/io.h"
#include "common/mem.h"
#include "common/number.h"
#include "common/process.h"
#include "device/driver.h"
#include "stack/kinds.h"
#include "stack/md.h"
#include "stack/node.h"
#include "stack/stack.h"
#include "stack/wipe.h"

#define MDADM_ARGS_MAX 40

// Nothing is assembled that is not asked for, and the array's node has a name that tells
// whose it is.
#define CONFIG      "/run/assay/mdadm.conf"
#define CONFIG_TEXT "CREATE names=yes\nAUTO -all\n"

static const char *const layout_words[] = { "n2", "f2", "o2", NULL };
// mdadm writes the layout of a raid0 into its superblock, and 0.90 has no room for it.
static const char *const metadata_words[] = { "1.0", "1.1", "1.2", "0.90", NULL };
static const char *const metadata_words_raid0[] = { "1.0", "1.1", "1.2", NULL };
static const char *const bitmap_words[] = { "none", "internal", NULL };

#define METADATA_PARAM(words)                                             \
	{                                                                 \
		.key = "metadata", .type = PARAM_WORD, .fallback = "1.2", \
		.help = "version of the superblock", .choices = words     \
	}
#define CHUNK_PARAM                                                              \
	{                                                                        \
		.key = "chunk", .type = PARAM_SIZE, .fallback = "512K",          \
		.help = "what lies on one disk before the next: a power of two", \
		.min = 4096, .max = UINT64_C(1) << 30                            \
	}
// Both copies of a block that was never written may differ, and nothing ever reads it:
// without parity there is nothing that a resync would make right.
#define MIRROR_PARAMS                                                           \
	{ .key = "assume-clean",                                                \
	  .type = PARAM_BOOL,                                                   \
	  .fallback = "yes",                                                    \
	  .help = "no first resync; with no the tests wait for its end" },      \
	{                                                                       \
		.key = "bitmap", .type = PARAM_WORD, .fallback = "none",        \
		.help = "write-intent bitmap; each write may cost another one", \
		.choices = bitmap_words                                         \
	}

static const struct param_spec raid0_params[] = { CHUNK_PARAM,
						  METADATA_PARAM(metadata_words_raid0),
						  { 0 } };

static const struct param_spec raid1_params[] = { METADATA_PARAM(metadata_words),
						  MIRROR_PARAMS,
						  { 0 } };

static const struct param_spec raid10_params[] = {
	{ .key = "layout",
	  .type = PARAM_WORD,
	  .fallback = "n2",
	  .help = "two copies: near, far or offset",
	  .choices = layout_words },
	CHUNK_PARAM,
	METADATA_PARAM(metadata_words),
	MIRROR_PARAMS,
	{ 0 },
};

// What down() undoes.
struct raid_state {
	char *kernel_name; // "md_assay-a-1"
	bool made;         // superblocks were written: they go again
	double resync_s;   // time that the first resync took; 0 without one
};

static const char *text_of(const struct layer *l, const char *key)
{
	return param_text(l->spec->params, l->spec->n, l->ops->params, key);
}

// Collects mdadm's words; text that is made for it is freed with it.
struct words {
	const char *argv[MDADM_ARGS_MAX];
	char *made[8];
	size_t n, n_made;
};

static void word(struct words *w, const char *text)
{
	if (w->n + 1 < MDADM_ARGS_MAX)
		w->argv[w->n++] = text;
}

_printf_(2, 3) static void word_made(struct words *w, const char *fmt, ...)
{
	va_list ap;

	if (w->n_made == ARRAY_SIZE(w->made))
		return;
	va_start(ap, fmt);
	w->made[w->n_made] = mem_vprintf(fmt, ap);
	va_end(ap);
	word(w, w->made[w->n_made++]);
}

static void words_done(struct words *w)
{
	for (size_t i = 0; i < w->n_made; i++)
		free(w->made[i]);
}
#define _cleanup_words_ _cleanup_(words_done)

static void words_begin(struct words *w, const char *mode, const struct raid_state *s)
{
	word(w, "mdadm");
	word(w, mode);
	word_made(w, "/dev/md/%s", s->kernel_name + strlen("md_"));
	word(w, "--config=" CONFIG);
	word(w, "--run");
}

static int run_mdadm(struct words *w, const struct layer *l, struct err *err)
{
	_cleanup_process_ struct process p = { .argv = w->argv };
	int r = process_run(&p, err);

	if (r == -ENOENT)
		return err_set(err, r, "the program mdadm is not in this image");
	return r < 0 ? err_prefix(err, r, "mdadm %s on %s and %zu more", w->argv[1],
				  l->below, l->n_members - 1)
		     : 0;
}

static int create(const struct layer *l, const struct raid_state *s, struct err *err)
{
	_cleanup_words_ struct words w = { 0 };
	const char *bitmap = text_of(l, "bitmap"), *layout = text_of(l, "layout");
	uint64_t chunk = param_size(l->spec->params, l->spec->n, l->ops->params, "chunk");

	words_begin(&w, "--create", s);
	word(&w, "--homehost=assay");
	word_made(&w, "--name=%.32s", l->name); // as long as a superblock takes it
	word_made(&w, "--level=%s", l->ops->kind + strlen("raid"));
	word_made(&w, "--metadata=%s", text_of(l, "metadata"));
	word_made(&w, "--raid-devices=%zu", l->n_members);
	if (layout)
		word_made(&w, "--layout=%s", layout);
	if (chunk)
		word_made(&w, "--chunk=%llu", (unsigned long long)(chunk / 1024));
	if (bitmap)
		word_made(&w, "--bitmap=%s", bitmap);
	if (param_bool(l->spec->params, l->spec->n, l->ops->params, "assume-clean"))
		word(&w, "--assume-clean");
	for (size_t i = 0; i < l->n_members; i++)
		word(&w, l->members[i]);
	return run_mdadm(&w, l, err);
}

static char *sysfs_of(const struct raid_state *s)
{
	return mem_printf("/sys/class/block/%s/md", s->kernel_name);
}

static int begin(struct layer *l, struct err *err)
{
	struct raid_state *s = l->state = mem_new(1, sizeof(*s));
	int r = io_make_dirs("/run/assay");

	s->kernel_name = md_kernel_name(l->name);
	if (r == 0)
		r = io_replace_file(CONFIG, CONFIG_TEXT, strlen(CONFIG_TEXT));
	if (r < 0)
		return err_set(err, r, "cannot write %s: %s", CONFIG, strerror(-r));
	driver_load("md_mod", NULL); // mdadm names the array through its parameters
	r = driver_load(l->ops->kind, err);
	return r;
}

static int take_node(struct layer *l, const struct raid_state *s, struct err *err)
{
	_cleanup_free_ char *path = mem_printf("/dev/%s", s->kernel_name);
	int r = node_wait(path, 0, err);

	if (r == 0)
		l->path = TAKE_PTR(path);
	return r;
}

static int wait_idle(const struct layer *l, const struct raid_state *s, struct err *err)
{
	_cleanup_free_ char *sysfs = sysfs_of(s);
	uint64_t size = 0;

	node_size(l->path, &size, NULL);
	return md_wait_idle(sysfs, md_sync_timeout_ns(size), err);
}

// The targets are asked for again here: this writes.
static int raid_up(struct stack *stack, struct layer *l, struct err *err)
{
	int r = begin(l, err);
	struct raid_state *s = l->state;
	uint64_t start;

	for (size_t i = 0; r == 0 && i < l->n_members; i++)
		r = stack_may_write(stack, l->members[i], err);
	if (r < 0)
		return r;
	s->made = true;
	r = create(l, s, err);
	if (r == 0)
		r = stack_step(stack, "waiting for the array", err);
	if (r == 0)
		r = take_node(l, s, err);
	if (r == 0)
		r = stack_step(stack, "the first resync", err);
	if (r < 0)
		return r;
	start = clock_mono_ns();
	r = wait_idle(l, s, err);
	if (text_of(l, "assume-clean") &&
	    !param_bool(l->spec->params, l->spec->n, l->ops->params, "assume-clean"))
		s->resync_s = (double)(clock_mono_ns() - start) / 1e9;
	return r;
}

// The kernel writes the superblock of a bitmap even when it starts the array read-only,
// and writes it through the read-only mark of a disk as well.
static int refuse_bitmap(const struct layer *l, struct err *err)
{
	for (size_t i = 0; i < l->n_members; i++) {
		const char *const argv[] = { "mdadm", "--examine", l->members[i], NULL };
		_cleanup_process_ struct process p = { .argv = argv };

		if (process_run(&p, NULL) == 0 &&
		    strstr(strbuf_str(&p.out), "Internal Bitmap"))
			return err_set(
				err, -EROFS,
				"the array on %s has a bitmap, and the kernel "
				"cannot start it without writing to the disks; say "
				"scratch = yes to allow that",
				l->members[i]);
	}
	return 0;
}

// An array that lacks a member starts all the same: what is there is to be read.
static int raid_open(struct stack *stack, struct layer *l, struct err *err)
{
	_cleanup_words_ struct words w = { 0 };
	int r = begin(l, err);
	const struct raid_state *s = l->state;

	if (r == 0 && !stack->arm->scratch)
		r = refuse_bitmap(l, err);
	if (r < 0)
		return r;
	words_begin(&w, "--assemble", s);
	if (!stack->arm->scratch)
		word(&w, "--readonly");
	for (size_t i = 0; i < l->n_members; i++)
		word(&w, l->members[i]);
	r = run_mdadm(&w, l, err);
	if (r == 0)
		r = stack_step(stack, "waiting for the array", err);
	return r == 0 ? take_node(l, s, err) : r;
}

// Superblocks of what was made by us; one that creation did not come to is no fault.
static int zero_superblocks(const struct layer *l, struct err *err)
{
	for (size_t i = 0; i < l->n_members; i++) {
		const char *const argv[] = { "mdadm", "--zero-superblock", "--force",
					     l->members[i], NULL };
		_cleanup_process_ struct process p = { .argv = argv };
		int r = io_exists(l->members[i]) ? process_run(&p, err) : 0;

		if (r < 0 && !strstr(strbuf_str(&p.err_out), "Unrecognised md component"))
			return err_prefix(err, r, "the superblock of %s is left",
					  l->members[i]);
	}
	return 0;
}

static int raid_down(struct stack *stack, struct layer *l, struct err *err)
{
	struct raid_state *s = l->state;
	int r = s ? md_stop(s->kernel_name, err) : 0;

	if (r == 0 && s && s->made && !stack->keep)
		r = zero_superblocks(l, err);
	if (r < 0)
		return r;
	if (s)
		free(s->kernel_name);
	free(TAKE_PTR(l->state));
	return 0;
}

static void raid_describe(const struct layer *l, struct json_object *to)
{
	const struct raid_state *s = l->state;
	_cleanup_free_ char *sysfs = s ? sysfs_of(s) : NULL;

	if (!s)
		return;
	md_describe(sysfs, to);
	json_set_bool(to, "made", s->made);
	if (s->resync_s > 0)
		json_set_double(to, "resync_s", s->resync_s);
}

static int raid_settle(const struct layer *l, struct json_object *to, struct err *err)
{
	const struct raid_state *s = l->state;
	_cleanup_free_ char *sysfs = s ? sysfs_of(s) : NULL;
	int r = s ? wait_idle(l, s, err) : 0;

	if (s)
		md_describe_state(sysfs, to);
	return r;
}

static void raid_check(const struct plan_layer *spec, const char *file, int line,
		       struct fault_list *faults)
{
	const struct param_spec *params = layer_find(spec->kind)->params;
	uint64_t chunk = param_size(spec->params, spec->n, params, "chunk");

	if (chunk & (chunk - 1))
		fault_add(
			faults, file, line,
			"layer %s: chunk = %s: md takes a power of two from 4K on, such "
			"as 64K or 256K",
			spec->kind, plan_param(spec->params, spec->n, "chunk"));
}

#define RAID_OPS(table)                                                                 \
	.place = LAYER_MAKES_BLOCK, .params = table, .joins = 2, .check = raid_check,   \
	.up = raid_up, .open = raid_open, .down = raid_down, .describe = raid_describe, \
	.settle = raid_settle

const struct layer_ops layer_raid0 = {
	.kind = "raid0",
	.help = "md striping over all disks",
	RAID_OPS(raid0_params),
};

const struct layer_ops layer_raid1 = {
	.kind = "raid1",
	.help = "md mirror of all disks",
	RAID_OPS(raid1_params),
};

const struct layer_ops layer_raid10 = {
	.kind = "raid10",
	.help = "md striped mirrors over all disks, two copies of everything",
	RAID_OPS(raid10_params),
};
