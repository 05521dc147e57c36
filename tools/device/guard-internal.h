// SPDX-License-Identifier: GPL-3.0-or-later
// Private to guard*.c and its tests: the decisions, apart from the kernel calls.
#pragma once

#include "device/guard.h"

struct target {
	struct device device; // as it was when permitted
	char **boot_media, *results_medium;
	bool look_only;
};

// Is anything on `disk` mounted or swap, or (with `holders`) held by another device?
// Devices in `ours` do not count. 0, or -EBUSY with the reason.
int guard_check_use(const struct device_list *list, const struct device *disk,
		    const char *const *ours, bool holders, struct err *err);

// Is it the boot or the results medium, or below one? 0, or -EBUSY with the reason.
int guard_check_media(const struct guard_rules *rules, const struct device_list *list,
		      const struct device *disk, struct err *err);

// Is the disk of that name still the one that was permitted, as far as the kernel tells?
bool guard_still_there(const struct device_list *list, const struct device *was);

// guard_may_write() with devices that do not count as users.
int guard_check(const struct guard_rules *rules, const struct device_list *list,
		const struct device *disk, const char *const *ours, struct err *err);

// All that guard_permit() decides before it opens the disk.
int guard_decide(const struct guard_rules *rules, const struct device_list *list,
		 const struct match *which, const char *erase, const struct device **ret,
		 struct err *err);

// All that guard_permit_again() decides.
int guard_decide_again(const struct guard_rules *rules, const struct device_list *list,
		       const struct match *which, const char *erase,
		       const struct device **ret, struct err *err);

// All that guard_look_again() decides.
int guard_decide_look_again(const struct guard_rules *rules,
			    const struct device_list *list, const struct match *which,
			    const struct device **ret, struct err *err);

// All that guard_recheck() decides on a fresh list.
int guard_verify(const struct target *t, const struct device_list *list,
		 const char *const *ours, struct err *err);

// Is it a device without a disk that Assay may have made?
bool guard_is_own(const struct device *d);

// Is this one of the devices that guard_lock_others() sets read-only? `targets` and
// `except` are kernel names, NULL-terminated or NULL.
bool guard_locks(const struct device_list *list, const char *const *targets,
		 const char *const *except, const struct device *d);
