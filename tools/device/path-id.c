// SPDX-License-Identifier: GPL-3.0-or-later
// Where a disk is plugged in, by the names that udev's path_id gives, and its transport:
// both come from one walk up the devices above it.
#include <stdio.h>
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "device/sysfs.h"

struct walk {
	char *block; // the block device's own folder
	char *at;    // where the walk is
	char *path;  // what was put together so far, NULL at first
	const char *transport;
	bool rooted;  // a bus whose addresses stay (PCI, platform) was met
	bool carried; // a transport that tells its devices apart was met
	bool unknown; // a transport without a name of ours: no path rather than a wrong
		      // one
};

struct scsi_address {
	unsigned host, bus, target, lun;
};

static const char *base_name(const char *path)
{
	return strrchr(path, '/') + 1;
}

static void prepend(struct walk *w, const char *part)
{
	char *longer = w->path ? mem_printf("%s-%s", part, w->path) : mem_strdup(part);

	free(w->path);
	w->path = longer;
}

static void prepend_take(struct walk *w, char *part)
{
	prepend(w, part);
	free(part);
}

// Goes on to the topmost of the parents that follow directly on the same bus.
static void skip(struct walk *w, const char *subsystem)
{
	for (;;) {
		_cleanup_free_ char *up = mem_strdup(w->at);
		_cleanup_free_ char *bus = NULL;

		if (!sysfs_up(up))
			return;
		bus = sysfs_link(up, "subsystem");
		if (!bus || strcmp(bus, subsystem) != 0)
			return;
		*strrchr(w->at, '/') = '\0';
	}
}

// Cuts `path` after the first component that starts with `prefix` and a digit.
static bool cut_at(char *path, const char *prefix)
{
	size_t len = strlen(prefix);

	for (char *p = strstr(path, prefix); p; p = strstr(p + 1, prefix)) {
		if (p[-1] != '/' || p[len] < '0' || p[len] > '9')
			continue;
		p[strcspn(p, "/")] = '\0';
		return true;
	}
	return false;
}

// SATA by the driver, or by a link that knows a SATA speed (ata_piix serves both kinds).
static bool ata_is_serial(const char *port)
{
	_cleanup_free_ char *controller = mem_strdup(port), *driver = NULL, *speed = NULL;
	const char *number = base_name(port) + strlen("ata");

	if (sysfs_up(controller))
		driver = sysfs_link(controller, "driver");
	if (driver &&
	    (strncmp(driver, "ahci", 4) == 0 || strncmp(driver, "sata_", 5) == 0))
		return true;
	speed = io_read_line("%s/link%s/ata_link/link%s/sata_spd", port, number, number);
	return speed && strstr(speed, "Gbps");
}

static void at_ata(struct walk *w, const struct scsi_address *a)
{
	_cleanup_free_ char *port = mem_strdup(w->at);
	int64_t number;

	cut_at(port, "ata");
	w->transport = ata_is_serial(port) ? "sata" : "ata";
	number = io_read_number(-1, "%s/ata_port/%s/port_no", port, base_name(port));
	if (number < 0)
		w->unknown = true;
	else if (a->bus) // behind a port multiplier
		prepend_take(w, mem_printf("ata-%lld.%u.0", (long long)number, a->bus));
	else // master and slave
		prepend_take(w, mem_printf("ata-%lld.%u", (long long)number, a->target));
}

static void at_sas(struct walk *w, const struct scsi_address *a)
{
	_cleanup_free_ char *end = mem_strdup(w->at), *phy = NULL, *expander = NULL;
	_cleanup_free_ char *above = NULL;

	cut_at(end, "end_device-");
	phy = io_read_line("%s/sas_device/%s/phy_identifier", end, base_name(end));
	above = mem_strdup(end);
	// The port is in between.
	if (!phy || !sysfs_up(above) || !sysfs_up(above)) {
		w->unknown = true;
		return;
	}
	expander = io_read_line("%s/sas_device/%s/sas_address", above, base_name(above));
	if (expander)
		prepend_take(w,
			     mem_printf("sas-exp%s-phy%s-lun-%u", expander, phy, a->lun));
	else
		prepend_take(w, mem_printf("sas-phy%s-lun-%u", phy, a->lun));
}

