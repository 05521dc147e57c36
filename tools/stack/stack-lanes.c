// SPDX-License-Identifier: GPL-3.0-or-later
// From the plan's layers to those of one build: which are made once for each disk, and
// what each stands on.
#include <string.h>

#include "common/mem.h"
#include "stack/kinds.h"
#include "stack/stack-private.h"

// Below a stack without a disk: only layers that need none are allowed there.
#define NO_DISK "/dev/null"

const struct param_spec disk_params[] = {
	{ .key = "use",
	  .type = PARAM_UINT,
	  .help = "how many of the plan's disks, from the first; default all",
	  .min = 1,
	  .max = 16 },
	{ 0 },
};

size_t stack_width(const struct plan_arm *arm, size_t n_targets)
{
	const struct plan_layer *disk = arm->layers;
	size_t use = arm->n ? param_uint(disk->params, disk->n, disk_params, "use") : 0;

	return use && use < n_targets ? use : n_targets;
}

void stack_make_layers(struct stack *stack)
{
	const struct plan_arm *arm = stack->arm;
	size_t width = stack_width(arm, stack->n_targets), n = 0;

	width = width ? width : 1;
	stack->layers = mem_new(width * arm->n, sizeof(*stack->layers));
	for (size_t level = 1; level < arm->n; level++) {
		const struct layer_ops *ops = layer_find(arm->layers[level].kind);

		if (ops && ops->joins)
			width = 1;
		for (size_t lane = 0; lane < width; lane++) {
			struct layer *l = &stack->layers[n++];

			l->spec = &arm->layers[level];
			l->ops = ops;
			l->level = level;
			l->lane = lane;
			l->name = width == 1
					  ? mem_printf("assay-%s-%zu", arm->name, level)
					  : mem_printf("assay-%s-%zu.%zu", arm->name,
						       level, lane + 1);
		}
	}
	stack->n = n;
}

const struct layer *stack_layer_below(const struct stack *stack, const struct layer *l,
				      size_t lane)
{
	for (const struct layer *b = l; b-- > stack->layers;)
		if (b->level + 1 == l->level && b->lane == lane)
			return b;
	return NULL;
}

static const char *path_below(const struct stack *stack, const struct layer *l,
			      size_t lane)
{
	const struct layer *b = stack_layer_below(stack, l, lane);

	if (l->level > 1)
		return b ? b->path : NULL;
	if (stack->n_targets == 0)
		return lane == 0 ? NO_DISK : NULL;
	return lane < stack_width(stack->arm, stack->n_targets)
		       ? target_path(stack->targets[lane])
		       : NULL;
}

void stack_set_below(const struct stack *stack, struct layer *l)
{
	const char *path;

	free(l->below);
	l->below = mem_strdup(path_below(stack, l, l->lane));
	if (l->ops->on_fs) {
		const struct layer *b = stack_layer_below(stack, l, l->lane);

		free(l->below_dir);
		l->below_dir = mem_strdup(b ? b->dir : NULL);
	}
	while (l->ops->joins && (path = path_below(stack, l, l->n_members))) {
		l->members = mem_grow(l->members, l->n_members + 1, sizeof(*l->members));
		l->members[l->n_members++] = mem_strdup(path);
	}
}

void stack_forget_paths(struct layer *l)
{
	for (size_t i = 0; i < l->n_members; i++)
		free(l->members[i]);
	free(TAKE_PTR(l->members));
	l->n_members = 0;
	free(TAKE_PTR(l->path));
	free(TAKE_PTR(l->dir));
	free(TAKE_PTR(l->below));
	free(TAKE_PTR(l->below_dir));
	target_free(TAKE_PTR(l->adopted));
	l->up = false;
}

const char *stack_device(const struct stack *stack)
{
	if (stack->n_up)
		return stack->layers[stack->n_up - 1].path;
	return stack->n_targets ? target_path(stack->targets[0]) : NO_DISK;
}

const char *stack_dir(const struct stack *stack)
{
	return stack->n_up ? stack->layers[stack->n_up - 1].dir : NULL;
}
