// SPDX-License-Identifier: GPL-3.0-or-later
// The plan: what to do to which disk, from an INI file and the kernel command line.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/cmdline.h"
#include "common/fault.h"
#include "common/json.h"
#include "common/strbuf.h"
#include "device/match.h"

enum plan_ending {
	ENDING_POWEROFF,
	ENDING_REBOOT,
	ENDING_BOOT,
	ENDING_MENU,
	ENDING_SHELL
};

// What to do when this campaign already ran, or died, on this machine.
enum plan_again { AGAIN_REPORT, AGAIN_RESUME, AGAIN_START };

// Where results may go.
enum plan_results { RESULTS_STICK_AND_SERIAL, RESULTS_STICK, RESULTS_SERIAL };

// One "key=value" of a layer or a test, with where it was said.
struct plan_param {
	char *key;
	char *value; // NULL for a bare word
	int line;
};

// One step of a stack: "luks2,cipher=aes-xts-plain64,key-size=512".
struct plan_layer {
	char *kind;
	struct plan_param *params;
	size_t n;
};

// A named stack, to be compared with the others.
struct plan_arm {
	char *name;
	bool null; // the first arm under a second name (null = yes)
	int line;
	struct plan_layer *layers; // layers[0] is always the kind "disk"
	size_t n;
	bool open;      // names something that exists: unlock, never format, only read
	bool scratch;   // with open: tests may use a file on that filesystem
	char *key_file; // on the stick, for open; or NULL: ask
};

// One engine with its parameters. A section's `engine` key, else its name.
struct plan_test {
	char *name;
	char *engine;
	int line;
	struct plan_param *params; // all keys save `engine`
	size_t n;
};

// One line of [accept]: "encrypted.seqread.read >= 50 MB/s".
struct plan_accept {
	char *text;
	int line;
};

// One effective value and where it came from, for the top of every report.
struct plan_origin {
	char *section; // "plan", "arm plain"
	char *key;     // "" for a line of [accept]
	char *value;   // "" for a bare word
	char *from;    // "assay.ini:12", "kernel command line", "default"
};

// Of fewer blocks no test can say that a difference is more than chance.
#define PLAN_BLOCKS_FINDING 6

struct plan {
	char *name;
	char *file;          // where it was read from, for messages
	unsigned blocks;     // at most
	unsigned blocks_min; // at least, where `precision` may end it before
	double precision;    // percent: half of every interval; 0: all blocks are run
	double margin;       // percent that count as no difference
	unsigned repeats;    // how many blocks may be repeated for a physical cause
	bool warm_up;        // a block before the first that does not count
	bool null_arm;       // the last arm is the first one under a second name
	char *baseline;      // on the stick: result.json that [accept] refers to, or NULL
	bool precondition;   // write every target twice before the first block
	double scale;        // of every value that is written "...*scale"
	uint64_t seed;       // 0: drawn at run time and recorded
	uint64_t deadline_ns; // for the whole campaign; 0 none
	uint64_t wait_ns;     // how long to wait for the named disk and the stick
	enum plan_ending then;
	enum plan_again again;
	enum plan_results results;
	struct match *targets; // in the order of `disk`, comma-separated there
	size_t n_targets;
	char *erase; // consent, comma-separated; NULL without
	struct plan_arm *arms;
	size_t n_arms;
	struct plan_test *tests;
	size_t n_tests;
	struct plan_accept *accepts;
	size_t n_accepts;
	struct plan_origin *origins;
	size_t n_origins;
};

// Parses the text of a plan, then applies "assay.SECTION.KEY=VALUE" of `overrides` (may
// be NULL); sections with a name are written "assay.arm.plain.stack=...". Every fault
// is added to `faults`; the plan is usable only when none was added. Secrets on the
// command line (assay.*passphrase*, *password*, *key*=) are a fault.
void plan_parse(struct plan *p, const char *file, const char *text,
		const struct cmdline *overrides, struct fault_list *faults);

// The same for a file's content, which may be anything: UTF-16 and binary are faults.
void plan_parse_content(struct plan *p, const char *file, const struct strbuf *content,
			const struct cmdline *overrides, struct fault_list *faults);

// Reads a file and parses it. A file that cannot be read is a fault.
void plan_load(struct plan *p, const char *path, const struct cmdline *overrides,
	       struct fault_list *faults);

// Parses one stack such as "disk/gpt/luks2,key-size=512/lvm,swap=512M/ext4" into an arm.
void plan_parse_stack(struct plan_arm *arm, const char *text, const char *file, int line,
		      struct fault_list *faults);

// The stack as text again; the caller frees.
char *plan_stack_text(const struct plan_layer *layers, size_t n);

// What is no fault but should be thought about, for `assay plan check`: no consent for an
// arm that formats, a consent that nothing needs, one block only.
void plan_warnings(const struct plan *p, struct fault_list *warnings);

// The consent for targets[i]: that item of `erase`, trimmed; NULL without one. The caller
// frees.
char *plan_consent(const struct plan *p, size_t i);

// The parameter's value ("" for a bare word), or NULL.
const char *plan_param(const struct plan_param *params, size_t n, const char *key);

// The effective plan, each value with its origin, as text for the report and as JSON.
void plan_print(const struct plan *p, struct strbuf *to);
struct json_object *plan_json(const struct plan *p);

// The keys of the section [plan], each with its default and what it does.
void plan_describe(struct strbuf *to);

// A number that two plans share only when they would do the same to the same disks
// (CRC-32 of the effective plan less `name`, `then`, `again`, `wait`, `results`).
uint32_t plan_fingerprint(const struct plan *p);

const char *plan_ending_name(enum plan_ending e);

// How the machine is to end: as `then` says, but a restart becomes poweroff when the next
// boot would start the campaign again: `recorded` false says that no medium holds its
// start, and again = start does not ask.
enum plan_ending plan_ending_safe(const struct plan *p, bool recorded);
void plan_done(struct plan *p);
