// SPDX-License-Identifier: GPL-3.0-or-later
// Storage controllers that no driver serves: why a disk may be missing, and what to do.
#include <stdio.h>
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "device/sysfs.h"

// PCI class and subclass (and, where it matters, programming interface).
static const struct {
	unsigned class, mask;
	const char *kind;
} classes[] = {
	{ 0x010802, 0xffffff, "NVMe" },
	{ 0x010601, 0xffffff, "AHCI SATA controller" },
	{ 0x010600, 0xffff00, "SATA controller" },
	{ 0x010700, 0xffff00, "SAS controller" },
	{ 0x010400, 0xffff00, "RAID controller" },
	{ 0x010100, 0xffff00, "IDE controller" },
	{ 0x010000, 0xffff00, "SCSI controller" },
	{ 0x010000, 0xff0000, "storage controller" },
	{ 0x0c0300, 0xffff00, "USB controller" },
	{ 0x080500, 0xffff00, "SD card controller" },
};

static const char vmd_hint[] =
	"NVMe disks hide behind Intel VMD: disable VMD in the firmware's setup";
static const char raid_hint[] = "disks hide behind Intel's RAID mode: switch the "
				"firmware's SATA mode from RAID to "
				"AHCI (an installed Windows needs preparing for that)";
static const char driver_hint[] = "no driver for this controller in the image";

// Intel devices with a switch in the firmware's setup.
static const struct {
	unsigned device;
	const char *hint;
} intel[] = {
	{ 0x201d, vmd_hint },  { 0x28c0, vmd_hint },  { 0x467f, vmd_hint },
	{ 0x4c3d, vmd_hint },  { 0x7d0b, vmd_hint },  { 0x9a0b, vmd_hint },
	{ 0xa77f, vmd_hint },  { 0xad0b, vmd_hint },  { 0xb06f, vmd_hint },
	{ 0xb60b, vmd_hint },  { 0x2652, raid_hint }, { 0x2822, raid_hint },
	{ 0x2826, raid_hint }, { 0x282a, raid_hint }, { 0x282f, raid_hint },
	{ 0x27c3, raid_hint }, { 0x27c6, raid_hint },
};

struct function {
	char *dir;
	const char *address;
	unsigned class, vendor, device;
};

static const char *kind_of(unsigned class)
{
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++)
		if ((class & classes[i].mask) == classes[i].class)
			return classes[i].kind;
	return NULL;
}

static const char *hint_for(const struct function *f)
{
	if (f->vendor != 0x8086)
		return driver_hint;
	for (size_t i = 0; i < ARRAY_SIZE(intel); i++)
		if (intel[i].device == f->device)
			return intel[i].hint;
	return (f->class & 0xffff00) == 0x010400 ? raid_hint : driver_hint;
}

static void add(struct device_orphan_list *list, const struct function *f,
		const char *kind, const char *hint)
{
	list->items = mem_grow(list->items, list->n + 1, sizeof(*list->items));
	list->items[list->n++] = (struct device_orphan){
		.address = mem_strdup(f->address),
		.id = mem_printf("%04x:%04x", f->vendor, f->device),
		.kind = mem_strdup(kind),
		.hint = mem_strdup(hint),
	};
}

static unsigned hex_attribute(const char *dir, const char *name)
{
	_cleanup_free_ char *line = io_read_line("%s/%s", dir, name);
	unsigned value;

	return line && sscanf(line, "0x%x", &value) == 1 ? value : 0;
}

static void look(struct device_orphan_list *list, struct function *f)
{
	_cleanup_free_ char *driver = sysfs_link(f->dir, "driver");
	const char *kind;

	f->class = hex_attribute(f->dir, "class");
	f->vendor = hex_attribute(f->dir, "vendor");
	f->device = hex_attribute(f->dir, "device");
	kind = kind_of(f->class);
	if (kind && !driver)
		add(list, f, kind, hint_for(f));
	// Here ahci serves the SATA side, and counts the NVMe disks it cannot show.
	else if (driver && io_read_number(0, "%s/remapped_nvme", f->dir) > 0)
		add(list, f, "NVMe behind SATA RAID mode", raid_hint);
}

int device_scan_orphans(const char *root, struct device_orphan_list *list)
{
	_cleanup_free_ char *pci = mem_printf("%s/sys/bus/pci/devices", root);
	char **names = sysfs_names(pci);

	device_orphan_list_done(list);
	for (char **p = names; p && *p; p++) {
		struct function f = { .address = *p };

		f.dir = mem_printf("%s/%s", pci, *p);
		look(list, &f);
		free(f.dir);
	}
	names_free(names);
	return 0; // a machine without PCI has none
}

void device_orphans_print(const struct device_orphan_list *list, struct strbuf *to)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct device_orphan *o = &list->items[i];

		strbuf_printf(to, "%s: %s [%s] has no driver%s%s\n", o->address, o->kind,
			      o->id, o->hint ? ": " : "", o->hint ? o->hint : "");
	}
}

void device_orphan_list_done(struct device_orphan_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->items[i].address);
		free(list->items[i].id);
		free(list->items[i].kind);
		free(list->items[i].hint);
	}
	free(list->items);
	*list = (struct device_orphan_list){ 0 };
}

struct json_object *device_orphans_json(const struct device_orphan_list *list)
{
	struct json_object *array = json_new_array();

	for (size_t i = 0; i < list->n; i++) {
		const struct device_orphan *orphan = &list->items[i];
		struct json_object *o = json_new();

		json_set_str(o, "address", orphan->address);
		json_set_str(o, "id", orphan->id);
		json_set_str(o, "kind", orphan->kind);
		json_set_str(o, "hint", orphan->hint);
		json_append(array, o);
	}
	return array;
}
