#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# assay.iso: boots from CD and, written with dd, from a stick, under BIOS and UEFI. Runs inside the build root: iso.sh ID
# Three partitions as a stick: the ISO itself, the ESP behind it, and a FAT for a plan and results. An MBR, no GPT: people
# can add partitions with any tool, and results need none.
set -euo pipefail

id=$1 # for stage.sh
# shellcheck source=image/media/stage.sh
. /var/tmp/media/scripts/stage.sh
data_kb=8192
most=$((64 << 20)) # bytes

stage_memtest
cp grub.cfg stage/boot/grub/
stage_efi efi/EFI/BOOT
# The signed GRUB reads this first from the partition that it was started from; the ISO is another one.
mkdir -p efi/boot/grub
{
  early_config
  # shellcheck disable=SC2016  # GRUB's own variable
  echo 'configfile $prefix/grub.cfg'
} >efi/boot/grub/grub.cfg
early_config >early.cfg
mkdir -p stage/boot/grub/i386-pc
grub-mkimage -O i386-pc-eltorito -o stage/boot/grub/i386-pc/eltorito.img -p /boot/grub -c early.cfg \
  "${grub_modules[@]}" biosdisk
settle stage efi

fat esp.img 8192 ASSAY-ESP
fill esp.img efi
mkdir -p data/assay
cp example.ini data/assay-example.ini
settle data
fat data.img "$data_kb" ASSAY
fill data.img data

date=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M%S00)
xorriso -as mkisofs -quiet -r -V "ASSAY_${id^^}" --modification-date="$date" -o assay.iso \
  --grub2-mbr /usr/lib/grub/i386-pc/boot_hybrid.img -partition_offset 16 --mbr-force-bootable -iso_mbr_part_type 0x83 \
  -append_partition 2 0xef esp.img -append_partition 3 0x0c data.img \
  -c /boot.cat -b /boot/grub/i386-pc/eltorito.img -no-emul-boot -boot-load-size 4 -boot-info-table --grub2-boot-info \
  -eltorito-alt-boot -e '--interval:appended_partition_2:all::' -no-emul-boot stage
(($(stat -c %s assay.iso) <= most)) || { echo "assay.iso is larger than $most bytes"; exit 1; }
