// SPDX-License-Identifier: GPL-3.0-or-later
// The end of the text report: boot times, disks and the machine record.
#include <stdio.h>
#include <string.h>

#include "common/number.h"
#include "report/text-private.h"

#define DEPTH_MAX 4 // of nested objects; ours have two

static void print_boot(const struct json_object *boot, struct strbuf *to)
{
	if (!json_object_is_type(boot, json_type_object) ||
	    json_object_object_length(boot) == 0)
		return;
	text_title(to, "Boot");
	json_object_object_foreach ((struct json_object *)(uintptr_t)boot, key, value) {
		text_cell(to, key, 24);
		if (json_object_is_type(value, json_type_double))
			strbuf_printf(to, " %8.3f s\n", json_object_get_double(value));
		else
			text_wrap(to, " ", value ? json_object_get_string(value) : "-");
	}
}

static void print_disk(const struct json_object *d, struct strbuf *to)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	int64_t size = json_get_int(d, "size", 0);
	char prefix[16];

	number_format_bytes(&text, size > 0 ? (uint64_t)size : 0);
	strbuf_printf(&text, ", %s",
		      *text_str(d, "model") ? text_str(d, "model") : "no model known");
	if (*text_str(d, "serial"))
		strbuf_printf(&text, ", serial %s", text_str(d, "serial"));
	if (*text_str(d, "wwn"))
		strbuf_printf(&text, ", wwn %s", text_str(d, "wwn"));
	if (*text_str(d, "firmware"))
		strbuf_printf(&text, ", firmware %s", text_str(d, "firmware"));
	if (*text_str(d, "transport"))
		strbuf_printf(&text, ", %s", text_str(d, "transport"));
	strbuf_printf(&text, ", sectors %lld/%lld",
		      (long long)json_get_int(d, "logical_sector", 0),
		      (long long)json_get_int(d, "physical_sector", 0));
	strbuf_puts(&text, json_get_bool(d, "rotational", false) ? ", rotating" : "");
	strbuf_puts(&text, json_get_bool(d, "removable", false) ? ", removable" : "");
	strbuf_puts(&text, json_get_bool(d, "readonly", false) ? ", read-only" : "");
	strbuf_puts(&text, json_get_bool(d, "stuck", false) ? ", does not answer" : "");
	if (json_get(d, "seen"))
		strbuf_printf(&text, ", there after %.1f s",
			      json_get_double(d, "seen", 0));
	snprintf(prefix, sizeof(prefix), "%-8.12s ", text_str(d, "name"));
	text_wrap(to, prefix, strbuf_str(&text));
}

static void print_devices(const struct json_object *devices, struct strbuf *to)
{
	bool any = false;

	for (size_t i = 0; i < text_length(devices); i++) {
		const struct json_object *d = text_item(devices, i);

		if (strcmp(text_str(d, "kind"), "disk") != 0)
			continue;
		if (!any)
			text_title(to, "Disks");
		any = true;
		print_disk(d, to);
	}
}

static void print_value(struct strbuf *to, const char *prefix, struct json_object *value)
{
	_cleanup_strbuf_ struct strbuf words = { 0 };

	for (size_t i = 0; i < text_length(value); i++) {
		struct json_object *item = text_item(value, i);

		strbuf_printf(&words, "%s%s", i ? " " : "",
			      item ? json_object_get_string(item) : "-");
	}
	if (!json_object_is_type(value, json_type_array))
		strbuf_puts(&words, value ? json_object_get_string(value) : "-");
	text_wrap(to, prefix, strbuf_str(&words));
}

// Every value with its path of names, except where it comes from: that is for programs.
static void print_object(const struct json_object *o, const char *above,
			 struct strbuf *to, int depth)
{
	if (!json_object_is_type(o, json_type_object) || depth > DEPTH_MAX)
		return;
	json_object_object_foreach ((struct json_object *)(uintptr_t)o, key, value) {
		char name[80], prefix[32];
		size_t len = strlen(key);

		if (strcmp(key, "from") == 0 ||
		    (len > 5 && strcmp(key + len - 5, "_from") == 0))
			continue;
		snprintf(name, sizeof(name), "%s%s%s", above, *above ? "." : "", key);
		if (json_object_is_type(value, json_type_object)) {
			print_object(value, name, to, depth + 1);
			continue;
		}
		snprintf(prefix, sizeof(prefix), "%-23.29s ", name);
		print_value(to, prefix, value);
	}
}

void text_machine(const struct json_object *result, struct strbuf *to)
{
	const struct json_object *machine = json_get(result, "machine");

	print_boot(json_get(result, "boot"), to);
	print_devices(json_get(result, "devices"), to);
	if (json_object_is_type(machine, json_type_object) &&
	    json_object_object_length(machine) > 0) {
		text_title(to, "Machine");
		print_object(machine, "", to, 0);
	}
}
