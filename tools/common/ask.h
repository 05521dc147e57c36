// SPDX-License-Identifier: GPL-3.0-or-later
// Asks a person on every console at once: for a passphrase, or for a line.
#pragma once

#include <stdint.h>

#include "common/console.h"
#include "common/err.h"
#include "common/secret.h"

#define ASK_MAX 512 // bytes of an answer, as cryptsetup's own prompt takes

// Shows the prompt on every console; the first one on which Enter is pressed gives the
// answer. Nothing is echoed; Backspace and Ctrl-U work. The terminals are left as they
// were. Returns 0, -ETIMEDOUT at the deadline (monotonic ns), or -errno.
int ask_secret(struct console *c, const char *prompt, uint64_t deadline_ns,
	       struct secret *ret, struct err *err);

// The same for what is no secret: it is echoed, and the terminal's own line editing
// works. The caller frees the answer, which may be empty.
int ask_line(struct console *c, const char *prompt, uint64_t deadline_ns, char **ret,
	     struct err *err);

// What one more byte typed makes of the `len` bytes in `text` (of ASK_MAX): the new
// length, or -1 when the answer is complete. For ask_secret() and its test.
int ask_take(char *text, int len, char typed);
