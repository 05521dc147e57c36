// SPDX-License-Identifier: GPL-3.0-or-later
// What must be equal for two runs to be compared.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "result/comparable.h"

#define FNV_BASIS UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

// Kernels and firmware hide some memory, a little more or less at each boot.
#define MEMORY_GRAIN (INT64_C(16) << 20)

const char *const comparable_of_one_machine[] = { "disk serial", "microcode", NULL };

static const struct json_object *at(const struct json_object *o, const char *a,
				    const char *b)
{
	const struct json_object *in = json_get(o, a);

	return b ? json_get(in, b) : in;
}

// A scalar as text, an array or object as one line.
static void set(struct json_object *to, const char *name, const struct json_object *value)
{
	struct json_object *v = (struct json_object *)(uintptr_t)value;

	if (!v)
		return;
	json_set_str(to, name,
		     json_object_is_type(v, json_type_string) ? json_object_get_string(v)
							      : json_line(v));
}

struct row {
	const char *name, *a, *b;
};

static void set_rows(struct json_object *to, const struct json_object *from,
		     const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		set(to, rows[i].name, at(from, rows[i].a, rows[i].b));
}

static void set_machine(struct json_object *to, const struct json_object *machine)
{
	static const struct row rows[] = {
		{ "kernel", "kernel", "release" },
		{ "kernel build", "kernel", "build_id" },
		{ "kernel configuration", "kernel", "config_sha256" },
		{ "SELinux", "kernel", "selinux" },
		{ "image", "image", "id" },
		{ "CPU", "cpu", "model" },
		{ "microcode", "cpu", "microcode" },
		{ "CPUs", "cpu", "cpus" },
		{ "CPU flags", "cpu", "flags" },
		{ "CPU governor", "cpu", "governor" },
		{ "turbo off", "cpu", "no_turbo" },
		{ "boost", "cpu", "boost" },
		{ "SMT", "cpu", "smt" },
		{ "mitigations", "mitigations", NULL },
		{ "clock source", "clock", "source" },
		{ "power", "power", "source" },
		{ "huge pages", "memory", "huge_pages" },
		{ "dirty limit", "memory", "dirty_bytes" },
	};
	int64_t memory = json_get_int(json_get(machine, "memory"), "total", 0);

	set_rows(to, machine, rows, ARRAY_SIZE(rows));
	if (memory > 0) {
		_cleanup_free_ char *text = mem_printf(
			"%" PRId64 " MiB",
			(memory + MEMORY_GRAIN / 2) / MEMORY_GRAIN * MEMORY_GRAIN >> 20);

		json_set_str(to, "memory", text);
	}
}

static bool same(const struct json_object *a, const struct json_object *b,
		 const char *key)
{
	const char *x = json_get_str(a, key), *y = json_get_str(b, key);

	return x && y && strcmp(x, y) == 0;
}

static size_t length(const struct json_object *array)
{
	return json_object_is_type(array, json_type_array)
		       ? json_object_array_length(array)
		       : 0;
}

// The layers of the run's stack as they were when it was built.
static const struct json_object *layers_of(const struct json_object *result,
					   const struct json_object *run)
{
	struct json_object *stacks = json_get(result, "stacks");

	for (size_t i = 0; i < length(stacks); i++) {
		struct json_object *o = json_object_array_get_idx(stacks, i);

		if (same(o, run, "arm") && json_get(o, "layers") &&
		    json_get_int(o, "block", -1) == json_get_int(run, "block", -2))
			return json_get(o, "layers");
	}
	return NULL;
}

// The value of every layer that has one, from the disk up.
static void set_from_layers(struct json_object *to, const char *name,
			    const struct json_object *layers, const char *a,
			    const char *b)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };

	for (size_t i = 0; i < length(layers); i++) {
		struct json_object *v = (struct json_object *)(uintptr_t)at(
			json_object_array_get_idx(layers, i), a, b);

		if (v)
			strbuf_printf(&text, "%s%s", text.len ? " " : "",
				      json_object_get_string(v));
	}
	if (text.len)
		json_set_str(to, name, strbuf_str(&text));
}

