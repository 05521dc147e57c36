// SPDX-License-Identifier: GPL-3.0-or-later
// PID 1: what it holds, and what it agrees upon with the sequence that it starts.
//
// The sequence is `/usr/bin/assay run`, started once, in a session of its own, with
// stdin /dev/null, stdout and stderr /dev/console, and in its environment
//   ASSAY_CONTROL_FD=3  the write end of a pipe, for lines to PID 1 (common/pid1.h):
//     deadline SECONDS  since boot (CLOCK_MONOTONIC); then the session gets SIGTERM and
//                       30 s later SIGKILL; 0 takes the deadline away
//     then WORD         poweroff | reboot | menu | shell | boot; the last one counts
//     phase TEXT        what is being done now; said when the sequence dies of it
//   ASSAY_INIT_NS     when PID 1 began, in nanoseconds since boot (CLOCK_MONOTONIC)
//   The program sets FD_CLOEXEC on it before it starts others.
// Exit status 0: the work is done, end as `then` says; poweroff when it never said. With
// `boot` the program has loaded the kernel (kexec_file_load) and closed all it opened;
// PID 1 kills, syncs, unmounts and starts that kernel.
// Any other end (status, signal, deadline): everything but the shells is killed, and
//   `/usr/bin/assay run --after TEXT`  TEXT: "killed by signal 11 (...) while: PHASE"
// is started once, with five minutes, to write the result. What the first program said
// with `then` is forgotten by now; what this one says counts when it exits with 0.
// `then menu` with exit status 0 starts `/usr/bin/assay run --menu`, under the same rules
// and as often as it is asked for. `then shell` puts a root shell on every console, as
// assay.then=shell on the kernel command line does instead of the sequence; there,
// `/usr/bin/assay drivers` runs in the background. The last shell's end powers off.
// Ctrl-Alt-Del (and SIGTERM, as busybox reboot sends it) stops the sequence as a deadline
// does and reboots; SIGUSR1 and SIGUSR2 (busybox halt, poweroff) power off instead.
//
// Files: /zz-assay-complete, the last entry of the initramfs; /etc/assay/build-epoch,
// the build's time in seconds; /run/assay/clock-suspect exists when the clock was set to
// that, and holds what it was before, in seconds; /run/assay/pid1.log, what was said.
#pragma once

#include "common/cmdline.h"
#include "common/macro.h"
#include "common/pid1.h"

#define INIT_PROGRAM "/usr/bin/assay"

struct init {
	struct cmdline cmdline;
	int signals;           // signalfd of SIGCHLD and what a person may send
	enum pid1_then asked;  // by a person; PID1_UNSAID while nobody did
	struct child *watched; // the program whose end is waited for, or NULL
};

// Says one line on every console and to the kernel log; never blocks for long.
void say(const char *fmt, ...) _printf_(1, 2);

// Opens the consoles for say(): /dev/console until /sys is there, then, called again,
// every one. Again after a shell ended: its terminal was hung up, and for us, too.
void say_open(void);

// Waits until `fd` (or -1) can be read, a signal came, or the deadline passed; reaps
// every child that ended. The deadline is never more than a few seconds late.
void loop_wait(struct init *init, int fd, uint64_t deadline_ns);
int loop_open(struct init *init);
