// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and sizes as text, both ways. The only place that parses numbers.
#pragma once

#include <stdint.h>

#include "common/strbuf.h"

// Parse the whole text; leading or trailing junk and overflow are -EINVAL / -ERANGE.
int number_int(const char *s, int64_t *ret);
int number_uint(const char *s, uint64_t *ret);
int number_double(const char *s, double *ret);

// Sizes: a number with an optional suffix. K M G T (and KiB...) are powers of 1024, kB
// MB GB TB powers of 1000, B or none is bytes: as mkfs, lvm and fio read them, save
// that a plan may be exact about it. "1.5G" is allowed.
int number_size(const char *s, uint64_t *ret);

// Durations in nanoseconds: "90", "90s", "10m", "3h", "250ms"; a bare number is seconds.
int number_duration(const char *s, uint64_t *ret_ns);

// yes/no, true/false, on/off, 1/0. Returns 1, 0 or -EINVAL.
int number_bool(const char *s);

// The shortest decimal text that reads back as the same double: "0.1", "22354944", "nan".
void number_format_exact(struct strbuf *to, double value);

// "512 MB", "80.0 GB", "1.46 GB": powers of 1000, three digits, as disks are sold.
void number_format_bytes(struct strbuf *to, uint64_t bytes);

// "21.8 MB/s"
void number_format_rate(struct strbuf *to, double bytes_per_second);

// "1 h 20 min", "12.3 s", "4.1 ms"
void number_format_duration(struct strbuf *to, uint64_t ns);
