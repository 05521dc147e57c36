// SPDX-License-Identifier: GPL-3.0-or-later
// The one gate to writing: only guard_permit() makes a struct target, and every function
// that writes to a device wants one.
#pragma once

#include "device/device.h"
#include "device/match.h"

// A disk that may be written. Opaque: nobody else can make one.
struct target;

// What the guard needs to know beside the machine itself.
struct guard_rules {
	char *const *boot_media;    // kernel names of the disks that carry the medium we
				    // started from (medium_find()); NULL: none
	const char *results_medium; // kernel name of the disk that takes results, or NULL
};

// May this disk be written at all? Walks partitions, holders and slaves (dm, md, loop)
// both ways: refused when it or anything on or below it is mounted, is swap, has a
// holder, is the boot or results medium, is read-only, has no size, or shares its
// identity with another disk. Returns 0, or -EBUSY/-EROFS/-ENOTUNIQ/... with the reason.
int guard_may_write(const struct guard_rules *rules, const struct device_list *list,
		    const struct device *disk, struct err *err);

// Checks consent (`erase` names the same disk by serial, WWN, or by-path or size where
// a disk has neither; a NULL or empty one is -EACCES) and guard_may_write(), opens the
// disk exclusively to make sure of it, and makes the target. The caller frees it.
int guard_permit(const struct guard_rules *rules, const struct device_list *list,
		 const struct match *which, const char *erase, struct target **ret,
		 struct err *err);

// For arms that only open and read: needs no consent, and the target that it makes is
// refused by everything that writes (target_writable()). In-use disks and the media of
// boot and results are refused as well.
int guard_look(const struct guard_rules *rules, const struct device_list *list,
	       const struct match *which, struct target **ret, struct err *err);

// The same as guard_permit() for a disk whose only users are what an earlier `assay` left
// on it: mappings named assay-..., and mounts below /run/assay/mnt/. For taking those
// away, nothing else.
int guard_permit_again(const struct guard_rules *rules, const struct device_list *list,
		       const struct match *which, const char *erase, struct target **ret,
		       struct err *err);

// A device that Assay itself has made without a disk: null_blk, a RAM disk, or a mapping
// named assay-... with nothing below it. Others are refused. The caller frees it.
int guard_adopt(const char *path, struct target **ret, struct err *err);

// And for what a plan without consent only opened: as guard_look(), with the users of
// guard_permit_again().
int guard_look_again(const struct guard_rules *rules, const struct device_list *list,
		     const struct match *which, struct target **ret, struct err *err);

// Again right before a destructive step: same diskseq, devno and identity as when it was
// permitted, and nothing else has taken it since. Devices in `ours` (NULL-terminated
// kernel names of our own layers) do not count as holders.
int guard_recheck(const struct target *t, const char *const *ours, struct err *err);

bool target_writable(const struct target *t);               // false after guard_look()
const char *target_path(const struct target *t);            // "/dev/sda"
const struct device *target_device(const struct target *t); // a private copy
void target_free(struct target *t);

// Sets every disk that is no target read-only in the kernel (BLKROSET), its partitions
// too; returns how many could not be set, each reason appended to `why`. Called again
// for each device that appears or is re-read. `except`: kernel names left writable (the
// results medium).
size_t guard_lock_others(const struct device_list *list, struct target *const *targets,
			 size_t n, const char *const *except, struct strbuf *why);

// The table and the JSON array of device_print() and device_json(), with whether each
// disk may be written (given consent) and if not, why: what `assay devices` shows.
void guard_print(const struct guard_rules *rules, const struct device_list *list,
		 struct strbuf *to);
struct json_object *guard_json(const struct guard_rules *rules,
			       const struct device_list *list);
