// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with the stacks of a plan: kinds, parameters, order. Pure.
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "plan/nearest.h"
#include "stack/stack.h"

// What the walk up one arm's stack has seen so far.
struct walk {
	const struct plan *plan;
	const struct plan_arm *arm;
	struct fault_list *faults;
	const struct layer_ops *below; // NULL: the disk, or an unknown kind
	bool on_disk;                  // nothing but the disk is below
	size_t width;                  // disks side by side that nothing has joined yet
	bool encrypts;                 // the filesystem below has the feature
	uint64_t sector;               // largest encryption sector so far
};

static void unknown_kind(const struct walk *w, const char *kind)
{
	_cleanup_free_ const char **words = NULL;
	_cleanup_strbuf_ struct strbuf hint = { 0 };
	size_t n = 0;

	while (layer_kinds[n])
		n++;
	words = mem_new(n + 1, sizeof(*words));
	for (size_t i = 0; i < n; i++)
		words[i] = layer_kinds[i]->kind;
	nearest_hint(&hint, kind, words);
	fault_add(w->faults, w->plan->file, w->arm->line,
		  "arm %s: unknown layer \"%s\"%s", w->arm->name, kind,
		  strbuf_str(&hint));
}

static void check_order(const struct walk *w, const struct layer_ops *ops)
{
	bool on_fs = w->below && w->below->place == LAYER_MAKES_FS && !w->below->on_fs;

	if (ops->on_fs && !on_fs)
		fault_add(w->faults, w->plan->file, w->arm->line,
			  "arm %s: %s stands on a filesystem: put ext4 or another one "
			  "below "
			  "it",
			  w->arm->name, ops->kind);
	else if (strcmp(ops->kind, "fscrypt") == 0 && !w->encrypts)
		fault_add(w->faults, w->plan->file, w->arm->line,
			  "arm %s: fscrypt wants ext4 with the feature encrypt below it: "
			  "write ext4,encrypt/fscrypt",
			  w->arm->name);
	else if (!ops->on_fs && w->below && w->below->place != LAYER_MAKES_BLOCK)
		fault_add(w->faults, w->plan->file, w->arm->line,
			  "arm %s: %s cannot stand on %s: nothing goes on top of %s",
			  w->arm->name, ops->kind, w->below->kind,
			  w->below->place == LAYER_MAKES_SWAP ? "swap space"
							      : "a filesystem");
	if (ops->on_disk && !w->on_disk)
		fault_add(w->faults, w->plan->file, w->arm->line,
			  "arm %s: %s must come right after disk%s", w->arm->name,
			  ops->kind,
			  ops->apart
				  ? ""
				  : ": the kernel makes no partitions on a mapping (use "
				    "lvm there)");
	if (ops->joins && w->width && w->width < ops->joins)
		fault_add(w->faults, w->plan->file, w->arm->line,
			  "arm %s: %s joins at least %u devices, and there %s %zu: "
			  "[target] disk takes a list",
			  w->arm->name, ops->kind, ops->joins,
			  w->width == 1 ? "is" : "are", w->width);
	if (w->width > 1 && ops->apart)
		fault_add(w->faults, w->plan->file, w->arm->line,
			  "arm %s: %s needs no disk, and the plan names %zu: say "
			  "disk,use=1",
			  w->arm->name, ops->kind, w->width);
	if (w->width > 1 && ops->place != LAYER_MAKES_BLOCK)
		fault_add(w->faults, w->plan->file, w->arm->line,
			  "arm %s: %s takes one device, but below it are %zu disks side "
			  "by side: join them (raid0, raid1, raid10), or say disk,use=1",
			  w->arm->name, ops->kind, w->width);
}

