// SPDX-License-Identifier: GPL-3.0-or-later
// Private to this folder: how sysfs is walked, and the steps of a scan.
#pragma once

#include "device/device.h"

// A list of strings that ends with NULL; `*list` may be NULL.
void names_add(char ***list, const char *name); // a name that is there stays single
bool names_has(char *const *list, const char *name);
void names_free(char **list);

// Base name of a symlink's target, which need not exist; NULL when it is no symlink.
char *sysfs_link(const char *dir, const char *name);

// Cuts the last component off a path below .../sys/devices; false at that top.
bool sysfs_up(char *dir);

// The names in a folder, sorted; NULL when there are none.
char **sysfs_names(const char *dir);

// Text as a person may see it: blanks trimmed, unprintable bytes as '?'; NULL when
// nothing is left.
char *sysfs_clean(const void *text, size_t len);

// by_path and transport of the block device whose real folder is `dir`.
void path_id(struct device *d, const char *dir);

// model, serial, wwn, firmware (and a better transport where the disk tells).
void identity_read(struct device *d, const char *dir);

// mounts, swap, what loop devices sit on, btrfs over several devices; then holders and
// slaves completed so that each link is seen from both ends. Returns 0, or -errno when
// what is mounted cannot be read.
int usage_read(const char *root, struct device_list *list);

// content, by libblkid.
void content_probe(struct device *d);

// One disk with its content freed, and a deep copy.
void device_done(struct device *d);
void device_copy(const struct device *from, struct device *to);
