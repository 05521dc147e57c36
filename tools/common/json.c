// SPDX-License-Identifier: GPL-3.0-or-later
// Small helpers over json-c.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/json.h"

static struct json_object *checked(struct json_object *o)
{
	if (!o) {
		fputs("assay: out of memory\n", stderr);
		_exit(70); // as mem.h promises
	}
	return o;
}

struct json_object *json_new(void)
{
	return checked(json_object_new_object());
}

struct json_object *json_new_array(void)
{
	return checked(json_object_new_array());
}

void json_set(struct json_object *to, const char *key, struct json_object *value)
{
	json_object_object_add(to, key, value);
}

void json_set_str(struct json_object *to, const char *key, const char *value)
{
	json_set(to, key, value ? checked(json_object_new_string(value)) : NULL);
}

void json_set_int(struct json_object *to, const char *key, int64_t value)
{
	json_set(to, key, checked(json_object_new_int64(value)));
}

void json_set_uint(struct json_object *to, const char *key, uint64_t value)
{
	json_set(to, key, checked(json_object_new_uint64(value)));
}

void json_set_double(struct json_object *to, const char *key, double value)
{
	json_set(to, key, checked(json_object_new_double(value)));
}

void json_set_number(struct json_object *to, const char *key, double value)
{
	if (isfinite(value))
		json_set_double(to, key, value);
	else
		json_set(to, key, NULL);
}

void json_set_bool(struct json_object *to, const char *key, bool value)
{
	json_set(to, key, checked(json_object_new_boolean(value)));
}

void json_append(struct json_object *array, struct json_object *value)
{
	json_object_array_add(array, value);
}

void json_append_str(struct json_object *array, const char *value)
{
	json_append(array, checked(json_object_new_string(value)));
}

size_t json_length(const struct json_object *array)
{
	return json_object_is_type(array, json_type_array)
		       ? json_object_array_length(array)
		       : 0;
}

struct json_object *json_get(const struct json_object *from, const char *key)
{
	struct json_object *value = NULL;

	if (json_object_is_type(from, json_type_object))
		json_object_object_get_ex(from, key, &value);
	return value;
}

const char *json_get_str(const struct json_object *from, const char *key)
{
	struct json_object *o = json_get(from, key);

	return json_object_is_type(o, json_type_string) ? json_object_get_string(o)
							: NULL;
}

int64_t json_get_int(const struct json_object *from, const char *key, int64_t fallback)
{
	struct json_object *o = json_get(from, key);

	return json_object_is_type(o, json_type_int) ? json_object_get_int64(o)
						     : fallback;
}

double json_get_double(const struct json_object *from, const char *key, double fallback)
{
	struct json_object *o = json_get(from, key);

	if (json_object_is_type(o, json_type_int) ||
	    json_object_is_type(o, json_type_double))
		return json_object_get_double(o);
	return fallback;
}

bool json_get_bool(const struct json_object *from, const char *key, bool fallback)
{
	struct json_object *o = json_get(from, key);

	return json_object_is_type(o, json_type_boolean) ? json_object_get_boolean(o)
							 : fallback;
}

struct json_object *json_parse_text(const char *text, size_t len, struct err *err)
{
	struct json_tokener *tok = json_tokener_new();
	struct json_object *o;
	size_t end;

	if (!tok)
		return NULL;
	o = json_tokener_parse_ex(tok, text, (int)len);
	end = json_tokener_get_parse_end(tok);
	if (!o)
		err_set(err, -EINVAL, "not JSON, at byte %zu: %s", end,
			json_tokener_error_desc(json_tokener_get_error(tok)));
	for (; o && end < len; end++)
		if (!strchr(" \t\r\n", text[end])) {
			err_set(err, -EINVAL, "not JSON, at byte %zu: text after the end",
				end);
			json_put(&o);
			o = NULL;
		}
	json_tokener_free(tok);
	return o;
}

const char *json_line(struct json_object *o)
{
	return json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN |
							 JSON_C_TO_STRING_NOSLASHESCAPE);
}

const char *json_pretty(struct json_object *o)
{
	return json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY |
							 JSON_C_TO_STRING_SPACED |
							 JSON_C_TO_STRING_NOSLASHESCAPE);
}
