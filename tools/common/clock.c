// SPDX-License-Identifier: GPL-3.0-or-later
// Time.
#include <limits.h>
#include <time.h>

#include "common/clock.h"

uint64_t clock_mono_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * CLOCK_SECOND + (uint64_t)t.tv_nsec;
}

int clock_poll_ms(uint64_t deadline_ns)
{
	uint64_t now = clock_mono_ns(), ms;

	if (!deadline_ns)
		return -1;
	if (now >= deadline_ns)
		return 0;
	ms = (deadline_ns - now + 999999) / 1000000;
	return ms > INT_MAX ? INT_MAX : (int)ms;
}

void clock_wall(char *to)
{
	time_t now = time(NULL);
	struct tm tm;

	strftime(to, 21, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
}

void clock_wall_compact(char *to)
{
	time_t now = time(NULL);
	struct tm tm;

	strftime(to, 16, "%Y%m%d-%H%M%S", gmtime_r(&now, &tm));
}
