// SPDX-License-Identifier: GPL-3.0-or-later
// Private to this folder: the pages in which SCSI and ATA disks say who they are.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Page 0x80: the unit's serial number; NULL when there is none. The caller frees.
char *vpd_serial(const void *page, size_t len);

// Page 0x83: the unit's name as the kernel's `wwid` writes it ("naa.5000c5...",
// "eui..."); NULL when it has neither. The caller frees.
char *vpd_wwn(const void *page, size_t len);

// What IDENTIFY DEVICE tells; strings are NULL where it does not.
struct vpd_ata {
	char *model, *serial, *firmware, *wwn;
	bool sata;
};

// Page 0x89, which carries it. Returns false (and leaves `ret` empty) for another page.
bool vpd_ata(const void *page, size_t len, struct vpd_ata *ret);
void vpd_ata_done(struct vpd_ata *a);
