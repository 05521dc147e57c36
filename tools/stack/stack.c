// SPDX-License-Identifier: GPL-3.0-or-later
// A stack of layers, built bottom up and torn down exactly.
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "stack/devmap.h"
#include "stack/kinds.h"
#include "stack/lvm.h"
#include "stack/node.h"
#include "stack/stack-private.h"
#include "stack/tree.h"
#include "stack/wipe.h"

static bool opens(const struct stack *stack)
{
	return stack->arm->open;
}

// Every kind is known, and a disk is there for those that need one.
static int check_layers(const struct stack *stack, struct err *err)
{
	for (size_t i = 0; i < stack->n; i++) {
		const struct layer *l = &stack->layers[i];

		if (!l->ops || (opens(stack) && !l->ops->open))
			return err_set(err, -EINVAL, "there is no layer kind \"%s\"%s",
				       l->spec->kind,
				       l->ops ? " that can be opened" : "");
		if (!opens(stack) && l->ops->ready && l->ops->ready(l->spec, err) < 0)
			return err_prefix(err, err ? err->code : -EINVAL,
					  "layer %s, and nothing was written",
					  l->spec->kind);
		if (stack->n_targets == 0 && l->ops != &layer_null)
			return err_set(err, -EINVAL,
				       "layer %s needs a disk, and none is given",
				       l->spec->kind);
	}
	return 0;
}

// "assay-a-1" and what libcryptsetup puts below it: "assay-a-1_dif", "assay-a-1_1".
static bool is_map_of(const char *map, const char *name)
{
	size_t len = strlen(name);

	return strncmp(map, name, len) == 0 && (!map[len] || map[len] == '_');
}

// Is the device of that kernel name one of the layers that are up?
static bool is_ours(const struct stack *stack, const char *kernel_name)
{
	_cleanup_free_ char *map = devmap_name(kernel_name);

	for (size_t i = 0; i < stack->n_up; i++) {
		const struct layer *l = &stack->layers[i];
		_cleanup_free_ char *group = lvm_map_name(l->name, "");
		_cleanup_free_ char *node = l->path ? node_kernel_name(l->path) : NULL;

		if (node && strcmp(node, kernel_name) == 0)
			return true;
		if (map && is_map_of(map, l->name))
			return true;
		if (map && strncmp(map, group, strlen(group)) == 0)
			return true;
	}
	return false;
}

// The guard once more, right before a layer is written: the disk is still the one that
// was permitted, and nothing but our own layers has taken it.
static int recheck(const struct stack *stack, struct err *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < stack->n_targets; i++) {
		_cleanup_tree_ struct tree above = { 0 };
		_cleanup_free_ const char **ours = NULL;
		size_t n = 0;

		tree_above("", target_device(stack->targets[i])->name, &above);
		ours = mem_new(above.n + 1, sizeof(*ours));
		for (size_t k = 0; k < above.n; k++)
			if (is_ours(stack, above.names[k]))
				ours[n++] = above.names[k];
		r = guard_recheck(stack->targets[i], ours, err);
	}
	return r;
}

// Marks the disks and their partitions read-only, so that opening an existing stack
// cannot write whatever a layer does; or takes the mark away.
static int lock_targets(struct stack *stack, bool on, struct err *err)
{
	int r = 0;

	for (size_t i = 0; i < stack->n_targets; i++) {
		const struct device *disk = target_device(stack->targets[i]);
		_cleanup_tree_ struct tree above = { 0 };
		int one = node_set_readonly(disk->path, on);

		tree_above("", disk->name, &above);
		for (size_t k = 0; one == 0 && k < above.n; k++) {
			_cleanup_free_ char *dm = devmap_name(above.names[k]);
			_cleanup_free_ char *path = mem_printf("/dev/%s", above.names[k]);

			if (!dm)
				one = node_set_readonly(path, on);
		}
		if (one < 0 && r == 0)
			r = err_set(err, one, "cannot set %s read-%s: %s", disk->path,
				    on ? "only" : "write", strerror(-one));
	}
	stack->locked = on;
	return r;
}

// The targets and what layers have made without a disk; the caller frees.
static struct target **writable(const struct stack *stack, size_t *n)
{
	// NOLINTNEXTLINE(bugprone-sizeof-expression): a list of pointers
	struct target **all = mem_new(stack->n_targets + stack->n + 1, sizeof(*all));

	*n = 0;
	for (size_t i = 0; i < stack->n_targets; i++)
		all[(*n)++] = stack->targets[i];
	for (size_t i = 0; i < stack->n; i++)
		if (stack->layers[i].adopted)
			all[(*n)++] = stack->layers[i].adopted;
	return all;
}

int stack_may_write(const struct stack *stack, const char *path, struct err *err)
{
	size_t n;
	_cleanup_free_ struct target **all = writable(stack, &n);

	return wipe_allowed(all, n, path, err);
}

int stack_wipe(const struct stack *stack, const char *path, struct err *err)
{
	size_t n;
	_cleanup_free_ struct target **all = writable(stack, &n);

	return wipe_device(all, n, path, err);
}

