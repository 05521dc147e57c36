// SPDX-License-Identifier: GPL-3.0-or-later
// Named parts of a device, "boot=200M,home=rest", and where each comes to lie: pure
// arithmetic, shared by partition tables (units of 1 MiB) and LVM (units of an extent).
#pragma once

#include "plan/param.h"

struct volume {
	char *name;
	uint64_t size; // bytes asked for; 0 with `rest`
	bool rest;
	uint64_t start, count; // filled by volume_layout(), in units
};

struct volume_list {
	struct volume *items;
	size_t n;
};

// The volumes among a layer's parameters: the keys that are not in `params`. Without
// any, one volume of that name over everything. Bad sizes count as 0: volume_check()
// has refused them before.
void volume_list_make(struct volume_list *list, const struct plan_layer *spec,
		      const struct param_spec *params, const char *only);

// Faults beyond param_check(): no carrier, more than `max` volumes (0: any number).
void volume_check(const struct plan_layer *spec, const struct param_spec *params,
		  size_t max, const char *file, int line, struct fault_list *faults);

// Lays the volumes one after the other into units [first, end) of `unit` bytes, sizes
// rounded up, `rest` taking what remains (at least one unit). Returns 0 or -ENOSPC.
int volume_layout(struct volume_list *list, uint64_t unit, uint64_t first, uint64_t end,
		  struct err *err);

// The volume that carries the layers above: `rest`, or the only one. NULL without.
const struct volume *volume_carrier(const struct volume_list *list);

void volume_list_done(struct volume_list *list);
#define _cleanup_volumes_ _cleanup_(volume_list_done)
