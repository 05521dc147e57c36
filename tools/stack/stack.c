// SPDX-License-Identifier: GPL-3.0-or-later
// A stack of layers, built bottom up and torn down exactly.
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "stack/devmap.h"
#include "stack/kinds.h"
#include "stack/lvm.h"
#include "stack/node.h"
#include "stack/stack.h"
#include "stack/tree.h"
#include "stack/wipe.h"

// Below a stack without a disk: only the null layer is allowed there.
#define NO_DISK "/dev/null"

static bool opens(const struct stack *stack)
{
	return stack->arm->open;
}

static void make_layers(struct stack *stack)
{
	const struct plan_arm *arm = stack->arm;

	stack->n = arm->n > 1 ? arm->n - 1 : 0;
	stack->layers = mem_new(stack->n, sizeof(*stack->layers));
	for (size_t i = 0; i < stack->n; i++) {
		struct layer *l = &stack->layers[i];

		l->spec = &arm->layers[i + 1];
		l->ops = layer_find(l->spec->kind);
		l->name = mem_printf("assay-%s-%zu", arm->name, i + 1);
	}
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
		if (stack->n_targets == 0 && l->ops != &layer_null)
			return err_set(err, -EINVAL,
				       "layer %s needs a disk, and none is given",
				       l->spec->kind);
	}
	return 0;
}

// Is the mapping of that name one of the layers that are up?
static bool is_ours(const struct stack *stack, const char *name)
{
	for (size_t i = 0; i < stack->n_up; i++) {
		const char *own = stack->layers[i].name;
		_cleanup_free_ char *group = lvm_map_name(own, "");

		if (strcmp(name, own) == 0 || strncmp(name, group, strlen(group)) == 0)
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
		for (size_t k = 0; k < above.n; k++) {
			_cleanup_free_ char *name = devmap_name(above.names[k]);

			if (name && is_ours(stack, name))
				ours[n++] = above.names[k];
		}
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

static int layer_up(struct stack *stack, struct layer *l, struct err *err)
{
	bool writes = !opens(stack) && l->ops != &layer_null;
	bool hidden = l > stack->layers && l[-1].ops->hides;
	int r = writes ? recheck(stack, err) : 0;

	if (r == 0 && writes && !hidden)
		r = wipe_device(stack->targets, stack->n_targets, l->below, err);
	if (r < 0)
		return r;
	l->up = true; // from here on down() has something to look at
	return opens(stack) ? l->ops->open(stack, l, err) : l->ops->up(stack, l, err);
}

static int build(struct stack *stack, struct err *err)
{
	const char *below = stack->n_targets ? target_path(stack->targets[0]) : NO_DISK;
	int r = 0;

	for (size_t i = 0; r == 0 && i < stack->n; i++) {
		struct layer *l = &stack->layers[i];

		free(l->below);
		l->below = mem_strdup(below);
		r = layer_up(stack, l, err);
		stack->n_up = l->up ? i + 1 : i;
		if (r < 0)
			err_prefix(err, r, "layer %s on %s", l->spec->kind, l->below);
		below = l->path;
	}
	return r;
}

int stack_up(struct stack *stack, struct err *err)
{
	struct err left = { 0 };
	int r = 0;

	if (!stack->layers)
		make_layers(stack);
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

static void forget_paths(struct layer *l)
{
	free(TAKE_PTR(l->path));
	free(TAKE_PTR(l->dir));
	free(TAKE_PTR(l->below));
	l->up = false;
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
			forget_paths(l);
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

static struct json_object *params_json(const struct plan_layer *spec)
{
	struct json_object *o = json_new();

	for (size_t i = 0; i < spec->n; i++)
		json_set_str(o, spec->params[i].key, spec->params[i].value ?: "");
	return o;
}

static struct json_object *disk_json(const struct target *t)
{
	const struct device *d = target_device(t);
	struct json_object *o = json_new();

	json_set_str(o, "kind", "disk");
	json_set_str(o, "device", d->path);
	json_set_str(o, "model", d->model);
	json_set_str(o, "serial", d->serial);
	json_set_str(o, "firmware", d->firmware);
	node_describe(d->path, o);
	return o;
}

struct json_object *stack_json(const struct stack *stack)
{
	struct json_object *all = json_new_array();

	for (size_t i = 0; i < stack->n_targets; i++)
		json_append(all, disk_json(stack->targets[i]));
	for (size_t i = 0; i < stack->n_up; i++) {
		const struct layer *l = &stack->layers[i];
		struct json_object *o = json_new();

		json_set_str(o, "kind", l->ops->kind);
		json_set_str(o, "name", l->name);
		json_set_str(o, "device", l->path);
		json_set(o, "params", params_json(l->spec));
		if (l->path)
			node_describe(l->path, o);
		if (l->ops->describe && l->up)
			l->ops->describe(l, o);
		json_append(all, o);
	}
	return all;
}

// What is still up stays up; only the memory goes.
void stack_done(struct stack *stack)
{
	for (size_t i = 0; i < stack->n; i++) {
		forget_paths(&stack->layers[i]);
		free(stack->layers[i].name);
	}
	free(stack->layers);
	stack->layers = NULL;
	stack->n = stack->n_up = 0;
}