int stack_step(struct stack *stack, const char *what, struct err *err)
{
	stack->step++;
	if (stack->step != stack->fail_step)
		return 0;
	return err_set(err, -EIO, "step %u, %s, was to fail", stack->step, what);
}

// What is there goes, unless a fresh key below hides it.
static int wipe_below(struct stack *stack, const struct layer *l, struct err *err)
{
	const struct layer *below = stack_layer_below(stack, l, l->lane);
	int r = 0;

	if (l->ops->apart || l->ops->on_fs || (below && below->ops->hides))
		return 0;
	for (size_t i = 0; r == 0 && i < l->n_members; i++)
		r = stack_wipe(stack, l->members[i], err);
	if (r == 0 && !l->n_members)
		r = stack_wipe(stack, l->below, err);
	return r;
}

static int layer_up(struct stack *stack, struct layer *l, struct err *err)
{
	bool writes = !opens(stack) && l->ops != &layer_null && !l->ops->apart;
	int r = writes ? recheck(stack, err) : 0;

	if (r == 0)
		r = stack_step(stack, "wiping", err);
	if (r == 0 && writes)
		r = wipe_below(stack, l, err);
	if (r < 0)
		return r;
	l->up = true; // from here on down() has something to look at
	r = stack_step(stack, "the layer itself", err);
	if (r == 0)
		r = opens(stack) ? l->ops->open(stack, l, err)
				 : l->ops->up(stack, l, err);
	return r < 0 ? r : stack_step(stack, "what comes on top", err);
}

static int build(struct stack *stack, struct err *err)
{
	int r = 0;

	stack->step = 0;
	for (size_t i = 0; r == 0 && i < stack->n; i++) {
		struct layer *l = &stack->layers[i];

		stack_set_below(stack, l);
		r = layer_up(stack, l, err);
		stack->n_up = l->up ? i + 1 : i;
		if (r < 0)
			err_prefix(err, r, "layer %s on %s", l->spec->kind, l->below);
	}
	return r;
}

int stack_up(struct stack *stack, struct err *err)
{
	struct err left = { 0 };
	int r = 0;

	if (!stack->layers)
		stack_make_layers(stack);
	r = check_layers(stack, err);
	if (r == 0 && stack->n_targets)
		r = devmap_init(err);
	if (r == 0 && opens(stack) && !stack->arm->scratch)
		r = lock_targets(stack, true, err);
	if (r == 0)
		r = build(stack, err);
	if (r == 0)
		return 0;
	if (stack_down(stack, &left) < 0 && err) {
		struct err first = *err;

		err_set(err, r, "%.300s; and afterwards: %.200s", first.text, left.text);
	}
	return r;
}

int stack_down(struct stack *stack, struct err *err)
{
	_cleanup_strbuf_ struct strbuf left = { 0 };
	int r = 0;

	for (size_t i = stack->n_up; i-- > 0;) {
		struct layer *l = &stack->layers[i];
		struct err why = { 0 };
		int one = l->up ? l->ops->down(stack, l, &why) : 0;

		if (one == 0) {
			stack_forget_paths(l);
			continue;
		}
		strbuf_printf(&left, "%slayer %s is left: %s", left.len ? "; " : "",
			      l->spec->kind, why.text);
		if (r == 0)
			r = one;
	}
	while (stack->n_up > 0 && !stack->layers[stack->n_up - 1].up)
		stack->n_up--;
	if (r < 0)
		return err_set(err, r, "%s", strbuf_str(&left));
	return stack->locked ? lock_targets(stack, false, err) : 0;
}

int stack_remake_top(struct stack *stack, struct err *err)
{
	struct layer *top = stack->n_up ? &stack->layers[stack->n_up - 1] : NULL;
	_cleanup_free_ char *below = top ? mem_strdup(top->below) : NULL;
	struct err ignored = { 0 };
	int r;

	if (!top || opens(stack))
		return err_set(err, -EINVAL, "there is no layer that may be made anew");
	r = top->ops->down(stack, top, err);
	if (r < 0)
		return err_prefix(err, r, "layer %s", top->spec->kind);
	stack_forget_paths(top);
	stack->n_up--;
	stack_set_below(stack, top);
	r = layer_up(stack, top, err);
	if (r == 0) {
		stack->n_up++;
		return 0;
	}
	err_prefix(err, r, "layer %s on %s", top->spec->kind, below);
	if (top->up && top->ops->down(stack, top, &ignored) < 0)
		stack->n_up++; // stack_down() tries again, and says what is left
	else
		stack_forget_paths(top);
	return r;
}

// What is still up stays up; only the memory goes.
void stack_done(struct stack *stack)
{
	for (size_t i = 0; i < stack->n; i++) {
		stack_forget_paths(&stack->layers[i]);
		free(stack->layers[i].name);
	}
	free(stack->layers);
	stack->layers = NULL;
	stack->n = stack->n_up = 0;
}
