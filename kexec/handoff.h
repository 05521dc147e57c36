// SPDX-License-Identifier: GPL-3.0-or-later
// Hands over what opens the disk: the files to append to an initrd, and the command line,
// so that the next system's own initrd finds the key where it looks for one. Where it
// cannot be told, it asks as always.
#pragma once

#include "kexec/cpio.h"
#include "kexec/crypttab.h"
#include "kexec/initrd.h"

struct handoff {
	struct cpio_file *files; // folders before what is in them; keys are not copied
	size_t n;
	char *options;       // the command line as it must be
	size_t given;        // keys that it will find
	struct strbuf notes; // what a person should know, a line each
	const struct initrd *initrd;
};

// Plans the handoff of `n` keys to the initrd (which, with the keys, must outlive the
// plan). Pure.
void handoff_plan(const struct initrd *initrd, const char *options,
		  const struct handoff_key *keys, size_t n, struct handoff *ret);

// The archive to append behind cpio_padding() zeros. Returns 0 or -errno.
int handoff_archive(const struct handoff *h, struct secret *ret);
void handoff_done(struct handoff *h);
#define _cleanup_handoff_ _cleanup_(handoff_done)
