// SPDX-License-Identifier: GPL-3.0-or-later
// The header of an x86 kernel, and whether this machine's kernel can start it.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"

// What the boot protocol's header tells (Documentation/arch/x86/boot.rst).
struct bzimage {
	unsigned protocol;    // 0x020f is 2.15
	bool wide;            // has a 64-bit entry point
	bool above_4g;        // may lie anywhere in memory
	bool five_level;      // starts with 5-level page tables on
	uint64_t init_size;   // bytes that it needs to unpack itself
	uint32_t options_max; // bytes of command line that it takes
	bool efi;             // is a PE file, too
	bool is_signed;       // carries an Authenticode signature; not checked here
	char version[128];    // "6.1.0-26-amd64 (debian-kernel@...) #1 SMP ..."
};

#define BZIMAGE_HEAD ((size_t)64 << 10) // bytes that are enough to read it

// Reads the first bytes of a kernel. Returns 0, or -ENOEXEC with what it is instead.
int bzimage_parse(const void *data, size_t len, struct bzimage *ret, struct err *err);

// What matters of this machine.
struct bzimage_host {
	bool wide;          // its kernel has 64 bits
	bool five_level;    // runs with 5-level page tables
	bool locked;        // kernel lockdown, as under Secure Boot
	bool disabled;      // kernel.kexec_load_disabled
	uint64_t available; // bytes of memory
};

// Reads it from the live machine.
void bzimage_host(struct bzimage_host *ret);

// Can it be started with an initrd of `initrd_size` bytes and that command line? Returns
// 0, or -errno with a sentence. Where only the running kernel can tell (a signature's
// chain), it is left to that.
int bzimage_check(const struct bzimage *k, uint64_t kernel_size, uint64_t initrd_size,
		  const char *options, const struct bzimage_host *host, struct err *err);
