// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the files of the machine record only. Each part returns an object that says
// in "from" where its facts come from; what the machine does not tell is left out.
#pragma once

#include <stdbool.h>

#include "common/strbuf.h"
#include "result/machine.h"

// Whether the firmware means it: not empty, no placeholder, not all one character.
bool machine_real(const char *text);

// machine_id() and where it comes from (static text).
char *machine_id_from(const char *root, const char **from);

struct json_object *machine_kernel(const char *root);
struct json_object *machine_image(const char *root);
struct json_object *machine_mitigations(const char *root);
struct json_object *machine_cpu(const char *root);
struct json_object *machine_memory(const char *root);
struct json_object *machine_firmware(const char *root);
struct json_object *machine_power(const char *root);
struct json_object *machine_block(const char *root);
struct json_object *machine_tools(const char *root);
struct json_object *machine_interrupts(const char *root);

// A member from a one-line file `root`/`path`; absent when there is no such file.
void machine_set_line(struct json_object *to, const char *key, const char *root,
		      const char *path);

// The same as a number.
void machine_set_number(struct json_object *to, const char *key, const char *root,
			const char *path);

// The chosen word of "always [madvise] never", or the whole line.
void machine_set_chosen(struct json_object *to, const char *key, const char *root,
			const char *path);

// A whole file, at most 4 MiB: hundreds of CPUs at a few KiB each. 0 or -errno.
int machine_read(const char *root, const char *path, struct strbuf *to);

// The value of "key : value" in the text; NULL when there is none. The caller frees.
char *machine_field(const char *text, const char *key);

// Calls `each` for every name in `root`/`path` that starts with `prefix`, in order.
void machine_each(const char *root, const char *path, const char *prefix,
		  void (*each)(const char *dir, const char *name, void *arg), void *arg);
