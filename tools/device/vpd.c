// SPDX-License-Identifier: GPL-3.0-or-later
// The pages in which SCSI and ATA disks say who they are: bytes from the disk, so every
// length in them is checked.
#include <inttypes.h>
#include <stdint.h>
#include <string.h>

#include "common/mem.h"
#include "common/strbuf.h"
#include "device/sysfs.h"
#include "device/vpd.h"

#define VPD_HEADER 4 // peripheral, page code, length (16 bit, big endian)

// The payload of the page with that code, cut to what is really there.
static const uint8_t *payload(const void *page, size_t len, uint8_t code, size_t *ret)
{
	const uint8_t *p = page;
	size_t want;

	if (len < VPD_HEADER || p[1] != code)
		return NULL;
	want = (size_t)p[2] << 8 | p[3];
	*ret = len - VPD_HEADER < want ? len - VPD_HEADER : want;
	return p + VPD_HEADER;
}

char *vpd_serial(const void *page, size_t len)
{
	size_t n;
	const uint8_t *p = payload(page, len, 0x80, &n);

	return p ? sysfs_clean(p, n) : NULL;
}

static char *hex(const char *prefix, const uint8_t *p, size_t n)
{
	struct strbuf b = { 0 };

	strbuf_puts(&b, prefix);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&b, "%02x", p[i]);
	return strbuf_take(&b);
}

char *vpd_wwn(const void *page, size_t len)
{
	size_t n, size;
	const uint8_t *p = payload(page, len, 0x83, &n);
	const uint8_t *eui = NULL;
	size_t eui_len = 0;

	for (; p && n >= 4 && (size = (size_t)p[3] + 4) <= n; p += size, n -= size) {
		uint8_t association = p[1] >> 4 & 3, type = p[1] & 15;

		if (association != 0) // 0: of the unit; others: of its port or enclosure
			continue;
		if (type == 3 && (p[3] == 8 || p[3] == 16))
			return hex("naa.", p + 4, p[3]);
		if (type == 2 && !eui && (p[3] == 8 || p[3] == 12 || p[3] == 16)) {
			eui = p + 4;
			eui_len = p[3];
		}
	}
	return eui ? hex("eui.", eui, eui_len) : NULL;
}

// Page 0x89: 56 bytes about the translation layer, then the 512 bytes of IDENTIFY.
#define ATA_OFFSET 56
#define ATA_LEN    512

static uint16_t word(const uint8_t *id, unsigned n)
{
	return (uint16_t)(id[2 * n] | id[2 * n + 1] << 8);
}

// ATA text: two letters a word, the first in the high byte.
static char *ata_text(const uint8_t *id, unsigned first, unsigned last)
{
	char text[64];
	size_t n = 0;

	for (unsigned w = first; w <= last; w++) {
		text[n++] = (char)id[2 * w + 1];
		text[n++] = (char)id[2 * w];
	}
	return sysfs_clean(text, n);
}

bool vpd_ata(const void *page, size_t len, struct vpd_ata *ret)
{
	size_t n;
	const uint8_t *id = payload(page, len, 0x89, &n);

	*ret = (struct vpd_ata){ 0 };
	if (!id || n < ATA_OFFSET + ATA_LEN)
		return false;
	id += ATA_OFFSET;
	ret->serial = ata_text(id, 10, 19);
	ret->firmware = ata_text(id, 23, 26);
	ret->model = ata_text(id, 27, 46);
	// Word 87: bits 15:14 are 01 when it is valid, bit 8 says there is a WWN.
	if ((word(id, 87) & 0xc100) == 0x4100)
		ret->wwn = mem_printf("naa.%04x%04x%04x%04x", word(id, 108),
				      word(id, 109), word(id, 110), word(id, 111));
	ret->sata = word(id, 76) != 0 && word(id, 76) != 0xffff;
	return true;
}

void vpd_ata_done(struct vpd_ata *a)
{
	free(a->model);
	free(a->serial);
	free(a->firmware);
	free(a->wwn);
	*a = (struct vpd_ata){ 0 };
}
