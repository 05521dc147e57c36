// SPDX-License-Identifier: GPL-3.0-or-later
// Keys for arms that open something: a key file on the stick, or a person.
#include <stdio.h>
#include <string.h>

#include "common/ask.h"
#include "common/clock.h"
#include "common/mem.h"
#include "run-control.h"
#include "run-session.h"

#define KEY_FILE_MAX ((size_t)8 << 20) // cryptsetup's own limit
#define ASK_TIME     (300 * CLOCK_SECOND)

static int from_stick(const char *name, struct secret *ret, void *arg, struct err *err)
{
	struct session *s = arg;
	_cleanup_free_ char *path = NULL;
	struct err ignored = { 0 };
	int r;

	if (!s->has_stick)
		return err_set(
			err, -ENODEV,
			"the key file %s is to be on the assay stick, and there is "
			"none",
			name);
	r = stick_mount(&s->stick, false, err);
	if (r < 0)
		return r;
	path = mem_printf("%s/%s", s->stick.dir, name);
	r = secret_read_file(ret, path, KEY_FILE_MAX, err);
	stick_unmount(&s->stick, &ignored);
	return r;
}

static int from_person(const char *prompt, struct secret *ret, void *arg, struct err *err)
{
	struct session *s = arg;

	control_phase("waiting for a passphrase");
	return ask_secret(&s->console, prompt, clock_mono_ns() + ASK_TIME, ret, err);
}

struct key_source session_keys(struct session *s)
{
	return (struct key_source){ .ask = from_person, .file = from_stick, .arg = s };
}
