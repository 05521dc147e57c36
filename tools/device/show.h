// SPDX-License-Identifier: GPL-3.0-or-later
// Private to this folder: devices as a table for a person.
#pragma once

#include "device/device.h"

// `verdict` says of a disk whether it may be written ("yes", "no: why"; the caller
// frees), or is NULL.
void show_devices(const struct device_list *list,
		  char *(*verdict)(const struct device *disk, void *arg), void *arg,
		  struct strbuf *to);
