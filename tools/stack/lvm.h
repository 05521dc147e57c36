// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the lvm program on one device and nothing else, and reads its JSON reports.
#pragma once

#include "common/json.h"
#include "common/strbuf.h"

struct lvm {
	const char *device; // the one device that lvm may look at
	const char
		*read_only; // "vg/lv" to activate read-only, and no metadata writes; NULL
};

// The configuration that hides every other device and needs no udev, as one string.
void lvm_config(const struct lvm *lvm, struct strbuf *to);

// Runs `lvm ARGV[0] --config ... ARGV[1..]` (NULL-terminated); what it printed goes to
// `out` (may be NULL). Returns 0 or -errno with lvm's own words.
int lvm_run(const struct lvm *lvm, const char *const *argv, struct strbuf *out,
	    struct err *err);

// The name of a volume's mapping: dashes within the names are doubled. The caller frees.
char *lvm_map_name(const char *vg, const char *lv);

// Removes /dev/VG/LV and, when it is empty, /dev/VG, which lvm makes without udev and
// which would be in the way of a new group of that name. `map` is the mapping's name;
// one that is not LVM's does nothing.
void lvm_remove_links(const char *map);

// The rows of a report, {"report":[{"lv":[{...}]}]}; `what` is "vg", "lv", "pv" or
// "seg". The caller puts the array. NULL with `err` when there is no such report.
struct json_object *lvm_rows(const char *text, size_t len, const char *what,
			     struct err *err);

// A number that lvm reports as text. Returns 0 or -EINVAL.
int lvm_uint(const struct json_object *row, const char *key, uint64_t *ret);
