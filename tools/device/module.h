// SPDX-License-Identifier: GPL-3.0-or-later
// Private to this folder: kernel modules through libkmod. One context per thread.
#pragma once

#include "common/err.h"

struct kmod_ctx;

struct module_count {
	unsigned loaded, failed;
};

// Opens libkmod on the running kernel's modules. NULL when there are none. The caller
// calls module_close().
struct kmod_ctx *module_open(void);
void module_close(struct kmod_ctx *ctx);

// Loads every module that serves an alias, or the one of that name, with what it needs;
// what is loaded or built in counts as success. -ENOENT when none serves it; else 0 or
// the -errno of the last that failed. `count` and `err` may be NULL.
int module_load(struct kmod_ctx *ctx, const char *alias, struct module_count *count,
		struct err *err);
