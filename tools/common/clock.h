// SPDX-License-Identifier: GPL-3.0-or-later
// Time: durations from the monotonic clock, wall time only for a person.
#pragma once

#include <stdint.h>

#define CLOCK_SECOND UINT64_C(1000000000)

// Nanoseconds since boot, suspend not counted (CLOCK_MONOTONIC).
uint64_t clock_mono_ns(void);

// Milliseconds from now until `deadline_ns`, for poll(2): never negative; -1 (for ever)
// only when deadline_ns is 0.
int clock_poll_ms(uint64_t deadline_ns);

// Wall time as "2026-03-31T12:00:00Z"; `to` holds at least 21 bytes.
void clock_wall(char *to);

// Wall time for a folder's name, "20260331-120000"; `to` holds at least 16 bytes.
void clock_wall_compact(char *to);