static void set_stack(struct json_object *to, const struct json_object *layers)
{
	static const struct row rows[] = {
		{ "disk", "model", NULL },
		{ "disk firmware", "firmware", NULL },
		{ "disk serial", "serial", NULL },
		{ "sizes of layers", "size", NULL },
		{ "starts of layers", "start", NULL },
		{ "scheduler", "queue", "scheduler" },
		{ "read-ahead", "queue", "read_ahead_kb" },
		{ "queue length", "queue", "nr_requests" },
		{ "write cache", "queue", "write_cache" },
		{ "sector size", "queue", "logical_block_size" },
		{ "mkfs", "mkfs_version", NULL },
		{ "mount options", "mount_options", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		set_from_layers(to, rows[i].name, layers, rows[i].a, rows[i].b);
}

// The test's parameters as the plan gave them; the order in a plan means nothing.
static void set_parameters(struct json_object *to, const struct json_object *result,
			   const struct json_object *run)
{
	const struct json_object *values = at(result, "plan", "values");
	const char *test = json_get_str(run, "test");
	_cleanup_free_ char *section = mem_printf("test %s", test ? test : "");

	for (size_t i = 0; i < length(values); i++) {
		struct json_object *v = json_object_array_get_idx(values, i);
		const char *in = json_get_str(v, "section"),
			   *key = json_get_str(v, "key");
		_cleanup_free_ char *name = NULL;

		if (!in || !key || strcmp(in, section) != 0)
			continue;
		name = mem_printf("parameter %s", key);
		set(to, name, json_get(v, "value"));
	}
}

// The very program: its version may hide a rebuild.
static void set_tool(struct json_object *to, const struct json_object *result,
		     const struct json_object *run)
{
	const struct json_object *tools = at(result, "machine", "tools");
	const char *engine = json_get_str(run, "engine");

	if (engine)
		set(to, "program",
		    json_get(tools, strcmp(engine, "bonnie") == 0 ? "bonnie++" : engine));
}

static void set_run(struct json_object *to, const struct json_object *run)
{
	static const struct row rows[] = {
		{ "file size", "detail", "size" },
		{ "memory told", "detail", "ram" },
		{ "memory cap", "detail", "cap" },
		{ "engine version", "detail", "version" },
		{ "link", "detail", "link" },
	};
	const struct json_object *ciphers = at(run, "detail", "crypto");
	const struct json_object *fio = at(run, "detail", "fio");

	set(to, "engine", json_get(run, "engine"));
	set(to, "stack", json_get(run, "stack"));
	set_rows(to, run, rows, ARRAY_SIZE(rows));
	set(to, "engine version", json_get(fio, "version"));
	set_from_layers(to, "cipher drivers", ciphers, "driver", NULL);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static struct json_object *sorted(struct json_object *o)
{
	size_t n = (size_t)json_object_object_length(o), i = 0;
	_cleanup_free_ const char **names = mem_new(n + 1, sizeof(*names));
	struct json_object *to = json_new();

	json_object_object_foreach (o, name, value) {
		(void)value;
		names[i++] = name;
	}
	qsort(names, n, sizeof(*names), by_name);
	for (i = 0; i < n; i++)
		json_set(to, names[i], json_object_get(json_get(o, names[i])));
	return to;
}

struct json_object *comparable_items(const struct json_object *result,
				     const struct json_object *run)
{
	_cleanup_json_ struct json_object *o = json_new();

	set_machine(o, json_get(result, "machine"));
	set_stack(o, layers_of(result, run));
	set_parameters(o, result, run);
	set_run(o, run);
	set_tool(o, result, run);
	return sorted(o);
}

static bool listed(const char *const *list, const char *name)
{
	for (; list && *list; list++)
		if (strcmp(*list, name) == 0)
			return true;
	return false;
}

static uint64_t fnv(uint64_t h, const char *s)
{
	do { // the NUL too, so that "a","bc" and "ab","c" differ
		h = (h ^ (unsigned char)*s) * FNV_PRIME;
	} while (*s++);
	return h;
}

void comparable_key(const struct json_object *items, const char *const *factors,
		    char *ret)
{
	uint64_t h = FNV_BASIS;

	json_object_object_foreach ((struct json_object *)(uintptr_t)items, name, value) {
		if (!listed(factors, name))
			h = fnv(fnv(h, name), json_object_get_string(value));
	}
	snprintf(ret, 17, "%016" PRIx64, h);
}

size_t comparable_explain(const struct json_object *a, const struct json_object *b,
			  const char *const *factors, struct strbuf *to)
{
	size_t n = 0;

	json_object_object_foreach ((struct json_object *)(uintptr_t)a, name, value) {
		const char *other = json_get_str(b, name);

		if (!other || listed(factors, name) ||
		    strcmp(json_object_get_string(value), other) == 0)
			continue;
		strbuf_printf(to, "%s: %s / %s\n", name, json_object_get_string(value),
			      other);
		n++;
	}
	return n;
}
