// SPDX-License-Identifier: GPL-3.0-or-later
// A stack that is up, as the kernel tells it.
#include "stack/node.h"
#include "stack/stack-private.h"

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

static struct json_object *layer_json(const struct layer *l)
{
	struct json_object *o = json_new();

	json_set_str(o, "kind", l->ops->kind);
	json_set_str(o, "name", l->name);
	json_set_str(o, "device", l->path);
	json_set(o, "params", params_json(l->spec));
	if (l->n_members) {
		struct json_object *members = json_new_array();

		for (size_t i = 0; i < l->n_members; i++)
			json_append_str(members, l->members[i]);
		json_set(o, "below", members);
	}
	if (l->path)
		node_describe(l->path, o);
	if (l->ops->describe && l->up)
		l->ops->describe(l, o);
	return o;
}

struct json_object *stack_json(const struct stack *stack)
{
	struct json_object *all = json_new_array();
	size_t disks = stack_width(stack->arm, stack->n_targets);

	for (size_t i = 0; i < disks; i++)
		json_append(all, disk_json(stack->targets[i]));
	for (size_t i = 0; i < stack->n_up; i++)
		json_append(all, layer_json(&stack->layers[i]));
	return all;
}

int stack_settle(const struct stack *stack, struct json_object *to, struct err *err)
{
	int r = 0;

	for (size_t i = 0; i < stack->n_up; i++) {
		const struct layer *l = &stack->layers[i];
		struct json_object *state;
		struct err why = { 0 };
		int one;

		if (!l->up || !l->ops->settle)
			continue;
		state = json_new();
		json_set_str(state, "kind", l->ops->kind);
		one = l->ops->settle(l, state, &why);
		json_set(to, l->name, state);
		if (one < 0 && r == 0)
			r = err_set(err, one, "layer %s: %s", l->ops->kind, why.text);
	}
	return r;
}
