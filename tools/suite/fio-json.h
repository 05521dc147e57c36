// SPDX-License-Identifier: GPL-3.0-or-later
// What `fio --output-format=json+` writes, with all that may stand around it.
#pragma once

#include "common/json.h"
#include "result/metric.h"

// The last complete document in the text: fio may print notes before, after, between and
// inside, and several documents with --status-interval. The caller puts it. NULL with
// `err` when there is none.
struct json_object *fio_json_find(const char *text, size_t len, struct err *err);

// Did every job end without error and at least one byte move? Returns 0; -EBADMSG when
// the document has no jobs; -EIO with job and error; -ENODATA when nothing was moved.
int fio_json_check(const struct json_object *doc, struct err *err);

// Bytes that all jobs moved, both directions and trims.
uint64_t fio_json_bytes(const struct json_object *doc);

// The same of one direction: "read", "write", "trim".
uint64_t fio_json_bytes_of(const struct json_object *doc, const char *direction);

// Adds read, write (B/s), <dir>_iops (1/s) over all jobs: bytes and operations by the
// time of the longest. With one job, also <dir>_latency and its _p50 _p99 _p999 (s,
// completion latency). A direction without I/O adds nothing.
void fio_json_metrics(const struct json_object *doc, struct metric_list *to);

// Did an operation of the job take less than a microsecond? No disk does that: it was
// served from a cache.
bool fio_json_cached(const struct json_object *doc);

// Adds version, errors, queue depths, CPU and disk use, and of the first job the shares
// of operations by how long they took, to `detail`.
void fio_json_detail(const struct json_object *doc, struct json_object *detail);
