// SPDX-License-Identifier: GPL-3.0-or-later
// crypttab(5), and the ways in which it and command lines name an encrypted device.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "common/secret.h"

// A device that was unlocked here, and what opens it. Names are NULL where there is none;
// nothing is owned.
struct handoff_key {
	const char *uuid;   // of its LUKS header
	const char *device; // "/dev/vda1", "/dev/mapper/vg-crypt"
	const char *partuuid, *partlabel, *label;
	const struct secret *secret; // the passphrase, or a key file's content
};

struct crypttab_line {
	char *name; // NULL: a comment or an empty line, all of it in `source`
	char *source;
	char *key;     // NULL where the line has no third field
	char *options; // NULL where it has no fourth
};

struct crypttab {
	struct crypttab_line *lines;
	size_t n;
};

void crypttab_parse(struct crypttab *c, const char *text);
char *crypttab_format(const struct crypttab *c); // the caller frees
void crypttab_done(struct crypttab *c);

// Has the line no key of its own: none, -, or no field?
bool crypttab_asks(const struct crypttab_line *l);

// The value of "key=..." among comma-separated options, "" for a bare key, NULL without.
// The caller frees.
char *crypttab_option(const char *options, const char *key);

// Does "UUID=...", "/dev/disk/by-uuid/...", "LABEL=...", "/dev/vg/lv" ... name this
// device?
bool crypttab_names(const char *source, const struct handoff_key *key);
