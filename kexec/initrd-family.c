// SPDX-License-Identifier: GPL-3.0-or-later
// Which program made an initrd, told by the files that only it puts there.
#include <stddef.h>

#include "common/macro.h"
#include "kexec/initrd.h"

#define MARKS 3

// The first row of which every mark is there. Rows with a stronger mark come first: an
// sd-encrypt image holds systemd beside mkinitcpio's own files.
static const struct {
	enum initrd_family family;
	const char *marks[MARKS];
} rows[] = {
	{ INITRD_DEBIAN, { "scripts/local-top/cryptroot", "lib/cryptsetup/functions" } },
	{ INITRD_DEBIAN, { "scripts/local-top/cryptroot", "cryptroot/crypttab" } },
	{ INITRD_MKINITCPIO, { "hooks/encrypt", "init_functions" } },
	{ INITRD_SYSTEMD, { "usr/lib/systemd/systemd-cryptsetup" } },
	{ INITRD_SYSTEMD, { "usr/bin/systemd-cryptsetup" } },
	{ INITRD_SYSTEMD, { "lib/systemd/systemd-cryptsetup" } },
	{ INITRD_DRACUT, { "lib/dracut-lib.sh", "sbin/cryptroot-ask" } },
	{ INITRD_DRACUT, { "usr/lib/dracut-lib.sh", "usr/sbin/cryptroot-ask" } },
	{ INITRD_ALPINE, { "sbin/nlplug-findfs" } },
	{ INITRD_ALPINE, { "usr/sbin/nlplug-findfs" } },
	{ INITRD_BOOSTER, { "etc/booster.init.yaml" } },
	{ INITRD_NO_CRYPT, { "conf/initramfs.conf", "scripts/functions" } },
	{ INITRD_NO_CRYPT, { "lib/dracut-lib.sh" } },
	{ INITRD_NO_CRYPT, { "usr/lib/dracut-lib.sh" } },
	{ INITRD_NO_CRYPT, { "init_functions", "config" } },
	{ INITRD_NO_CRYPT, { "etc/initrd-release", "usr/lib/systemd/systemd" } },
};

enum initrd_family initrd_family(const struct initrd *i)
{
	for (size_t r = 0; r < ARRAY_SIZE(rows); r++) {
		size_t m = 0;

		while (m < MARKS && rows[r].marks[m] && initrd_has(i, rows[r].marks[m]))
			m++;
		if (m == MARKS || !rows[r].marks[m])
			return rows[r].family;
	}
	return INITRD_UNKNOWN;
}

const char *initrd_family_name(enum initrd_family f)
{
	static const char *const names[] = {
		[INITRD_UNKNOWN] = "an unknown kind",
		[INITRD_DEBIAN] = "initramfs-tools",
		[INITRD_DRACUT] = "dracut",
		[INITRD_SYSTEMD] = "systemd",
		[INITRD_MKINITCPIO] = "mkinitcpio",
		[INITRD_ALPINE] = "Alpine mkinitfs",
		[INITRD_BOOSTER] = "booster",
		[INITRD_NO_CRYPT] = "one without the tools to open encrypted disks",
	};

	return names[f];
}
