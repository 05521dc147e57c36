// SPDX-License-Identifier: GPL-3.0-or-later
// The structures of the firmware's table of hardware.
#include <stdint.h>
#include <string.h>

#include "result/machine-private.h"
#include "result/smbios.h"

#define TYPE_PROCESSOR 4
#define TYPE_MODULE    17
#define TYPE_END       127
#define MODULES_MAX    128

// A structure: its formatted part, of `len` bytes, and behind it its strings, up to
// `end`.
struct entry {
	const unsigned char *data, *end;
	size_t len;
};

static unsigned byte_at(const struct entry *e, size_t at)
{
	return at < e->len ? e->data[at] : 0;
}

static unsigned word_at(const struct entry *e, size_t at)
{
	return byte_at(e, at) | byte_at(e, at + 1) << 8;
}

static uint32_t long_at(const struct entry *e, size_t at)
{
	return word_at(e, at) | (uint32_t)word_at(e, at + 2) << 16;
}

// String number `n` (from 1) when it means something.
static void set_string(struct json_object *to, const char *key, const struct entry *e,
		       size_t at)
{
	const unsigned char *s = e->data + e->len;
	unsigned n = byte_at(e, at);
	char text[65];
	size_t len = 0;

	if (n == 0)
		return;
	while (--n > 0 && s < e->end)
		s += strnlen((const char *)s, (size_t)(e->end - s)) + 1;
	for (; s < e->end && *s && len < sizeof(text) - 1; s++)
		text[len++] = *s >= ' ' && *s < 0x7f ? (char)*s : '?';
	while (len > 0 && text[len - 1] == ' ')
		len--;
	text[len] = '\0';
	if (machine_real(text))
		json_set_str(to, key, text);
}

static void set_number(struct json_object *to, const char *key, unsigned value)
{
	if (value && value != 0xffff)
		json_set_uint(to, key, value);
}

// Size: MiB, or KiB with the highest bit set; 7fff says that it is in the long field.
static uint64_t module_size(const struct entry *e)
{
	unsigned size = word_at(e, 0x0c);

	if (size == 0x7fff)
		return (uint64_t)(long_at(e, 0x1c) & 0x7fffffff) << 20;
	if (size == 0xffff)
		return 0;
	return size & 0x8000 ? (uint64_t)(size & 0x7fff) << 10 : (uint64_t)size << 20;
}

static const char *module_type(unsigned type)
{
	static const char *const names[] = {
		[0x0f] = "SDRAM",  [0x12] = "DDR",   [0x13] = "DDR2",   [0x18] = "DDR3",
		[0x1a] = "DDR4",   [0x1b] = "LPDDR", [0x1c] = "LPDDR2", [0x1d] = "LPDDR3",
		[0x1e] = "LPDDR4", [0x20] = "HBM",   [0x21] = "HBM2",   [0x22] = "DDR5",
		[0x23] = "LPDDR5",
	};

	return type < ARRAY_SIZE(names) ? names[type] : NULL;
}

static void add_module(const struct entry *e, struct json_object *to)
{
	uint64_t size = module_size(e);
	const char *type = module_type(byte_at(e, 0x12));
	struct json_object *o;

	if (size == 0) // an empty slot
		return;
	o = json_new();
	set_string(o, "slot", e, 0x10);
	json_set_uint(o, "size", size);
	if (type)
		json_set_str(o, "type", type);
	set_number(o, "rated_mts", word_at(e, 0x15));
	set_number(o, "speed_mts", word_at(e, 0x20));
	set_string(o, "maker", e, 0x17);
	set_string(o, "part", e, 0x1a);
	json_append(to, o);
}

static void add_processor(const struct entry *e, struct json_object *to)
{
	struct json_object *o = json_new();

	set_string(o, "socket", e, 0x04);
	set_string(o, "version", e, 0x10);
	set_number(o, "external_clock_mhz", word_at(e, 0x12));
	set_number(o, "max_speed_mhz", word_at(e, 0x14));
	json_append(to, o);
}

// The strings of a structure end with an empty one: two NULs in a row.
static const unsigned char *end_of(const struct entry *e)
{
	const unsigned char *p = e->data + e->len;

	while (p + 1 < e->end && (p[0] || p[1]))
		p++;
	return p + 1 < e->end ? p + 2 : e->end;
}

void smbios_describe(const void *table, size_t len, struct json_object *to)
{
	struct json_object *modules = json_new_array(), *processors = json_new_array();
	const unsigned char *p = table, *end = p + len, *next;

	for (; end - p >= 4; p = next) {
		struct entry e = { .data = p, .end = end, .len = p[1] };

		if (e.len < 4 || e.len > (size_t)(end - p) || p[0] == TYPE_END)
			break;
		next = end_of(&e);
		e.end = next;
		if (p[0] == TYPE_MODULE &&
		    json_object_array_length(modules) < MODULES_MAX)
			add_module(&e, modules);
		else if (p[0] == TYPE_PROCESSOR &&
			 json_object_array_length(processors) < MODULES_MAX)
			add_processor(&e, processors);
	}
	json_set(to, "modules", modules);
	json_set(to, "processors", processors);
}
