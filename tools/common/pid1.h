// SPDX-License-Identifier: GPL-3.0-or-later
// What PID 1 decides, as pure functions: what its child tells it, how the child ended,
// what comes next, whether clock and memory can be right.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// How the machine ends, as a plan's `then` and the control line "then" name it.
enum pid1_then {
	PID1_UNSAID,
	PID1_POWEROFF,
	PID1_REBOOT,
	PID1_MENU,
	PID1_SHELL,
	PID1_BOOT, // the kernel that the child loaded with kexec
};

// "poweroff" ...; PID1_UNSAID for any other word, and "unsaid" for that.
enum pid1_then pid1_then_parse(const char *word);
const char *pid1_then_name(enum pid1_then then);

// What the child said so far on its control pipe. `= {0}` to begin with.
struct pid1_control {
	uint64_t deadline_ns; // monotonic; 0 none
	enum pid1_then then;
	char phase[160]; // what it was doing last; control characters are blanks

	char line[256]; // the line being received
	size_t len;     // of it; a line that does not fit is ignored whole
};

// Takes bytes as they arrive, in whatever pieces; understands whole lines:
// "deadline SECONDS" (since boot; 0 takes it away), "then WORD", "phase TEXT". Returns
// how many lines were not understood; those change nothing.
unsigned pid1_control_feed(struct pid1_control *c, const char *data, size_t len);

// How the child ended.
struct pid1_end {
	int status;    // as from waitpid(2); meaningless when `stuck` or `missing`
	bool stuck;    // killed, but did not die
	bool missing;  // could not be started
	bool late;     // was stopped because its deadline passed
	bool asked;    // was stopped because a person asked for it
	bool breached; // was stopped because PID 1's own bound passed
};

// Did it do its work: ended by itself, or as asked, with exit status 0?
bool pid1_end_well(const struct pid1_end *end);

// One sentence without full stop, such as "killed by signal 11 (Segmentation fault)
// while: block 2, arm plain, test fio".
void pid1_end_describe(const struct pid1_end *end, const char *phase, char *to,
		       size_t room);

// What comes after the program ended. `well`: it ended well, or the program that was
// started to write the result in its stead did. A program that died unheard never leads
// to a restart: the same crash would come again, without end.
enum pid1_then pid1_next(bool well, enum pid1_then said, enum pid1_then asked);

// Is a wall clock outside [build, build + 20 years]? With no build date (0): before
// 2024. `narrow`: programs have a 32-bit time_t, which ends on 2038-01-19; a clock beyond
// that is never right for them.
bool pid1_clock_suspect(int64_t now, int64_t build, bool narrow);

// A value of /proc/meminfo in bytes, e.g. "MemAvailable"; 0 when it is not there.
uint64_t pid1_meminfo(const char *text, const char *key);
