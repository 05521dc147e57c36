// SPDX-License-Identifier: GPL-3.0-or-later
// Root shells: one on every console in shell mode, one on the second VGA console always.
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct init;

// Starts a shell on every console. Returns how many.
unsigned shell_start_all(void);

// Offers a shell on tty2 (press Enter), again and again. Nothing where there is no VGA.
void shell_offer(void);

// How many shells of shell_start_all() still run.
unsigned shell_running(void);

// Tells that a process was reaped; starts what is due again.
void shell_reaped(pid_t pid);
void shell_tend(void);

// Is this the session of a shell?
bool shell_owns(pid_t session);
