// SPDX-License-Identifier: GPL-3.0-or-later
// A layer kind: one file, one const table of functions, found by the word in the plan.
//
// The contract. `check` is pure and adds every fault it sees. `ready` says whether this
// machine can do it (ciphers, memory) and is asked before anything is written. `up` makes
// the layer on `below` (which stack_up() has wiped of old signatures) and sets `path` (a
// block device) or `dir` (a mounted filesystem); when it fails stack_up() calls `down`.
// `open` does the same for something that exists: it never formats and opens read-only
// unless the arm says scratch. `down` undoes exactly what up or open did, may be called
// on a half-made layer, waits for devices to vanish, and reports what it could not
// remove. `describe` adds the layer's facts as the kernel tells them now (read back, not
// remembered). `settle` is called right before each test: it waits, bounded, until the
// layer does nothing by itself any more (a resync), and adds its state.
//
// Several disks. The layers below one that joins are made once for each disk of the plan,
// so that "disk/luks1/raid10/xfs" is one LUKS for each member, and
// "disk/raid10/luks1/xfs" one on the array. "disk,use=2" takes the first two disks only.
//
// Steps. Between any two things that it does to the machine an `up` or `open` calls
// stack_step(), where a test lets it fail: whatever was done so far must be undone.
#pragma once

#include <stdbool.h>

#include "common/err.h"
#include "common/fault.h"
#include "common/json.h"
#include "device/guard.h"
#include "plan/param.h"

struct layer;
struct stack;

enum layer_place {
	LAYER_MAKES_BLOCK, // block device below, block device above: gpt, luks2, lvm
	LAYER_MAKES_FS,    // a filesystem, mounted: nothing may follow
	LAYER_MAKES_SWAP,  // ends a stack; tests run on nothing but raw below
};

struct layer_ops {
	const char *kind;
	const char *help; // one line
	enum layer_place place;
	const struct param_spec *params; // ends with a NULL key; NULL: takes none
	bool volumes; // also takes name=size, one of them rest; needs `params`, too
	const char *carrier_key; // with volumes: the parameter that names one to open
	bool carrier_by_number;  // ... by its number, not its name
	bool on_fs;              // stands on a mounted filesystem, not on a device
	bool apart;              // does not touch the disk below
	bool forgets;            // what was written is gone when it is torn down
	bool on_disk; // right above the disk only (the kernel makes no partitions on dm)
	bool hides;   // a fresh key: old signatures below cannot be seen through it
	unsigned joins; // the least number of devices that it makes one of; 0: takes one
	void (*check)(const struct plan_layer *spec, const char *file, int line,
		      struct fault_list *faults); // beyond the table; may be NULL
	int (*ready)(const struct plan_layer *spec, struct err *err); // or NULL
	int (*up)(struct stack *stack, struct layer *layer, struct err *err);
	int (*open)(struct stack *stack, struct layer *layer, struct err *err); // or NULL
	int (*down)(struct stack *stack, struct layer *layer, struct err *err);
	void (*describe)(const struct layer *layer, struct json_object *to);
	int (*settle)(const struct layer *layer, struct json_object *to,
		      struct err *err); // or NULL
};

struct layer {
	const struct layer_ops *ops;
	const struct plan_layer *spec;
	size_t level,
		lane; // its place in the plan's stack, from 1, and which disk's, from 0
	char *name;   // unique in the kernel: "assay-encrypted-2", also dm, VG or md name
	char *below;  // path of the block device below it; of several members the first
	char *below_dir; // on_fs: the mount point below it
	char **members;  // paths of the `n_members` devices that it joins, else NULL
	size_t n_members;
	char *path; // block device it made; for a filesystem the device it is on
	char *dir;  // mount point of a filesystem, else NULL
	struct target *adopted; // what it made without a disk, and may be written
	void *state;            // the layer's own, freed by its down()
	bool up; // exists in the kernel, whole or in part; kept by stack_up/_down
};

// The table of kinds, NULL-terminated, and the lookup in it (NULL: unknown).
extern const struct layer_ops *const layer_kinds[];
const struct layer_ops *layer_find(const char *kind);
