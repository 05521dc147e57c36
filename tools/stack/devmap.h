// SPDX-License-Identifier: GPL-3.0-or-later
// Device-mapper devices without udev: tables read back, removal that ends.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "common/json.h"
#include "common/strbuf.h"

// Loads dm_mod, turns udev synchronisation off for this process and its children. To be
// called before anything that uses libdevmapper or libcryptsetup. Returns 0 or -errno.
int devmap_init(struct err *err);

// The mapping's name of a kernel name, "dm-2" -> "assay-a-1"; NULL when it is none. The
// caller frees.
char *devmap_name(const char *kernel_name);

// The live table, one line a target, with every key taken out. Returns 0 or -errno.
int devmap_table(const char *name, struct strbuf *to, struct err *err);

// Adds member "table": [{"start":..,"sectors":..,"target":"crypt","args":".."}].
void devmap_describe(const char *name, struct json_object *to);

// Makes a mapping of one target over `sectors` of 512 bytes. Returns 0 or -errno.
int devmap_create(const char *name, uint64_t sectors, const char *target,
		  const char *args, bool read_only, struct err *err);

// Removes the mapping, retried while it is busy, for at most 10 s, and waits for its
// node to vanish. A mapping that is not there is success. Returns 0 or -errno.
int devmap_remove(const char *name, struct err *err);

// Takes the key (second word) out of a crypt target's arguments; others are copied.
void devmap_strip_key(const char *target, const char *args, struct strbuf *to);