// SCSI hosts are numbered over the whole machine; the name counts from the first one of
// the same controller.
static void at_scsi_host(struct walk *w, const struct scsi_address *a)
{
	_cleanup_free_ char *controller = mem_strdup(w->at);
	unsigned first = a->host, n;
	char **names;

	if (!cut_at(controller, "host") || !sysfs_up(controller)) {
		w->unknown = true;
		return;
	}
	names = sysfs_names(controller);
	for (char **p = names; p && *p; p++)
		if (sscanf(*p, "host%u", &n) == 1 && n < first)
			first = n;
	names_free(names);
	prepend_take(w, mem_printf("scsi-%u:%u:%u:%u", a->host - first, a->bus, a->target,
				   a->lun));
}

static void at_scsi(struct walk *w)
{
	_cleanup_free_ char *copy = mem_strdup(w->at);
	struct scsi_address a;

	if (sscanf(base_name(w->at), "%u:%u:%u:%u", &a.host, &a.bus, &a.target, &a.lun) !=
	    4)
		return; // a target or a host on the way up
	w->transport = "scsi";
	w->carried = true;
	if (strstr(w->at, "/rport-") || strstr(w->at, "/session"))
		w->unknown = true; // Fibre Channel and iSCSI disks have a WWN
	else if (strstr(w->at, "/end_device-"))
		at_sas(w, &a);
	else if (cut_at(copy, "ata"))
		at_ata(w, &a);
	else
		at_scsi_host(w, &a);
}

static void at_usb(struct walk *w)
{
	const char *port = strchr(base_name(w->at), '-');

	w->transport = "usb";
	w->carried = true;
	if (port)
		prepend_take(w, mem_printf("usb-0:%s", port + 1));
	skip(w, "usb");
}

static void at_nvme(struct walk *w)
{
	_cleanup_free_ char *nsid = io_read_line("%s/nsid", w->block);

	w->transport = "nvme";
	w->carried = true;
	if (nsid)
		prepend_take(w, mem_printf("nvme-%s", nsid));
	else
		w->unknown = true;
	skip(w, "nvme");
}

// A namespace that several controllers may share hangs below no PCI device; with one
// controller only, the place is that one's.
static void at_nvme_subsystem(struct walk *w)
{
	char **names = sysfs_names(w->at);
	char *only = NULL;
	unsigned n = 0;

	for (char **p = names; p && *p; p++) {
		_cleanup_free_ char *link = sysfs_link(w->at, *p);
		unsigned number;
		char end;

		if (link && sscanf(*p, "nvme%u%c", &number, &end) == 1) {
			free(only);
			only = mem_printf("%s/%s", w->at, *p);
			n++;
		}
	}
	names_free(names);
	w->transport = "nvme";
	if (n == 1) {
		char *real = realpath(only, NULL);

		if (real) {
			free(w->at);
			w->at = real;
			at_nvme(w);
		}
	}
	free(only);
}

static void at_virtio(struct walk *w)
{
	if (!w->transport)
		w->transport = "virtio";
	w->carried = true;
	skip(w, "virtio");
}

static void at_mmc(struct walk *w)
{
	w->transport = "mmc";
}

static void at_pci(struct walk *w)
{
	prepend_take(w, mem_printf("pci-%s", base_name(w->at)));
	w->rooted = true;
	skip(w, "pci");
}

static void at_platform(struct walk *w)
{
	prepend_take(w, mem_printf("platform-%s", base_name(w->at)));
	w->rooted = w->carried = true;
	skip(w, "platform");
}

static const struct {
	const char *subsystem;
	void (*at)(struct walk *w);
} buses[] = {
	{ "scsi", at_scsi },     { "usb", at_usb },
	{ "nvme", at_nvme },     { "nvme-subsystem", at_nvme_subsystem },
	{ "virtio", at_virtio }, { "mmc", at_mmc },
	{ "pci", at_pci },       { "platform", at_platform },
};

void path_id(struct device *d, const char *dir)
{
	struct walk w = { .block = mem_strdup(dir), .at = mem_strdup(dir) };

	while (sysfs_up(w.at)) {
		_cleanup_free_ char *subsystem = sysfs_link(w.at, "subsystem");

		for (size_t i = 0; subsystem && i < ARRAY_SIZE(buses); i++)
			if (strcmp(subsystem, buses[i].subsystem) == 0) {
				buses[i].at(&w);
				break;
			}
	}
	d->transport = mem_strdup(w.transport);
	if (w.path && w.rooted && w.carried && !w.unknown)
		d->by_path = TAKE_PTR(w.path);
	free(w.path);
	free(w.at);
	free(w.block);
}
