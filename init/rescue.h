// SPDX-License-Identifier: GPL-3.0-or-later
// What would else be a kernel panic or a riddle: an image cut short, too little memory,
// a fault in PID 1 itself.
#pragma once

#include "init.h"

// Looks whether the image is whole and the memory enough; when not, says what to do,
// waits a while and powers off. Only warns when memory is merely scarce.
void rescue_check(struct init *init);

// A fault in PID 1 says so and powers off instead of a panic.
void rescue_catch_faults(void);
