// SPDX-License-Identifier: GPL-3.0-or-later
// What an initrd holds: the list of its files through every segment and compressor, as
// the kernel would unpack them, and which program made it.
#pragma once

#include "kexec/cpio.h"
#include "kexec/unpack.h"

struct initrd_file {
	char *path; // without a leading slash
	uint32_t mode;
	uint64_t size;
	char *text; // a link's target, or the content of a small configuration file; or
		    // NULL
	unsigned order; // of appearance
};

struct initrd {
	struct initrd_file *files; // by path; of two the later, as the kernel does it
	size_t n;
	struct strbuf formats; // of its segments: "cpio zstd"
	uint64_t unpacked;     // bytes of all files
};

// One piece of what the boot loader hands over as a whole.
struct initrd_part {
	int fd;
	uint64_t offset, size;
};

// Reads all parts, in order. Returns 0, or -EBADMSG (with what and where) when the kernel
// could not unpack it either; ret then holds what came before. The caller calls
// initrd_done() in any case.
int initrd_read(const struct initrd_part *parts, size_t n, struct initrd *ret,
		struct err *err);
void initrd_done(struct initrd *i);
#define _cleanup_initrd_ _cleanup_(initrd_done)

// The file at a path, as a program in there would see it: folders that are links are
// followed ("lib/x" where lib -> usr/lib), the last part is not. NULL when there is none.
const struct initrd_file *initrd_find(const struct initrd *i, const char *path);
bool initrd_has(const struct initrd *i, const char *path);

// The content of a small configuration file, links followed; NULL when there is none.
const char *initrd_text(const struct initrd *i, const char *path);

// Where a file must be put so that a program finds it at `path`: its folders with links
// resolved. NULL when a link leads out of what is known. The caller frees.
char *initrd_place(const struct initrd *i, const char *path);

// Which program made it, and with it how it asks for passphrases.
enum initrd_family {
	INITRD_UNKNOWN,
	INITRD_DEBIAN,     // initramfs-tools with cryptsetup-initramfs
	INITRD_DRACUT,     // dracut without systemd
	INITRD_SYSTEMD,    // systemd-cryptsetup: dracut, mkinitcpio's sd-encrypt, NixOS
	INITRD_MKINITCPIO, // its encrypt hook
	INITRD_ALPINE,     // mkinitfs
	INITRD_BOOSTER,
	INITRD_NO_CRYPT, // known, but made without the tools to open anything
};

enum initrd_family initrd_family(const struct initrd *i);
const char *initrd_family_name(enum initrd_family f); // for a person
