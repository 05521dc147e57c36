// SPDX-License-Identifier: GPL-3.0-or-later
// Private to the handoff: what the families share.
#pragma once

#include "kexec/handoff.h"

struct handoff_keys {
	const struct handoff_key *items;
	size_t n;
};

// Each takes care of all keys for its family.
void handoff_debian(struct handoff *h, const struct handoff_keys *keys);
void handoff_systemd(struct handoff *h, const struct handoff_keys *keys);
void handoff_dracut(struct handoff *h, const struct handoff_keys *keys);
void handoff_mkinitcpio(struct handoff *h, const struct handoff_keys *keys);
void handoff_alpine(struct handoff *h, const struct handoff_keys *keys);
void handoff_booster(struct handoff *h, const struct handoff_keys *keys);

// Adds a file where a program in the initrd sees it at `path`, with those of its folders
// that are not there (a folder that is must not be given again: it would be changed, and
// a link in its place destroyed). `data` is not copied.
void handoff_add(struct handoff *h, const char *path, uint32_t mode, const void *data,
		 size_t len);
void handoff_add_text(struct handoff *h, const char *path, uint32_t mode,
		      const char *text); // copied
void handoff_add_key(struct handoff *h, const char *path, const struct handoff_key *key);

void handoff_append(struct handoff *h, const char *option);
void handoff_remove(struct handoff *h, const char *key);
void handoff_note(struct handoff *h, const char *fmt, ...) _printf_(2, 3);

// "/dev/vda1" or its UUID, for a note.
const char *handoff_name(const struct handoff_key *key);
