#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# assay.img: a stick that boots, under BIOS and UEFI, and takes a plan and results. Runs inside the build root: usb.sh ID
# One FAT32 in one MBR partition. Its file allocation tables are long enough for 32 GiB from the start, so that the
# appliance can let it grow to the stick's size by changing two numbers (tools/device/stick-grow.h).
set -euo pipefail

id=$1 # for stage.sh
# shellcheck source=image/media/stage.sh
. /var/tmp/media/scripts/stage.sh
start=2048            # sectors, where the partition begins; GRUB lies in the gap before it
cluster=8             # sectors
fewest=$((65525 + 75)) # clusters; with less than 65525 it would be no FAT32 to readers that count them
room=$((32 * 1024))   # kB free for plan and results on a stick that cannot grow

# le32 NUMBER: four bytes, the lowest first
le32() {
  local n=$1 i
  for i in 0 8 16 24; do printf '%b' "\\x$(printf %02x $((n >> i & 255)))"; done
}
# patch FILE OFFSET: standard input over the bytes there
patch() { dd of="$1" bs=1 seek="$2" conv=notrunc status=none; }

stage_memtest
cp grub.cfg stage/boot/grub/
stage_efi stage/EFI/BOOT
mkdir -p stage/assay
cp example.ini stage/assay-example.ini
settle stage

# Made as if the stick had 32 GiB, then cut to what is needed: sectors in all (offset 32) in the boot sector and its copy;
# what is free (offset 488 of the information sector) is not known.
rm -f fat.img
truncate -s 32G fat.img
mkfs.vfat --invariant -F 32 -s "$cluster" -R 32 -h "$start" -n ASSAY -i "$number" fat.img
tables=$(od -An -tu4 -j 36 -N 4 fat.img | tr -d ' ')
used=$(($(du -sk stage | cut -f 1) + 64 * $(find stage | wc -l)))
sectors=$(((used + room) * 2))
((sectors >= fewest * cluster)) || sectors=$((fewest * cluster))
sectors=$((32 + 2 * tables + sectors))
sectors=$(((sectors + start + 8191) / 8192 * 8192 - start))
truncate -s $((sectors * 512)) fat.img
for sector in 0 6; do
  le32 "$sectors" | patch fat.img $((sector * 512 + 32))
done
for sector in 1 7; do
  printf '\xff\xff\xff\xff\xff\xff\xff\xff' | patch fat.img $((sector * 512 + 488))
done
fill fat.img stage

early_config >early.cfg
grub-mkimage -O i386-pc -o core.img -p /boot/grub -c early.cfg "${grub_modules[@]}" biosdisk
(($(stat -c %s core.img) < (start - 1) * 512)) || { echo "GRUB does not fit before the partition"; exit 1; }

rm -f assay.img
truncate -s $(((start + sectors) * 512)) assay.img
printf 'label: dos\nlabel-id: 0x%s\nstart=%d, size=%d, type=c, bootable\n' "$number" "$start" "$sectors" |
  sfdisk --quiet --no-reread --no-tell-kernel assay.img
head -c 440 /usr/lib/grub/i386-pc/boot.img | patch assay.img 0
dd if=core.img of=assay.img bs=512 seek=1 conv=notrunc status=none
dd if=fat.img of=assay.img bs=1M seek=$((start * 512)) oflag=seek_bytes conv=notrunc,sparse status=none
