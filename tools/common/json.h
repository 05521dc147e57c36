// SPDX-License-Identifier: GPL-3.0-or-later
// Small helpers over json-c: builders that cannot fail and typed getters.
#pragma once

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

static inline void json_put(struct json_object **o)
{
	json_object_put(*o);
}
#define _cleanup_json_ _cleanup_(json_put)

struct json_object *json_new(void);
struct json_object *json_new_array(void);

// Add a member. A NULL string adds JSON null; `json_set` takes over `value`.
void json_set(struct json_object *to, const char *key, struct json_object *value);
void json_set_str(struct json_object *to, const char *key, const char *value);
void json_set_int(struct json_object *to, const char *key, int64_t value);
void json_set_uint(struct json_object *to, const char *key, uint64_t value);
void json_set_double(struct json_object *to, const char *key, double value);
// Infinity and what is no number become JSON null.
void json_set_number(struct json_object *to, const char *key, double value);
void json_set_bool(struct json_object *to, const char *key, bool value);
void json_append(struct json_object *array, struct json_object *value);
void json_append_str(struct json_object *array, const char *value);

// Get a member; NULL or the fallback when it is absent or of another type. Strings and
// objects stay owned by `from`.
struct json_object *json_get(const struct json_object *from, const char *key);
const char *json_get_str(const struct json_object *from, const char *key);
int64_t json_get_int(const struct json_object *from, const char *key, int64_t fallback);
double json_get_double(const struct json_object *from, const char *key, double fallback);
bool json_get_bool(const struct json_object *from, const char *key, bool fallback);

// How many items an array has; 0 for everything that is none.
size_t json_length(const struct json_object *array);

// Parses the whole text (which may lack a NUL); the caller puts the result. `err` says
// where it stopped.
struct json_object *json_parse_text(const char *text, size_t len, struct err *err);

// One line without blanks; or indented for a person. Valid as
// long as `o` is unchanged.
const char *json_line(struct json_object *o);
const char *json_pretty(struct json_object *o);
