// SPDX-License-Identifier: GPL-3.0-or-later
// The link that a disk negotiated, from sysfs.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/io.h"
#include "common/mem.h"
#include "device/link.h"
#include "device/sysfs.h"

struct link {
	double rate; // of the narrowest so far; 0: none found
	char text[64];
};

static void take(struct link *l, double rate, const char *fmt, ...) _printf_(3, 4);

static void take(struct link *l, double rate, const char *fmt, ...)
{
	va_list ap;

	if (!(rate > 0) || (l->rate > 0 && rate >= l->rate))
		return;
	l->rate = rate;
	va_start(ap, fmt);
	vsnprintf(l->text, sizeof(l->text), fmt, ap);
	va_end(ap);
}

// The number at the start of an attribute, "6.0 Gbps"; 0 when there is none.
static double leading(const char *text)
{
	return text ? strtod(text, NULL) : 0;
}

// PCI Express to the controller: each direction by itself. 2.5 and 5 GT/s send 10 bits a
// byte, later ones 130 for 128.
static void pci(const char *dir, struct link *l)
{
	_cleanup_free_ char *speed = io_read_line("%s/current_link_speed", dir);
	double gt = leading(speed);
	int64_t width = io_read_number(0, "%s/current_link_width", dir);

	if (gt <= 0 || width <= 0 || width > 32)
		return;
	take(l, gt * 1e9 * (gt <= 5 ? 0.8 : 128.0 / 130) / 8 * (double)width,
	     "PCIe %.3g GT/s x%lld", gt, (long long)width);
}

// USB: "speed" is in Mbit/s. 5 Gbit/s sends 10 bits a byte, 10 and 20 send 132 for 128;
// slower ones carry at most their bits.
static void usb(const char *dir, struct link *l)
{
	_cleanup_free_ char *speed = io_read_line("%s/speed", dir);
	_cleanup_free_ char *class = io_read_line("%s/bDeviceClass", dir);
	double mbit = leading(speed);

	if (!class || mbit <= 0)
		return;
	take(l,
	     mbit * 1e6 *
		     (mbit < 5000    ? 1
		      : mbit < 10000 ? 0.8
				     : 128.0 / 132) /
		     8,
	     "USB %.4g Mbit/s", mbit);
}

// Ultra DMA and older modes, bytes per second, by the name libata gives them (ATA/ATAPI-7
// for the modes' cycle times).
static double ata_mode(const char *name)
{
	static const struct {
		const char *name;
		double mb;
	} modes[] = {
		{ "XFER_UDMA_7", 150 },    { "XFER_UDMA_6", 133.3 },
		{ "XFER_UDMA_5", 100 },    { "XFER_UDMA_4", 66.7 },
		{ "XFER_UDMA_3", 44.4 },   { "XFER_UDMA_2", 33.3 },
		{ "XFER_UDMA_1", 25 },     { "XFER_UDMA_0", 16.7 },
		{ "XFER_MW_DMA_2", 16.7 }, { "XFER_MW_DMA_1", 13.3 },
		{ "XFER_MW_DMA_0", 4.2 },  { "XFER_PIO_4", 16.7 },
		{ "XFER_PIO_3", 11.1 },
	};

	for (size_t i = 0; name && i < ARRAY_SIZE(modes); i++)
		if (strcmp(name, modes[i].name) == 0)
			return modes[i].mb * 1e6;
	return 0;
}

// `dir` is ".../ataN" above a disk whose last SCSI address is `scsi` ("2:0:1:0": host,
// channel, target, unit). SATA tells a speed, PATA a mode for each of two devices.
static void ata(const char *root, const char *dir, const char *scsi, struct link *l)
{
	const char *port = strrchr(dir, '/') + strlen("/ata");
	unsigned channel = 0, target = 0;
	_cleanup_free_ char *spd =
		io_read_line("%s/sys/class/ata_link/link%s/sata_spd", root, port);
	_cleanup_free_ char *mode = NULL;

	if (leading(spd) > 0) {
		take(l, leading(spd) * 1e9 * 0.8 / 8, "SATA %.3g Gbit/s", leading(spd));
		return;
	}
	if (sscanf(scsi, "%*u:%u:%u", &channel, &target) != 2)
		return;
	mode = io_read_line("%s/sys/class/ata_device/dev%s.%u/xfer_mode", root, port,
			    channel ? channel : target);
	take(l, ata_mode(mode), "ATA %s", mode ? mode + strlen("XFER_") : "");
}

// SAS: "12.0 Gbit", 8b/10b up to 12, of the narrowest phy that is up: a wide port has
// more, so that a bound by one phy is not taken for the port's.
static void sas(const char *dir, struct link *l)
{
	char **names = sysfs_names(dir);
	double best = 0, phys = 0;

	for (char **n = names; n && *n; n++) {
		_cleanup_free_ char *rate = NULL;

		if (strncmp(*n, "phy-", 4) != 0)
			continue;
		rate = io_read_line("%s/%s/sas_phy/%s/negotiated_linkrate", dir, *n, *n);
		best = fmax(best, leading(rate));
		phys += leading(rate) > 0;
	}
	names_free(names);
	take(l, best * 1e9 * 0.8 / 8 * phys, "SAS %.3g Gbit/s x%.0f", best, phys);
}

static void step(const char *root, const char *dir, const char *scsi, struct link *l)
{
	const char *base = strrchr(dir, '/') + 1;

	pci(dir, l);
	usb(dir, l);
	if (strncmp(base, "ata", 3) == 0)
		ata(root, dir, scsi, l);
	if (strncmp(base, "port-", 5) == 0)
		sas(dir, l);
}

double device_link_rate(const char *root, const char *name, struct strbuf *words)
{
	_cleanup_free_ char *path =
		mem_printf("%s/sys/class/block/%s/device", root, name);
	_cleanup_free_ char *dir = realpath(path, NULL);
	_cleanup_free_ char *scsi = NULL;
	struct link l = { 0 };

	if (!dir)
		return 0;
	scsi = mem_strdup(strrchr(dir, '/') + 1);
	do {
		step(root, dir, scsi, &l);
	} while (sysfs_up(dir));
	if (words)
		strbuf_puts(words, l.text);
	return l.rate;
}
