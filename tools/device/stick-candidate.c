// SPDX-License-Identifier: GPL-3.0-or-later
// What may be the assay stick, and what is known of its filesystems.
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "device/stick-private.h"

static const char *const fsck_vfat[] = { "fsck.vfat", "-a", NULL };
static const char *const fsck_exfat[] = { "fsck.exfat", "-a", NULL };

// `utf8` with another iocharset keeps names UTF-8 and, unlike iocharset=utf8, not
// sensitive to case. `flush` writes early: a pulled stick loses little. `noload` keeps
// a look from replaying the journal, which would write.
static const struct stick_fs filesystems[] = {
	{ "vfat",
	  "flush,errors=remount-ro,utf8=1,iocharset=ascii,codepage=437,umask=022",
	  "utf8=1,iocharset=ascii,codepage=437",
	  { "nls_cp437", "nls_ascii", "vfat" },
	  fsck_vfat,
	  stick_fat_dirty },
	{ "exfat",
	  "errors=remount-ro,iocharset=utf8,umask=022",
	  "iocharset=utf8",
	  { "exfat" },
	  fsck_exfat,
	  stick_exfat_dirty },
	{ "ext4",
	  "errors=remount-ro",
	  "noload",
	  { "crc32c_generic", "ext4" },
	  NULL,
	  NULL },
};

const struct stick_fs *stick_fs(const char *type)
{
	for (size_t i = 0; type && i < ARRAY_SIZE(filesystems); i++)
		if (strcmp(type, filesystems[i].type) == 0)
			return &filesystems[i];
	return NULL;
}

// The state byte's lowest bit, where Linux and Windows keep it (kernel,
// include/uapi/linux/msdos_fs.h: struct fat_boot_sector). FAT32 has no 16-bit length.
bool stick_fat_dirty(const uint8_t *sector0)
{
	bool fat32 = sector0[22] == 0 && sector0[23] == 0;

	return sector0[fat32 ? 0x41 : 0x25] & 1;
}

// VolumeFlags, bit 1 (exFAT specification 3.1.13.2)
bool stick_exfat_dirty(const uint8_t *sector0)
{
	return sector0[106] & 2;
}

static bool is_sd_card(const struct device *disk)
{
	_cleanup_free_ char *type = NULL;

	if (!disk->transport || strcmp(disk->transport, "mmc") != 0)
		return false;
	type = io_read_line("/sys/block/%s/device/type", disk->name);
	return type && strcmp(type, "SD") == 0; // "MMC" is soldered in
}

// Many USB sticks say that they are not removable; the bus says that they are.
static bool is_removable(const struct device *disk)
{
	return disk->removable ||
	       (disk->transport && strcmp(disk->transport, "usb") == 0) ||
	       is_sd_card(disk);
}

static bool has_partitions(const struct device_list *list, const struct device *disk)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->items[i].parent &&
		    strcmp(list->items[i].parent, disk->name) == 0)
			return true;
	return disk->content.table != NULL;
}

bool stick_may_be(const struct device_list *list, const struct device *d,
		  const char *const *exclude)
{
	const struct device *disk = device_disk(list, d);

	if ((d->kind != DEVICE_DISK && d->kind != DEVICE_PARTITION) || !disk ||
	    disk->kind != DEVICE_DISK || d->size == 0)
		return false;
	for (; exclude && *exclude; exclude++)
		if (strcmp(*exclude, disk->name) == 0)
			return false;
	if (!stick_fs(d->content.type) || !is_removable(disk))
		return false;
	if (d->swap || (d->holders && d->holders[0]))
		return false;
	return d->kind == DEVICE_PARTITION || !has_partitions(list, d);
}

char *stick_describe(const struct device_list *list, const struct device *d)
{
	const struct device *disk = device_disk(list, d);
	const char *bus = disk->transport ? disk->transport : "";

	return mem_printf("%s %s%s%s, %s",
			  strcmp(bus, "usb") == 0   ? "USB stick"
			  : strcmp(bus, "mmc") == 0 ? "SD card"
						    : "removable disk",
			  disk->model ? disk->model : "of unknown model",
			  disk->serial ? ", serial " : "",
			  disk->serial ? disk->serial : "", d->path);
}
