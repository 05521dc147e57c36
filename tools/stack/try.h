// SPDX-License-Identifier: GPL-3.0-or-later
// Does a stack keep data on this machine? Built, written, torn down, opened, compared.
#pragma once

#include "stack/stack.h"

// Builds the stack, writes known data to its filesystem or device, tears it down, opens
// it again where every layer can be opened, compares, tears down, and looks for leftovers
// after each tear-down. What was done is added to `to`, a line each; the last is "kept"
// when the data were compared. `keys` of the stack must give the same key for making and
// opening. Returns 0 or the first -errno; then nothing is left up that could be removed.
int stack_try(struct stack *stack, struct strbuf *to, struct err *err);
