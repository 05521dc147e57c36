// SPDX-License-Identifier: GPL-3.0-or-later
// Is a target still the disk that was permitted?
#include <inttypes.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "common/io.h"
#include "common/mem.h"
#include "suite/gone.h"

static const char *what_happened(const struct device *d)
{
	_cleanup_free_ char *dev = io_read_line("/sys/class/block/%s/dev", d->name);
	_cleanup_free_ char *want = mem_printf("%u:%u", major(d->devno), minor(d->devno));
	int64_t seq = io_read_number(0, "/sys/class/block/%s/diskseq", d->name);

	if (!dev || strcmp(dev, want) != 0)
		return "has vanished from the machine";
	if (d->diskseq && seq > 0 && (uint64_t)seq != d->diskseq)
		return "was replaced by another disk";
	if (io_read_number(0, "/sys/class/block/%s/size", d->name) <= 0)
		return "has lost its medium";
	return NULL;
}

bool gone_check(struct target *const *targets, size_t n, struct strbuf *why)
{
	for (size_t i = 0; i < n; i++) {
		const struct device *d = target_device(targets[i]);
		const char *what = what_happened(d);

		if (!what)
			continue;
		strbuf_printf(why, "the disk %s (%s, serial %s) %s", d->path,
			      d->model ? d->model : "model unknown",
			      d->serial ? d->serial : "unknown", what);
		return true;
	}
	return false;
}