// The disk itself: whether the plan names as many as the arm wants.
static void check_disk(struct walk *w)
{
	const struct plan_layer *disk = w->arm->layers;
	_cleanup_free_ char *who = mem_printf("arm %s, layer disk", w->arm->name);
	uint64_t use;

	param_check(disk->params, disk->n, disk_params, false, who, w->plan->file,
		    w->faults);
	use = param_uint(disk->params, disk->n, disk_params, "use");
	w->width = stack_width(w->arm, w->plan->n_targets);
	if (w->plan->n_targets && use > w->plan->n_targets)
		fault_add(w->faults, w->plan->file, w->arm->line,
			  "arm %s: use=%llu, but the plan names %zu disk%s", w->arm->name,
			  (unsigned long long)use, w->plan->n_targets,
			  w->plan->n_targets == 1 ? "" : "s");
}

// A scratch layer is sized by the plan, an existing one by what is there.
static void check_open(const struct walk *w, const struct plan_layer *spec,
		       const struct layer_ops *ops)
{
	if (!ops->open)
		fault_add(
			w->faults, w->plan->file, w->arm->line,
			"arm %s: %s cannot be opened, only made; leave it out of an arm "
			"with open = yes",
			w->arm->name, ops->kind);
	for (size_t i = 0; ops->volumes && i < spec->n; i++) {
		const struct param_spec *p = ops->params;

		while (p->key && strcmp(p->key, spec->params[i].key) != 0)
			p++;
		if (!p->key)
			fault_add(
				w->faults, w->plan->file, w->arm->line,
				"arm %s: %s=%s would make a volume, but open = yes makes "
				"nothing; name what exists by %s",
				w->arm->name, spec->params[i].key,
				spec->params[i].value ?: "", ops->carrier_key);
	}
}

// A filesystem's blocks cannot be smaller than the sectors of what is below.
static void check_sectors(struct walk *w, const struct plan_layer *spec)
{
	const char *sector = plan_param(spec->params, spec->n, "sector-size");
	const char *block = plan_param(spec->params, spec->n, "block-size");
	uint64_t v;

	if (sector && number_uint(sector, &v) == 0 && v > w->sector)
		w->sector = v;
	if (block && number_uint(block, &v) == 0 && v < w->sector)
		fault_add(w->faults, w->plan->file, w->arm->line,
			  "arm %s: %s with block-size=%s cannot be on a layer with "
			  "sector-size=%llu",
			  w->arm->name, spec->kind, block, (unsigned long long)w->sector);
}

static void check_layer(struct walk *w, const struct plan_layer *spec)
{
	const struct layer_ops *ops = layer_find(spec->kind);
	_cleanup_free_ char *who =
		mem_printf("arm %s, layer %s", w->arm->name, spec->kind);

	if (strcmp(spec->kind, "disk") == 0)
		fault_add(w->faults, w->plan->file, w->arm->line,
			  "arm %s: disk comes first and once only", w->arm->name);
	else if (!ops)
		unknown_kind(w, spec->kind);
	if (ops) {
		size_t before;

		check_order(w, ops);
		if (w->arm->open)
			check_open(w, spec, ops);
		before = w->faults->n;
		param_check(spec->params, spec->n, ops->params, ops->volumes, who,
			    w->plan->file, w->faults);
		// Only what is well formed can be looked at more closely.
		if (ops->check && w->faults->n == before && !w->arm->open)
			ops->check(spec, w->plan->file, w->arm->line, w->faults);
		check_sectors(w, spec);
	}
	w->below = ops;
	w->on_disk = false;
	w->encrypts = ops && ops->params &&
		      param_bool(spec->params, spec->n, ops->params, "encrypt");
	if (ops && ops->joins)
		w->width = 1;
}

void stack_check(const struct plan *plan, struct fault_list *faults)
{
	for (size_t i = 0; i < plan->n_arms; i++) {
		struct walk w = { .plan = plan, .arm = &plan->arms[i], .faults = faults };

		w.on_disk = true;
		if (w.arm->n)
			check_disk(&w);
		for (size_t k = 1; k < w.arm->n; k++)
			check_layer(&w, &w.arm->layers[k]);
		if (w.width > 1 && (!w.below || w.below->place == LAYER_MAKES_BLOCK))
			fault_add(
				faults, plan->file, w.arm->line,
				"arm %s: tests run on one device, but its stack ends in "
				"%zu: join them (raid0, raid1, raid10), or say "
				"disk,use=1",
				w.arm->name, w.width);
	}
}
