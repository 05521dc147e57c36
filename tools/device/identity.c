// SPDX-License-Identifier: GPL-3.0-or-later
// Who a disk is: model, serial, WWN and firmware, from sysfs and the disk's own pages.
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "device/sysfs.h"
#include "device/vpd.h"

#define PAGE_MAX 4096 // longer than any page the kernel keeps

// An attribute below `dir` as clean text, NULL when it is missing or blank.
static char *attribute(const char *dir, const char *name)
{
	_cleanup_free_ char *line = io_read_line("%s/%s", dir, name);

	return line ? sysfs_clean(line, strlen(line)) : NULL;
}

static bool page(const char *dir, const char *name, struct strbuf *to)
{
	_cleanup_free_ char *path = mem_printf("%s/device/%s", dir, name);

	return io_read_file(path, to, PAGE_MAX) == 0 && to->len > 0;
}

// Puts `value` in place of what is there unless it is NULL; takes it over.
static void prefer(char **field, char *value)
{
	if (!value)
		return;
	free(*field);
	*field = value;
}

static void fill(char **field, char *value)
{
	if (*field)
		free(value);
	else
		*field = value;
}

// A USB disk without page 0x80 (all BOT sticks): its USB device's serial. Only that one
// device is asked: further up are hubs and the host, which have serials of their own.
static char *usb_serial(const char *dir)
{
	_cleanup_free_ char *at = mem_strdup(dir);

	while (sysfs_up(at)) {
		_cleanup_free_ char *subsystem = sysfs_link(at, "subsystem");
		const char *name = strrchr(at, '/') + 1;

		if (subsystem && strcmp(subsystem, "usb") == 0 && !strchr(name, ':'))
			return attribute(at, "serial");
	}
	return NULL;
}

// "vendor model"; libata's vendor is the word ATA, and some models repeat the vendor.
static char *scsi_model(const char *dir)
{
	_cleanup_free_ char *vendor = attribute(dir, "device/vendor");
	_cleanup_free_ char *model = attribute(dir, "device/model");

	if (!vendor || !model || strcmp(vendor, "ATA") == 0 ||
	    strncmp(model, vendor, strlen(vendor)) == 0)
		return TAKE_PTR(model);
	return mem_printf("%s %s", vendor, model);
}

// Names that the kernel made up from vendor and model ("t10.") are not unique.
static char *scsi_wwn(const char *dir)
{
	_cleanup_free_ char *wwid = attribute(dir, "device/wwid");
	_cleanup_strbuf_ struct strbuf b = { 0 };

	if (wwid && (strncmp(wwid, "naa.", 4) == 0 || strncmp(wwid, "eui.", 4) == 0))
		return TAKE_PTR(wwid);
	return page(dir, "vpd_pg83", &b) ? vpd_wwn(b.data, b.len) : NULL;
}

static void read_scsi(struct device *d, const char *dir)
{
	_cleanup_strbuf_ struct strbuf serial = { 0 }, ata = { 0 };
	struct vpd_ata id;

	d->model = scsi_model(dir);
	d->firmware = attribute(dir, "device/rev");
	d->wwn = scsi_wwn(dir);
	if (page(dir, "vpd_pg80", &serial))
		d->serial = vpd_serial(serial.data, serial.len);
	// SCSI cuts an ATA disk's model at 16 letters and its firmware at 4.
	if (page(dir, "vpd_pg89", &ata) && vpd_ata(ata.data, ata.len, &id)) {
		prefer(&d->model, TAKE_PTR(id.model));
		prefer(&d->firmware, TAKE_PTR(id.firmware));
		fill(&d->serial, TAKE_PTR(id.serial));
		fill(&d->wwn, TAKE_PTR(id.wwn));
		if (id.sata && d->transport && strcmp(d->transport, "ata") == 0)
			prefer(&d->transport, mem_strdup("sata"));
		vpd_ata_done(&id);
	}
	if (!d->serial)
		d->serial = usb_serial(dir);
}

static void read_nvme(struct device *d, const char *dir)
{
	d->model = attribute(dir, "device/model");
	d->serial = attribute(dir, "device/serial");
	d->firmware = attribute(dir, "device/firmware_rev");
	// Also where it is only "nvme.": it holds serial and namespace, so it is unique.
	d->wwn = attribute(dir, "wwid");
	if (!d->wwn)
		d->wwn = attribute(dir, "device/wwid");
}

static void read_mmc(struct device *d, const char *dir)
{
	d->model = attribute(dir, "device/name");
	d->serial = attribute(dir, "device/serial");
	if (!d->serial)
		d->serial = attribute(dir, "device/cid");
	d->firmware = attribute(dir, "device/fwrev");
}

static void read_other(struct device *d, const char *dir)
{
	d->model = attribute(dir, "device/model");
	d->serial = attribute(dir, "serial"); // virtio
	if (!d->serial)
		d->serial = attribute(dir, "device/serial");
	d->wwn = attribute(dir, "wwid");
}

void identity_read(struct device *d, const char *dir)
{
	static const struct {
		const char *subsystem;
		void (*read)(struct device *d, const char *dir);
	} kinds[] = {
		{ "scsi", read_scsi },
		{ "nvme", read_nvme },
		{ "nvme-subsystem", read_nvme },
		{ "mmc", read_mmc },
	};
	_cleanup_free_ char *device = mem_printf("%s/device", dir);
	_cleanup_free_ char *subsystem = sysfs_link(device, "subsystem");

	for (size_t i = 0; subsystem && i < ARRAY_SIZE(kinds); i++) {
		if (strcmp(subsystem, kinds[i].subsystem) == 0) {
			kinds[i].read(d, dir);
			return;
		}
	}
	read_other(d, dir);
}
