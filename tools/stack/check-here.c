// SPDX-License-Identifier: GPL-3.0-or-later
// What this machine cannot do of what a plan asks for, found before anything is written.
#include <string.h>

#include "common/number.h"
#include "stack/mkfs.h"
#include "stack/stack.h"

// The largest logical sector of the disks that the arm uses; 512 where none is there.
static unsigned disk_sector(const struct plan *plan, const struct plan_arm *arm,
			    const struct device_list *devices)
{
	size_t width = stack_width(arm, plan->n_targets);
	unsigned sector = 512;

	for (size_t i = 0; i < width; i++) {
		const struct device *d;

		if (match_one(&plan->targets[i], devices, &d, NULL) == 0 &&
		    d->logical_sector > sector)
			sector = d->logical_sector;
	}
	return sector;
}

// Blocks of a filesystem, and encryption sectors, cannot be smaller than the disk's own.
static void check_sector(const struct plan *plan, const struct plan_arm *arm,
			 const struct plan_layer *spec, unsigned sector,
			 struct fault_list *faults)
{
	static const char *const keys[] = { "block-size", "sector-size" };

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const char *text = plan_param(spec->params, spec->n, keys[i]);
		uint64_t v;

		if (text && number_uint(text, &v) == 0 && v < sector)
			fault_add(faults, plan->file, arm->line,
				  "arm %s, layer %s: %s=%s cannot be on this disk, whose "
				  "sectors have %u bytes",
				  arm->name, spec->kind, keys[i], text, sector);
	}
}

void stack_check_here(const struct plan *plan, const struct device_list *devices,
		      struct fault_list *faults)
{
	for (size_t i = 0; i < plan->n_arms; i++) {
		const struct plan_arm *arm = &plan->arms[i];
		unsigned sector = disk_sector(plan, arm, devices);

		for (size_t k = 1; k < arm->n && !arm->open; k++) {
			const struct plan_layer *spec = &arm->layers[k];
			const struct layer_ops *ops = layer_find(spec->kind);
			struct err err = { 0 };

			if (ops && ops->apart)
				sector = 512; // from here on it is not the disk's
			check_sector(plan, arm, spec, sector, faults);
			if (ops && ops->ready && ops->ready(spec, &err) < 0)
				fault_add(faults, plan->file, arm->line,
					  "arm %s, layer %s: %s", arm->name, spec->kind,
					  err.text);
		}
	}
}
