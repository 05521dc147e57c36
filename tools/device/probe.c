// SPDX-License-Identifier: GPL-3.0-or-later
// What is on a device, by libblkid's low-level probing (no cache, no udev). A dying disk
// may hold a read for ever, so the reading is done where it can be left behind.
#include <blkid/blkid.h>
#include <stdio.h>
#include <string.h>

#include "common/bounded.h"
#include "common/clock.h"
#include "common/io.h"
#include "common/mem.h"
#include "device/sysfs.h"

#define PROBE_TIME (10 * CLOCK_SECOND) // a healthy disk that spins up takes less
#define STUCK_MAX  64

static const char *const keys[] = { "TYPE", "USAGE", "UUID", "LABEL", "PTTYPE" };

static char **field(struct device_content *c, size_t key)
{
	char **const fields[] = { &c->type, &c->usage, &c->uuid, &c->label, &c->table };

	return fields[key];
}

// In the child: one line for each thing found, "KEY=value".
static int probe_device(void *arg, int out)
{
	const struct device *d = arg;
	blkid_probe probe = blkid_new_probe_from_filename(d->path);
	const char *value;

	if (!probe)
		return 0; // no medium, or no node yet: nothing is known
	blkid_probe_enable_superblocks(probe, 1);
	blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE |
							 BLKID_SUBLKS_UUID |
							 BLKID_SUBLKS_LABEL);
	blkid_probe_enable_partitions(probe, d->kind != DEVICE_PARTITION);
	if (blkid_do_safeprobe(probe) != 0)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		_cleanup_free_ char *line = NULL;

		if (blkid_probe_lookup_value(probe, keys[i], &value, NULL) != 0)
			continue;
		line = mem_printf("%s=%s", keys[i], value);
		for (char *p = line; *p; p++)
			if (*p == '\n')
				*p = '?'; // a label may hold anything
		dprintf(out, "%s\n", line);
	}
	return 0;
}

static void take_line(struct device_content *c, const char *line)
{
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		size_t len = strlen(keys[i]);

		if (strncmp(line, keys[i], len) == 0 && line[len] == '=' && !*field(c, i))
			*field(c, i) = mem_strdup(line + len + 1);
	}
}

// Devices that did not answer once are not waited for again at each scan.
static bool was_stuck(const struct device *d, bool add)
{
	static struct {
		dev_t devno;
		uint64_t diskseq;
	} stuck[STUCK_MAX];
	static size_t n;

	for (size_t i = 0; i < n; i++)
		if (stuck[i].devno == d->devno && stuck[i].diskseq == d->diskseq)
			return true;
	if (add && n < STUCK_MAX) {
		stuck[n].devno = d->devno;
		stuck[n++].diskseq = d->diskseq;
	}
	return false;
}

void content_probe(struct device *d)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	char *save = NULL, *line;

	d->stuck = was_stuck(d, false);
	if (d->stuck)
		return;
	if (bounded_run(probe_device, d, PROBE_TIME, &text) == -ETIMEDOUT) {
		d->stuck = true;
		was_stuck(d, true);
		return;
	}
	for (line = text.data ? strtok_r(text.data, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save))
		take_line(&d->content, line);
}
