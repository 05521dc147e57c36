// SPDX-License-Identifier: GPL-3.0-or-later
// The layer that does nothing: hands the device below through, so that the pipeline and
// its unwinding can be run without a disk.
#include <string.h>

#include "common/mem.h"
#include "stack/kinds.h"
#include "stack/stack.h"

static const char *const fail_words[] = { "never", "up", "down", NULL };

static const struct param_spec null_params[] = {
	{ .key = "fail",
	  .type = PARAM_WORD,
	  .fallback = "never",
	  .help = "which step is to fail, to try the unwinding",
	  .choices = fail_words },
	{ 0 },
};

static bool fails(const struct layer *layer, const char *step)
{
	return strcmp(param_text(layer->spec->params, layer->spec->n, null_params,
				 "fail"),
		      step) == 0;
}

static int null_up(struct stack *stack _unused_, struct layer *layer, struct err *err)
{
	if (fails(layer, "up"))
		return err_set(err, -EIO, "failing as the plan asks");
	layer->path = mem_strdup(layer->below);
	return 0;
}

static int null_down(struct stack *stack _unused_, struct layer *layer, struct err *err)
{
	if (fails(layer, "down"))
		return err_set(err, -EBUSY, "failing as the plan asks");
	return 0;
}

static void null_describe(const struct layer *layer _unused_, struct json_object *to)
{
	json_set_bool(to, "null", true);
}

const struct layer_ops layer_null = {
	.kind = "null",
	.help = "does nothing: a layer for trying a plan without a disk",
	.place = LAYER_MAKES_BLOCK,
	.params = null_params,
	.up = null_up,
	.open = null_up,
	.down = null_down,
	.describe = null_describe,
};
