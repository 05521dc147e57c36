// SPDX-License-Identifier: GPL-3.0-or-later
// LVM: one physical volume, one group, linear logical volumes, through the lvm program.
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "stack/devmap.h"
#include "stack/kinds.h"
#include "stack/lvm.h"
#include "stack/node.h"
#include "stack/stack.h"
#include "stack/volume.h"
#include "stack/wipe.h"

static const struct param_spec lvm_params[] = {
	{ .key = "vg", .type = PARAM_TEXT, .help = "existing volume group (open arms)" },
	{ .key = "lv",
	  .type = PARAM_TEXT,
	  .help = "existing logical volume (open arms)" },
	{ 0 },
};

// What down() takes away: dm names in the order they were made.
struct lvm_state {
	char *vg, *lv;
	char **maps;
	size_t n;
};

// Runs a reporting command and gives its rows.
static struct json_object *report(const struct lvm *lvm, const char *command,
				  const char *what, const char *fields, const char *which,
				  struct err *err)
{
	_cleanup_strbuf_ struct strbuf out = { 0 };
	const char *argv[] = {
		command, "--reportformat", "json", "--units", "b", "--nosuffix",
		"-o",    fields,           which,  NULL
	};

	if (lvm_run(lvm, argv, &out, err) < 0)
		return NULL;
	return lvm_rows(strbuf_str(&out), out.len, what, err);
}

// The device was wiped: there is nothing to force.
static int make_group(const struct lvm *lvm, const char *vg, struct err *err)
{
	const char *const argv[] = { "vgcreate", "-y", "-Zy", "--dataalignment", "1m",
				     "-s",       "4m", vg,    lvm->device,       NULL };

	return lvm_run(lvm, argv, NULL, err);
}

static int layout_in_group(const struct lvm *lvm, const char *vg,
			   struct volume_list *volumes, struct err *err)
{
	_cleanup_json_ struct json_object *rows =
		report(lvm, "vgs", "vg", "vg_extent_size,vg_free_count", vg, err);
	struct json_object *row = rows ? json_object_array_get_idx(rows, 0) : NULL;
	uint64_t unit, count;

	if (!rows)
		return err && err->code ? err->code : -EBADMSG;
	if (lvm_uint(row, "vg_extent_size", &unit) < 0 ||
	    lvm_uint(row, "vg_free_count", &count) < 0 || unit == 0)
		return err_set(err, -EBADMSG, "lvm does not say how large group %s is",
			       vg);
	return volume_layout(volumes, unit, 0, count, err);
}

// What a command that activates a volume has left in /dev/mapper. It is noted before the
// command runs, so that a half-done activation is taken down as well.
static int activate(const struct lvm *lvm, struct layer *layer, const char *lv,
		    const char *const *argv, char **ret, struct err *err)
{
	struct lvm_state *s = layer->state;
	char *map = lvm_map_name(s->vg, lv);
	int r;

	s->maps = mem_grow(s->maps, s->n + 1, sizeof(*s->maps));
	s->maps[s->n++] = map;
	r = lvm_run(lvm, argv, NULL, err);
	if (r < 0)
		return r;
	*ret = mem_printf("/dev/mapper/%s", map);
	return node_wait(*ret, 0, err);
}

// Neither wiped nor zeroed by lvm, which does less than wipe_device() does afterwards.
static int make_volume(const struct lvm *lvm, struct layer *layer, const struct volume *v,
		       char **ret, struct err *err)
{
	const struct lvm_state *s = layer->state;
	_cleanup_free_ char *extents = mem_printf("%llu", (unsigned long long)v->count);
	const char *const argv[] = { "lvcreate", "-y", "-Wn",   "-Zn", "-ay", "-n",
				     v->name,    "-l", extents, s->vg, NULL };

	return activate(lvm, layer, v->name, argv, ret, err);
}

// The target is asked for again here: this writes.
static int lvm_up(struct stack *stack, struct layer *layer, struct err *err)
{
	const struct lvm lvm = { .device = layer->below };
	_cleanup_volumes_ struct volume_list volumes;
	struct lvm_state *s = layer->state = mem_new(1, sizeof(*s));
	int r = stack_may_write(stack, layer->below, err);

	s->vg = mem_strdup(layer->name);
	volume_list_make(&volumes, layer->spec, lvm_params, "data");
	if (r == 0)
		r = make_group(&lvm, s->vg, err);
	if (r == 0)
		r = stack_step(stack, "the volumes", err);
	if (r == 0)
		r = layout_in_group(&lvm, s->vg, &volumes, err);
	for (size_t i = 0; r == 0 && i < volumes.n; i++) {
		const struct volume *v = &volumes.items[i];
		_cleanup_free_ char *path = NULL;

		r = make_volume(&lvm, layer, v, &path, err);
		if (r == 0)
			r = stack_step(stack, "wiping a volume", err);
		if (r == 0)
			r = stack_wipe(stack, path, err);
		if (r == 0 && v == volume_carrier(&volumes)) {
			layer->path = TAKE_PTR(path);
			s->lv = mem_strdup(v->name);
		}
	}
	return r;
}

