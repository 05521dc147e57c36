// SPDX-License-Identifier: GPL-3.0-or-later
// Named parts of a device and where each comes to lie.
#include <inttypes.h>
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "stack/volume.h"

static bool is_param(const struct param_spec *params, const char *key)
{
	for (; params && params->key; params++)
		if (strcmp(params->key, key) == 0)
			return true;
	return false;
}

static void append(struct volume_list *list, const char *name, const char *value)
{
	struct volume *v;

	list->items = mem_grow(list->items, list->n + 1, sizeof(*list->items));
	v = &list->items[list->n++];
	*v = (struct volume){ .name = mem_strdup(name) };
	v->rest = value && strcmp(value, "rest") == 0;
	if (!v->rest && (!value || number_size(value, &v->size) < 0))
		v->size = 0;
}

void volume_list_make(struct volume_list *list, const struct plan_layer *spec,
		      const struct param_spec *params, const char *only)
{
	*list = (struct volume_list){ 0 };
	for (size_t i = 0; i < spec->n; i++)
		if (!is_param(params, spec->params[i].key))
			append(list, spec->params[i].key, spec->params[i].value);
	if (list->n == 0)
		append(list, only, "rest");
}

void volume_check(const struct plan_layer *spec, const struct param_spec *params,
		  size_t max, const char *file, int line, struct fault_list *faults)
{
	_cleanup_volumes_ struct volume_list list;
	size_t rests = 0;

	volume_list_make(&list, spec, params, "data");
	for (size_t i = 0; i < list.n; i++)
		rests += list.items[i].rest;
	if (rests == 0 && list.n > 1)
		fault_add(faults, file, line,
			  "layer %s: give one of its volumes the size `rest`: it carries "
			  "the layers above",
			  spec->kind);
	if (max && list.n > max)
		fault_add(faults, file, line,
			  "layer %s: holds at most %zu volumes, %zu are asked for",
			  spec->kind, max, list.n);
}

static int too_small(uint64_t unit, uint64_t need, uint64_t have, struct err *err)
{
	_cleanup_strbuf_ struct strbuf a = { 0 }, b = { 0 };

	number_format_bytes(&a, need > UINT64_MAX / unit ? UINT64_MAX : need * unit);
	number_format_bytes(&b, have * unit);
	return err_set(err, -ENOSPC,
		       "what is asked for needs %s, and %s can be given out",
		       strbuf_str(&a), strbuf_str(&b));
}

int volume_layout(struct volume_list *list, uint64_t unit, uint64_t first, uint64_t end,
		  struct err *err)
{
	uint64_t have = end > first ? end - first : 0, need = 0, at = first;

	for (size_t i = 0; i < list->n; i++) {
		struct volume *v = &list->items[i];

		v->count = v->rest ? 1 : v->size / unit + (v->size % unit != 0);
		if (__builtin_add_overflow(need, v->count, &need))
			need = UINT64_MAX;
	}
	if (need > have)
		return too_small(unit, need, have, err);
	for (size_t i = 0; i < list->n; i++) {
		struct volume *v = &list->items[i];

		if (v->rest)
			v->count += have - need;
		v->start = at;
		at += v->count;
	}
	return 0;
}

const struct volume *volume_carrier(const struct volume_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->items[i].rest)
			return &list->items[i];
	return list->n == 1 ? &list->items[0] : NULL;
}

void volume_list_done(struct volume_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->items[i].name);
	free(list->items);
	*list = (struct volume_list){ 0 };
}
