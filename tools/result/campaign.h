// SPDX-License-Identifier: GPL-3.0-or-later
// All that one plan produced on one machine: result.json (schema assay.result/1, written
// down in tests/data/result/result.schema.json) and the history of earlier campaigns on
// the same stick.
#pragma once

#include "common/json.h"
#include "result/metric.h"
#include "result/outcome.h"
#include "result/store.h"

// The campaign so far. The JSON members are owned by it.
struct campaign {
	enum outcome verdict;
	char *why;                    // one sentence; NULL when passed
	struct json_object *plan;     // plan_json(), with origins
	struct json_object *machine;  // machine_json()
	struct json_object *devices;  // device_json()
	struct json_object *runs;     // array: each run's record without "crc"
	struct json_object *boot;     // timings: init, devices, first benchmark I/O (s)
	struct json_object *warnings; // array of strings
	struct json_object *design;   // how it was run: see campaign_design()
	struct json_object *accept;   // campaign_accept(), or NULL
	struct json_object *environment; // "before" and "after" the runs; or NULL
	uint64_t fingerprint;            // plan_fingerprint()
	bool judged;      // campaign_verdict() was called; till then not-run
	char started[21]; // wall time of campaign_init()
	uint64_t started_ns;
};

void campaign_init(struct campaign *c);

// Makes the verdict no better than `o`; the first reason of the worst outcome is kept.
void campaign_verdict(struct campaign *c, enum outcome o, const char *fmt, ...)
	_printf_(3, 4);
void campaign_warn(struct campaign *c, const char *fmt, ...) _printf_(2, 3);

// How the experiment went, for result.json's `design`: "estimate" (s, said before the
// first run), "blocks_run", "stopped" (why it ended before plan.blocks; else absent),
// "repeated" (array of {"block","why"}), "precondition". Never NULL after
// campaign_init().
struct json_object *campaign_design(struct campaign *c);

// Judges the plan's [accept] by the runs so far, once; the verdict is none better than
// the worst line. `baseline` as in accept_judge(). Nothing without such lines.
void campaign_accept(struct campaign *c, const struct json_object *baseline);

// The runs of that block so far do not count: it is repeated, for that reason. Also told
// by a record of kind "block" with "block" and "repeated" (the reason).
void campaign_discard_block(struct campaign *c, unsigned block, const char *why);

// The whole result.json. Entries of `runs` with kind "stack" become its "stacks". Passed
// without a single passed run is written as not-run. The caller puts it.
struct json_object *campaign_json(const struct campaign *c, const struct store *s);
void campaign_done(struct campaign *c);

// What became of the last campaign of this machine with this plan, from the medium's
// folder assay/<machine>/: the newest records.jsonl whose "start" record has the same
// fingerprint. Damaged last lines are tolerated and counted. What is read: kind "start"
// with "fingerprint" and "seed" (integers), "wall" and, when it goes on with an earlier
// campaign, "resumes" (that one's store_path()), whose runs then count too; kind "end";
// kind "cut", a note of a test that cuts the power;
// every record with "arm", "block" and "test" tells how far it came.
enum past { PAST_NONE, PAST_FINISHED, PAST_DIED };

struct past_campaign {
	enum past past;
	char *dir;     // its folder on the medium
	char *when;    // wall time of its start, as recorded
	uint64_t seed; // of its order of arms; 0 when it is not recorded
	char *last;    // for PAST_DIED: what it did last, "block 2, arm plain, test fio"
	struct json_object *runs; // its run records
	// For PAST_DIED on purpose: the last record of kind "cut", with "block", "arm",
	// "test", "phase" and "count", when no "run" record came after it. NULL: no.
	struct json_object *cut;
	unsigned damaged; // lines whose checksum is wrong
};

int past_find(const char *medium_dir, const char *machine, uint32_t fingerprint,
	      struct past_campaign *ret, struct err *err);
void past_done(struct past_campaign *p);
