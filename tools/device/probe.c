// SPDX-License-Identifier: GPL-3.0-or-later
// What is on a device, by libblkid's low-level probing (no cache, no udev).
#include <blkid/blkid.h>

#include "common/mem.h"
#include "device/sysfs.h"

static void take(blkid_probe probe, const char *key, char **to)
{
	const char *value;

	if (blkid_probe_lookup_value(probe, key, &value, NULL) == 0)
		*to = mem_strdup(value);
}

void content_probe(struct device *d)
{
	blkid_probe probe = blkid_new_probe_from_filename(d->path);

	if (!probe)
		return; // no medium, or no node yet: nothing is known
	blkid_probe_enable_superblocks(probe, 1);
	blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE |
							 BLKID_SUBLKS_UUID |
							 BLKID_SUBLKS_LABEL);
	blkid_probe_enable_partitions(probe, d->kind != DEVICE_PARTITION);
	if (blkid_do_safeprobe(probe) == 0) {
		take(probe, "TYPE", &d->content.type);
		take(probe, "USAGE", &d->content.usage);
		take(probe, "UUID", &d->content.uuid);
		take(probe, "LABEL", &d->content.label);
		take(probe, "PTTYPE", &d->content.table);
	}
	blkid_free_probe(probe);
}
