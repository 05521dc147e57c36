// SPDX-License-Identifier: GPL-3.0-or-later
// The link that a disk negotiated with its controller, and what it can carry at most:
// a figure above that came from a cache.
#pragma once

#include "common/strbuf.h"

// The narrowest link between the disk `name` and the machine, as far as sysfs tells:
// words for a person ("SATA 3.0 Gbit/s") are added to `words` (may be NULL). Returns
// bytes per second after the line code (8b/10b, 128b/130b, ...), protocol overhead not
// taken off; 0 when it is not known. `root` as in device_scan().
double device_link_rate(const char *root, const char *name, struct strbuf *words);
