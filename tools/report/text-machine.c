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

// The queue of each block device that is a disk of a stack or a layer, in one line each.
static void print_queues(const struct json_object *block, struct strbuf *to)
{
	static const char *const shown[] = { "scheduler", "read_ahead_kb", "nr_requests",
					     "write_cache" };

	if (!json_object_is_type(block, json_type_object))
		return;
	json_object_object_foreach ((struct json_object *)(uintptr_t)block, name, queue) {
		_cleanup_strbuf_ struct strbuf text = { 0 };
		char prefix[40];

		for (size_t i = 0; i < ARRAY_SIZE(shown); i++) {
			struct json_object *v = json_get(queue, shown[i]);

			if (v)
				strbuf_printf(&text, "%s%s %s", text.len ? ", " : "",
					      shown[i], json_object_get_string(v));
		}
		snprintf(prefix, sizeof(prefix), "queue of %-14.29s ", name);
		if (text.len)
			text_wrap(to, prefix, strbuf_str(&text));
	}
}

// "drivetemp 0:0:0:0 temp1: 38.0 -> 41.0 C"
static void print_moved(const struct json_object *before, const struct json_object *after,
			struct strbuf *to)
{
	struct json_object *was = json_get(before, "celsius");

	if (!json_object_is_type(was, json_type_object))
		return;
	json_object_object_foreach (was, name, value) {
		strbuf_printf(to, "%.60s: %.1f -> %.1f C\n", name,
			      json_object_get_double(value),
			      json_get_double(json_get(after, "celsius"), name, 0));
	}
}

static void print_modules(const struct json_object *modules, struct strbuf *to)
{
	for (size_t i = 0; i < text_length(modules); i++) {
		const struct json_object *m = text_item(modules, i);
		_cleanup_strbuf_ struct strbuf text = { 0 };
		int64_t size = json_get_int(m, "size", 0);

		strbuf_printf(&text, "%s: %.4g GiB %s %lld MT/s, %s %s",
			      text_str(m, "slot"), (double)size / (1 << 30),
			      text_str(m, "type"),
			      (long long)json_get_int(m, "speed_mts", 0),
			      text_str(m, "maker"), text_str(m, "part"));
		text_wrap(to, "memory module           ", strbuf_str(&text));
	}
}

// What was taken out of the machine before the first run, and what moved till the last.
static void print_environment(const struct json_object *environment, struct strbuf *to)
{
	const struct json_object *before = json_get(environment, "before");
	const struct json_object *quiet = json_get(before, "quiet");
	const struct json_object *baseline = json_get(before, "baseline");

	if (!before)
		return;
	text_title(to, "Environment");
	for (size_t i = 0; i < text_length(quiet); i++) {
		const struct json_object *o = text_item(quiet, i);
		_cleanup_strbuf_ struct strbuf text = { 0 };

		strbuf_printf(&text, "%s (was %s)%s", text_str(o, "after"),
			      text_str(o, "before"),
			      json_get_bool(o, "done", false) ? "" : ": NOT as wanted");
		text_cell(to, text_str(o, "what"), 28);
		text_wrap(to, " ", strbuf_str(&text));
	}
	if (json_get_double(baseline, "measured_s", 0) > 0)
		strbuf_printf(to, "idle: %.4f CPUs busy (+-%.4f), measured for %.1f s\n",
			      json_get_double(baseline, "cpus_busy", 0),
			      json_get_double(baseline, "error", 0),
			      json_get_double(baseline, "measured_s", 0));
	print_moved(json_get(before, "machine"),
		    json_get(json_get(environment, "after"), "machine"), to);
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

// By the dozen, and in result.json for programs.
static bool left_out(const char *name)
{
	static const char *const names[] = { "kernel.config",  "block",
					     "interrupts",     "tools",
					     "memory.modules", "memory.processors" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
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
		if (left_out(name))
			continue;
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
	print_environment(json_get(result, "environment"), to);
	if (json_object_is_type(machine, json_type_object) &&
	    json_object_object_length(machine) > 0) {
		text_title(to, "Machine");
		print_object(machine, "", to, 0);
		print_modules(json_get(json_get(machine, "memory"), "modules"), to);
		print_queues(json_get(machine, "block"), to);
	}
}
