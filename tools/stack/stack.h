// SPDX-License-Identifier: GPL-3.0-or-later
// A stack of layers from the disk upward: built, described and torn down exactly.
#pragma once

#include "common/secret.h"
#include "plan/plan.h"
#include "stack/layer.h"

// Where the keys of what an `open` arm opens come from. Each function returns 0 or
// -errno.
struct key_source {
	// Asks a person for a passphrase.
	int (*ask)(const char *prompt, struct secret *ret, void *arg, struct err *err);
	// Reads the arm's key file from the assay stick.
	int (*file)(const char *name, struct secret *ret, void *arg, struct err *err);
	// The key of what is made, to open it later; NULL: random, and known to nobody.
	int (*make)(struct secret *ret, void *arg, struct err *err);
	void *arg;
};

struct stack {
	const struct plan_arm *arm;
	struct target *const *targets; // who may be written; not owned
	size_t n_targets;
	const struct key_source *keys; // NULL: nobody to ask, no stick
	struct layer *layers; // the plan's layers without "disk", bottom up; each once
			      // for every disk below the one that joins them
	size_t n, n_up; // layers[0 .. n_up-1] exist in the kernel
	bool keep;      // stack_down() leaves what is needed to open it again
	bool locked;    // stack_up() set the targets read-only (open, no scratch)
	unsigned step, fail_step; // steps done; the one that is to fail, 0: none (tests)
	// Not 0: keys follow from it, so that what is made here can be opened again by a
	// test that times that, or after a power cut. Such keys protect nothing: the
	// number is in the report. 0: they are random, and nobody keeps them.
	uint64_t key_seed;
};

// Adds what is wrong with the stacks of every arm: unknown kinds (with the nearest known
// one), parameters, an order that cannot be (a layer above a filesystem, two disks for a
// layer that takes one), a size that does not fit when `targets` are known (may be 0).
void stack_check(const struct plan *plan, struct fault_list *faults);

// Adds what this machine cannot do of it: sectors of the disks, the kernel's ciphers,
// memory. Writes nothing. Arms that only open are not looked at.
void stack_check_here(const struct plan *plan, const struct device_list *devices,
		      struct fault_list *faults);

// Builds the arm on the targets, bottom up. On failure everything built so far is torn
// down again and `err` names the layer and the reason (and what could not be removed).
// The stack is to be torn down with stack_down() and freed with stack_done().
int stack_up(struct stack *stack, struct err *err);

// Tears down from the top; goes on after a failure. Returns 0 or the first -errno; `err`
// lists every layer that is left. Safe to call at any moment, and twice.
int stack_down(struct stack *stack, struct err *err);

// Right before a test: each layer waits, bounded, until it does nothing by itself, and
// adds its state as a member of its name to `to`. Returns 0 or the first -errno.
int stack_settle(const struct stack *stack, struct json_object *to, struct err *err);

// For the layers: wipe_allowed() and wipe_device() for what this stack may write.
int stack_may_write(const struct stack *stack, const char *path, struct err *err);
int stack_wipe(const struct stack *stack, const char *path, struct err *err);

// For the layers: says what comes next. Returns 0, or -EIO when this is stack->fail_step.
int stack_step(struct stack *stack, const char *what, struct err *err);

// For the layers: the key of what is made, from stack->keys, from stack->key_seed (then a
// shorter one is the beginning of a longer one), or `len` random bytes.
int stack_make_key(const struct stack *stack, size_t len, struct secret *ret,
		   struct err *err);

// How many of the plan's disks that arm uses: `use` of its layer disk, else all.
size_t stack_width(const struct plan_arm *arm, size_t n_targets);

// What the layer "disk" takes.
extern const struct param_spec disk_params[];

// Takes the top layer down and makes it anew, with all that stack_up() looks at before it
// writes. Not for arms that are opened. When it fails that layer is down.
int stack_remake_top(struct stack *stack, struct err *err);

// Path of the top block device, and the mount point of the filesystem on it or NULL.
const char *stack_device(const struct stack *stack);
const char *stack_dir(const struct stack *stack);

// Everything mounted, dm, md or swap that still sits on the targets, one name a line;
// returns how many. To be called after stack_down(): leftovers are an error.
size_t stack_leftovers(struct target *const *targets, size_t n, struct strbuf *to);

// Removes leftovers of a crashed run on these targets, top down (umount, swapoff, dm
// remove, LV/VG deactivate, md stop). Returns 0 or the first -errno.
int stack_clear(struct target *const *targets, size_t n, struct err *err);

// The stack as the kernel sees it now: a JSON array, bottom layer first.
struct json_object *stack_json(const struct stack *stack);

void stack_done(struct stack *stack);
