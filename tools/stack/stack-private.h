// SPDX-License-Identifier: GPL-3.0-or-later
// What the stack-*.c files share.
#pragma once

#include "stack/stack.h"

// Makes stack->layers of the arm: nothing is up yet.
void stack_make_layers(struct stack *stack);

// The layer of that disk right below `l`; NULL: there is the disk itself, or none.
const struct layer *stack_layer_below(const struct stack *stack, const struct layer *l,
				      size_t lane);

// Sets below (and members) from what is up below it.
void stack_set_below(const struct stack *stack, struct layer *l);

// Frees the paths: it is no more in the kernel.
void stack_forget_paths(struct layer *l);
