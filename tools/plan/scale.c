// SPDX-License-Identifier: GPL-3.0-or-later
// Values that grow and shrink with the plan's `scale`: "432M*scale", so that the same
// plan runs in an emulator in minutes and on iron in full.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "common/number.h"
#include "plan/build.h"

#define SUFFIX    "*scale"
#define MIB       1048576.0

#define SCALE_MAX 1000

bool scale_has(const char *value)
{
	size_t len = value ? strlen(value) : 0, n = strlen(SUFFIX);

	return len > n && strcmp(value + len - n, SUFFIX) == 0;
}

// Whole MiB from one MiB on, because tools and layers count in them; never nothing.
static char *scaled_size(double bytes, double scale)
{
	double v = bytes * scale;

	v = v >= MIB ? floor(v / MIB) * MIB : bytes >= MIB ? MIB : v < 512 ? 512 : v;
	return mem_printf("%.0f", v);
}

char *scale_apply(const char *value, double scale)
{
	_cleanup_free_ char *base = mem_strndup(value, strlen(value) - strlen(SUFFIX));
	uint64_t v;

	if (!*base)
		return NULL;
	if (number_uint(base, &v) == 0) // a count
		return mem_printf("%.0f", fmax(1, round((double)v * scale)));
	if (strchr("smh", base[strlen(base) - 1])) {
		if (number_duration(base, &v) < 0)
			return NULL;
		return mem_printf("%.0fms", fmax(1, round((double)v * scale / 1e6)));
	}
	if (number_size(base, &v) < 0)
		return NULL;
	return scaled_size((double)v, scale);
}

// "0.05" or "1/20"
static int parse_scale(const char *text, double *ret)
{
	const char *slash = strchr(text, '/');
	_cleanup_free_ char *upper =
		mem_strndup(text, slash ? (size_t)(slash - text) : strlen(text));
	double a, b = 1;

	if (number_double(upper, &a) < 0 || (slash && number_double(slash + 1, &b) < 0))
		return -EINVAL;
	*ret = a / b;
	return *ret > 0 && *ret <= SCALE_MAX ? 0 : -ERANGE; // not for NaN
}

void build_set_scale(const struct build *b, void *to, const struct raw_entry *e)
{
	struct plan *p = to;

	if (parse_scale(e->value, &p->scale) < 0) {
		p->scale = 1;
		build_fault(b, e, "\"%s\" is not a number above 0, such as 0.05 or 1/20",
			    e->value);
	}
}

void build_scale(const struct build *b, const struct raw_entry *e, char **value)
{
	char *scaled;

	if (!scale_has(*value))
		return;
	scaled = scale_apply(*value, b->plan->scale);
	if (!scaled) {
		build_fault(b, e,
			    "\"%s\": before *scale stands a size, a count or a duration",
			    *value);
		return;
	}
	free(*value);
	*value = scaled;
}
