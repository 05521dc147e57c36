// SPDX-License-Identifier: GPL-3.0-or-later
// The state of one `assay run`, and its steps in the order of the sequence.
#pragma once

#include <pthread.h>

#include "common/cmdline.h"
#include "common/console.h"
#include "device/guard.h"
#include "device/medium.h"
#include "device/stick.h"
#include "plan/plan.h"
#include "result/campaign.h"
#include "result/machine.h"
#include "result/store.h"
#include "stack/stack.h"

#define SESSION_TARGETS_MAX 16

struct session {
	struct console console;
	struct cmdline cmdline;
	struct device_list devices;
	struct device_orphan_list orphans;
	struct medium boot;         // what this boot came from
	pthread_mutex_t stick_lock; // held while `stick` becomes another, or is read by
				    // the thread that locks new disks
	struct stick stick;
	bool has_stick;
	struct plan plan;
	bool has_plan;
	uint64_t deadline_ns; // of the campaign, monotonic; 0 none
	struct fault_list faults;
	struct target *targets[SESSION_TARGETS_MAX];
	size_t n_targets;
	struct store *store;
	struct store_medium medium;
	struct campaign campaign;
	bool started; // the campaign's start was recorded
	struct past_campaign past;
	struct json_object *baseline; // that [accept] refers to, or NULL
	char *machine;
	char *server; // the web server that plans come from and results go to; NULL none
};

// Opens the consoles and the command line, and starts the driver loader.
void session_begin(struct session *s);

// Looks which of `devices` (scanned with `probe`) carry the medium that booted us, and
// records it.
void session_find_boot_medium(struct session *s);

// What the guard must know; valid until the boot medium or the stick is looked for again.
struct guard_rules session_rules(const struct session *s);

// Waits for the coldplug to settle and looks at what is there.
int session_discover(struct session *s);

// Finds the plan (command line, stick) and parses it; all faults at once.
int session_read_plan(struct session *s);

// Waits for the disks that the plan names, each by event and at most plan.wait.
int session_find_targets(struct session *s);

// Everything about the plan that can be judged without touching a disk.
int session_check(struct session *s);

// Looks for the assay stick in a list that was scanned with `probe`. A disk that the plan
// names as its target is never taken for it, and the medium that booted us only when
// there is no other. 0, -ENODEV, -ENOTUNIQ.
int session_look_for_stick(struct session *s, const struct device_list *list,
			   struct stick *ret, struct err *err);

// Lets a stick made from assay.img grow to its real size, when it booted us and is the
// assay stick.
void session_grow_stick(struct session *s);

// Does the plan want results on a stick?
bool session_wants_stick(const struct session *s);

// When the stick has failed: looks whether it, or another, is there now, and gives it
// what it lacks.
void session_stick_again(struct session *s);

// Opens the result channels, proves the stick, and looks for an earlier campaign.
int session_open_results(struct session *s);

// The store of the run that crashed, or a new one when it had none yet.
int session_reopen_results(struct session *s, struct err *err);

// Keys from the stick and from whoever sits at a console; valid as long as `s`.
struct key_source session_keys(struct session *s);

// Adds a fault for each cipher of the plan that this kernel does not have.
void session_check_ciphers(struct session *s);

// Consent and the guard; sets every other disk read-only.
int session_permit(struct session *s);

// Runs it; whatever happens is in the campaign.
void session_run_suite(struct session *s);

// Writes result.json, the reports and kernel.log, whatever happened before.
void session_write_results(struct session *s);

// Sends the results to the web server of a boot by network. Its failure fails nothing.
void session_upload(struct session *s);

// Tells PID 1 how to end, says the verdict last, frees everything. Returns the exit
// status.
int session_end(struct session *s);

// After `assay run` itself crashed or was ended: tears down what it left, and makes a
// result of what it had recorded. `why` is PID 1's sentence.
int session_after_crash(const char *why);

// The sequence from the plan on, when devices are known; `ready` is false when they are
// not. Ends the session, and returns the exit status.
int session_go(struct session *s, bool ready);

// What `then = menu` and a boot without a plan come to: what is here, and what to do.
int session_menu(void);

// Shows the table of disks, and whether each may be written, on every console.
void session_show_devices(struct session *s);

// Tells PID 1 that the sequence is alive: it is ended an hour after the last sign of
// life, or soon after the plan's deadline. Saying a line is one.
void session_alive(const struct session *s);

// Says a line on every console and in the kernel's log.
void session_say(struct session *s, const char *fmt, ...) _printf_(2, 3);
