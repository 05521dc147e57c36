// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that is looked at around one run: CPU account, devices, interference, gates.
#pragma once

#include "suite/cpu.h"
#include "suite/runner.h"
#include "suite/watch.h"

struct observation {
	struct cpu_account cpu;
	struct watch before;
	char **own; // kernel names of the stack's devices, NULL-terminated
	char *top;  // that of its top device, or NULL
};

// What the campaign knows before its first run: what was quietened, the idle baseline.
// Goes into a record of kind "environment" and into the campaign.
void observe_campaign(struct runner *r);

// The machine as it is after the last run, and gates that need all of them.
void observe_campaign_end(struct runner *r);

// Right before and right after the engine. The second call wants run->cgroup to be there
// still, and the outcome; `not_dropped` says why caches were not empty, or is NULL.
void observe_begin(struct runner *r, struct run *run, struct observation *o);
void observe_end(struct runner *r, struct run *run, struct observation *o,
		 const char *not_dropped);
