// SPDX-License-Identifier: GPL-3.0-or-later
// What the sequence tells PID 1, over the pipe whose number is in ASSAY_CONTROL_FD.
// Without that variable (run by hand) nothing is said.
#pragma once

#include <stdint.h>

#include "common/macro.h"

// What is going on now; PID 1 repeats it should the sequence crash.
void control_phase(const char *fmt, ...) _printf_(1, 2);

// Monotonic time at which PID 1 ends the sequence; 0 takes a former one away.
void control_deadline(uint64_t deadline_ns);

// How the machine is to end: "poweroff", "reboot", "boot", "menu", "shell".
void control_then(const char *ending);
