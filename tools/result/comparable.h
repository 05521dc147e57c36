// SPDX-License-Identifier: GPL-3.0-or-later
// May the runs of two campaigns be compared? What must be equal is listed by name, so
// that a difference can be told to a person; the key is a hash of that list.
#pragma once

#include "common/json.h"
#include "common/strbuf.h"

// What the numbers of this run of result.json depend on beside its arm: {"name":"value"},
// sorted by name: engine, its version and parameters, sizes, memory, kernel, mitigations,
// CPU, disk, queue, place on the disk, ciphers' drivers, mount options, power. What the
// document does not tell is left out, and then not compared. The caller puts it.
struct json_object *comparable_items(const struct json_object *result,
				     const struct json_object *run);

// 16 hexadecimal digits (FNV-1a, 64 bits) of the items less those named in `factors`, a
// NULL-terminated list (may be NULL). `ret` holds at least 17 bytes.
void comparable_key(const struct json_object *items, const char *const *factors,
		    char *ret);

// Adds one line for each item that both have and that differs, less the factors:
// "kernel: 6.1.0-57-amd64 / 6.5.0-1-amd64". Returns how many. What only one of them tells
// is no difference.
size_t comparable_explain(const struct json_object *a, const struct json_object *b,
			  const char *const *factors, struct strbuf *to);

// Names of items that differ between two machines of one kind by nature; for a fleet.
extern const char *const comparable_of_one_machine[];
