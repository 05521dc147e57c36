// SPDX-License-Identifier: GPL-3.0-or-later
// A list of everything wrong with an input, so that a person sees all faults at once.
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "common/macro.h"

struct fault {
	char *file; // where: a file's name, "kernel command line", or a device
	int line;   // 1-based; 0 where there is none
	char *text; // what is wrong and what would be right
};

struct fault_list {
	struct fault *items;
	size_t n;
};

// Adds one fault. `file` may be NULL. Running out of memory ends the program: a fault
// that is lost would make a bad plan look good.
void fault_add(struct fault_list *list, const char *file, int line, const char *fmt, ...)
	_printf_(4, 5);

// Prints each as "file:line: text".
void fault_print(const struct fault_list *list, FILE *to);

// Frees the items; the list may be used again.
void fault_done(struct fault_list *list);
