// SPDX-License-Identifier: GPL-3.0-or-later
// The machine record: memory, its modules, and the rules of writing back and of pages.
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "common/number.h"
#include "result/machine-moving.h"
#include "result/machine-private.h"
#include "result/smbios.h"

static void set_kib(struct json_object *to, const char *key, const char *text,
		    const char *name)
{
	_cleanup_free_ char *value = machine_field(text, name);
	uint64_t kib;

	if (!value)
		return;
	value[strcspn(value, " ")] = '\0'; // "248684 kB"
	if (number_uint(value, &kib) == 0 && kib < UINT64_MAX / 1024)
		json_set_uint(to, key, kib * 1024);
}

static void set_rules(struct json_object *to, const char *root)
{
	static const char *const names[] = {
		"dirty_background_bytes",
		"dirty_bytes",
		"dirty_background_ratio",
		"dirty_ratio",
		"dirty_expire_centisecs",
		"dirty_writeback_centisecs",
		"swappiness",
		"vfs_cache_pressure",
		"overcommit_memory",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		_cleanup_free_ char *path = mem_printf("proc/sys/vm/%s", names[i]);

		machine_set_number(to, names[i], root, path);
	}
	machine_set_chosen(to, "huge_pages", root,
			   "sys/kernel/mm/transparent_hugepage/enabled");
	machine_set_chosen(to, "huge_page_defrag", root,
			   "sys/kernel/mm/transparent_hugepage/defrag");
	machine_set_number(to, "ksm", root, "sys/kernel/mm/ksm/run");
	machine_set_number(to, "numa_balancing", root, "proc/sys/kernel/numa_balancing");
}

struct json_object *machine_memory(const char *root)
{
	_cleanup_strbuf_ struct strbuf text = { 0 }, table = { 0 };
	struct json_object *o = json_new();

	json_set_str(o, "from",
		     "/proc/meminfo (what the kernel can use, bytes), /proc/sys/vm, "
		     "modules: SMBIOS");
	machine_read(root, "proc/meminfo", &text);
	set_kib(o, "total", strbuf_str(&text), "MemTotal");
	set_kib(o, "available", strbuf_str(&text), "MemAvailable");
	set_kib(o, "swap", strbuf_str(&text), "SwapTotal");
	set_rules(o, root);
	if (machine_read(root, "sys/firmware/dmi/tables/DMI", &table) == 0 && table.len)
		smbios_describe(table.data, table.len, o);
	return o;
}

void machine_memory_moving(const char *root, struct json_object *to)
{
	_cleanup_strbuf_ struct strbuf text = { 0 };
	_cleanup_free_ char *load = io_read_line("%s/proc/loadavg", root);

	machine_read(root, "proc/meminfo", &text);
	set_kib(to, "available", strbuf_str(&text), "MemAvailable");
	set_kib(to, "dirty", strbuf_str(&text), "Dirty");
	set_kib(to, "writeback", strbuf_str(&text), "Writeback");
	set_kib(to, "slab", strbuf_str(&text), "Slab");
	if (load)
		json_set_str(to, "loadavg", load);
}