// The group on the device, when the plan does not name it.
static int find_names(const struct lvm *lvm, const struct layer *layer,
		      struct lvm_state *s, struct err *err)
{
	const char *vg = plan_param(layer->spec->params, layer->spec->n, "vg");
	const char *lv = plan_param(layer->spec->params, layer->spec->n, "lv");
	_cleanup_strbuf_ struct strbuf list = { 0 };
	_cleanup_json_ struct json_object *rows =
		report(lvm, "lvs", "lv", "vg_name,lv_name", vg, err);
	size_t found = 0;

	if (!rows)
		return err && err->code ? err->code : -EBADMSG;
	for (size_t i = 0; i < json_object_array_length(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);
		const char *in = json_get_str(row, "vg_name");
		const char *name = json_get_str(row, "lv_name");

		if (!in || !name)
			continue;
		strbuf_printf(&list, " %s/%s", in, name);
		if (lv && strcmp(lv, name) != 0)
			continue;
		free(s->vg);
		free(s->lv);
		s->vg = mem_strdup(in);
		s->lv = mem_strdup(name);
		found++;
	}
	if (found == 1)
		return 0;
	return err_set(err, found ? -ENOTUNIQ : -ENOENT,
		       "%s: which logical volume? Name it with vg= and lv=; there are:%s",
		       lvm->device, list.len ? strbuf_str(&list) : " none");
}

static int lvm_open(struct stack *stack, struct layer *layer, struct err *err)
{
	struct lvm_state *s = layer->state = mem_new(1, sizeof(*s));
	struct lvm lvm = { .device = layer->below, .read_only = "none/none" };
	_cleanup_free_ char *which = NULL;
	const char *argv[] = { "lvchange", "-ay", "-y", NULL, NULL };
	int r = find_names(&lvm, layer, s, err);

	if (r < 0)
		return r;
	argv[3] = which = mem_printf("%s/%s", s->vg, s->lv);
	lvm.read_only = stack->arm->scratch ? NULL : which;
	return activate(&lvm, layer, s->lv, argv, &layer->path, err);
}

// Removing the mappings is all there is to it: lvm itself keeps no state, and so nothing
// can hang on a program.
static int lvm_down(struct stack *stack _unused_, struct layer *layer, struct err *err)
{
	struct lvm_state *s = layer->state;

	while (s && s->n > 0) {
		int r = devmap_remove(s->maps[s->n - 1], err);

		if (r < 0)
			return r;
		free(s->maps[--s->n]);
	}
	if (s) {
		free(s->vg);
		free(s->lv);
		free(s->maps);
	}
	free(TAKE_PTR(layer->state));
	return 0;
}

// lvm reports every number as text; a record has numbers.
static struct json_object *numbered(struct json_object *rows)
{
	for (size_t i = 0; rows && i < json_object_array_length(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		json_object_object_foreach (row, key, value) {
			const char *text = json_object_get_string(value);
			uint64_t v;

			if (strstr(key, "_name") || !text || number_uint(text, &v) < 0)
				continue;
			json_set_uint(row, key, v); // replaces, adds nothing
		}
	}
	return rows;
}

static void lvm_describe(const struct layer *layer, struct json_object *to)
{
	const struct lvm_state *s = layer->state;
	const struct lvm lvm = { .device = layer->below, .read_only = "none/none" };
	const char *slash = layer->path ? strrchr(layer->path, '/') : NULL;

	if (!s || !s->vg)
		return;
	json_set_str(to, "vg", s->vg);
	json_set_str(to, "lv", s->lv);
	json_set(to, "groups",
		 numbered(report(
			 &lvm, "vgs", "vg",
			 "vg_name,vg_size,vg_extent_size,vg_extent_count,vg_free_count",
			 s->vg, NULL)));
	json_set(to, "segments",
		 numbered(report(
			 &lvm, "lvs", "lv",
			 "lv_name,lv_size,segtype,seg_size,seg_start_pe,seg_pe_ranges,"
			 "lv_read_ahead,lv_permissions",
			 s->vg, NULL)));
	if (slash)
		devmap_describe(slash + 1, to);
}

static void lvm_check(const struct plan_layer *spec, const char *file, int line,
		      struct fault_list *faults)
{
	volume_check(spec, lvm_params, 0, file, line, faults);
}

const struct layer_ops layer_lvm = {
	.kind = "lvm",
	.help = "LVM volume group on one device, linear volumes",
	.place = LAYER_MAKES_BLOCK,
	.params = lvm_params,
	.volumes = true,
	.carrier_key = "lv",
	.check = lvm_check,
	.up = lvm_up,
	.open = lvm_open,
	.down = lvm_down,
	.describe = lvm_describe,
};
