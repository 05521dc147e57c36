// SPDX-License-Identifier: GPL-3.0-or-later
// What every block device has moved since boot, from /proc/diskstats
// (Documentation/admin-guide/iostats.rst; its sectors have 512 bytes whatever the
// disk's).
#pragma once

#include <stddef.h>
#include <stdint.h>

struct diskstats_item {
	char name[32];
	uint64_t reads, read_bytes, writes, write_bytes, discard_bytes;
	uint64_t busy_ms; // with something in flight
};

struct diskstats {
	struct diskstats_item *items;
	size_t n;
};

// Parses the text; lines that do not parse are left out.
void diskstats_parse(struct diskstats *d, const char *text);

// Reads "`root`/proc/diskstats". Returns 0 or -errno.
int diskstats_load(struct diskstats *d, const char *root);

// What `name` moved between two readings; all zero when it is in neither. One that came
// in between counts from its beginning.
struct diskstats_item diskstats_since(const struct diskstats *before,
				      const struct diskstats *after, const char *name);

void diskstats_done(struct diskstats *d);
