#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the makers of media, inside the build root: what goes on all of them, and how a FAT and a GRUB are made.
# The caller has set $id, the build's 16 digits; stage/ holds kernels and initramfs already.
# shellcheck disable=SC2154  # $id and $SOURCE_DATE_EPOCH are the caller's
export LC_ALL=C TZ=UTC0 MTOOLS_SKIP_CHECK=1 MTOOLSRC=/dev/null
cd /var/tmp/media || exit

# What a FAT has for a UUID, by which the appliance knows its own media (tools/device/medium.h).
number=${id:0:8}

# A GRUB of our own has everything in itself; modules in files would have to fit it, version by version.
grub_modules=(normal configfile linux chain search search_fs_file probe part_msdos part_gpt iso9660 fat test echo
  cpuid serial terminal minicmd halt reboot sleep cat ls)

# stage_memtest: memtest86+, for BIOS and for UEFI
stage_memtest() {
  mkdir -p stage/boot/memtest
  cp /boot/memtest86+x64.bin stage/boot/memtest/memtest.bin
  cp /boot/memtest86+x64.efi stage/boot/memtest/memtest.efi
}

# stage_efi FOLDER: boot loaders for UEFI: Debian's signed shim and GRUB, and an unsigned GRUB where the firmware is 32-bit
stage_efi() {
  mkdir -p "$1"
  cp /usr/lib/shim/shimx64.efi.signed "$1/BOOTX64.EFI"
  cp /usr/lib/shim/mmx64.efi.signed "$1/mmx64.efi"
  cp /usr/lib/grub/x86_64-efi-signed/gcdx64.efi.signed "$1/grubx64.efi"
  early_config >early.cfg
  grub-mkimage -O i386-efi -o "$1/BOOTIA32.EFI" -p /boot/grub -c early.cfg "${grub_modules[@]}" efi_gop efi_uga
}

# early_config: how GRUB finds its medium among others, older copies of Assay included
early_config() {
  cat <<END
search --file --set=root /.disk/assay-$id
set prefix=(\$root)/boot/grub
END
}

# settle: one date for everything, and no other order of names than the alphabet's
settle() { find "$@" -exec touch --no-dereference -d "@$SOURCE_DATE_EPOCH" {} +; }

# fat FILE KILOBYTES LABEL: an empty FAT
fat() {
  rm -f "$1"
  mkfs.vfat --invariant -C -n "$3" -i "$number" "$1" "$2"
}

# fill IMAGE[@@OFFSET] FOLDER: everything of a folder into a FAT, in the order of the alphabet
fill() {
  local path
  (cd "$2" && find . -mindepth 1 -type d | LC_ALL=C sort) | while read -r path; do
    mmd -i "$1" "::$path"
  done
  (cd "$2" && find . -type f | LC_ALL=C sort) | while read -r path; do
    mcopy -m -i "$1" "$2/$path" "::$path"
  done
}
