// SPDX-License-Identifier: GPL-3.0-or-later
// Swap space: made, and used only when the plan says so.
#include <string.h>
#include <sys/swap.h>

#include "common/io.h"
#include "common/mem.h"
#include "common/process.h"
#include "stack/kinds.h"
#include "stack/mounts.h"
#include "stack/stack.h"
#include "stack/wipe.h"

static const struct param_spec swap_params[] = {
	{ .key = "on", .type = PARAM_BOOL, .fallback = "no", .help = "swap to it" },
	{ 0 },
};

static int swap_up(struct stack *stack, struct layer *layer, struct err *err)
{
	const char *const argv[] = { "mkswap", layer->below, NULL };
	_cleanup_process_ struct process p = { .argv = argv };
	int r = stack_may_write(stack, layer->below, err);

	if (r < 0)
		return r;
	r = process_run(&p, err);
	if (r == -ENOENT)
		return err_set(err, r, "the program mkswap is not in this image");
	if (r < 0)
		return err_prefix(err, r, "mkswap on %s", layer->below);
	layer->path = mem_strdup(layer->below);
	r = stack_step(stack, "swapping to it", err);
	if (r < 0)
		return r;
	if (!param_bool(layer->spec->params, layer->spec->n, swap_params, "on"))
		return 0;
	if (swapon(layer->below, 0) < 0)
		return err_set(err, -errno, "cannot swap to %s: %s", layer->below,
			       strerror(errno));
	return 0;
}

static int swap_down(struct stack *stack _unused_, struct layer *layer, struct err *err)
{
	// EINVAL: it is no active swap
	if (layer->path && swapoff(layer->path) < 0 && errno != EINVAL)
		return err_set(err, -errno, "cannot stop swapping to %s: %s", layer->path,
			       errno == ENOMEM ? "too little memory to take it back"
					       : strerror(errno));
	return 0;
}

static void swap_describe(const struct layer *layer, struct json_object *to)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	_cleanup_free_ char *real = layer->path ? realpath(layer->path, NULL) : NULL;
	char **swaps;
	bool on = false;

	io_read_file("/proc/swaps", &text, 64 * 1024);
	swaps = mount_swaps(strbuf_str(&text));
	for (char **s = swaps; *s; s++) {
		_cleanup_free_ char *there = realpath(*s, NULL);

		on |= real && there && strcmp(real, there) == 0;
	}
	mount_swaps_free(swaps);
	json_set_bool(to, "active", on);
}

const struct layer_ops layer_swap = {
	.kind = "swap",
	.help = "swap space; not used unless on=yes",
	.place = LAYER_MAKES_SWAP,
	.params = swap_params,
	.up = swap_up,
	.down = swap_down,
	.describe = swap_describe,
};
