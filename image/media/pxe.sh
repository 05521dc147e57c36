#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# assay-pxe/: a folder for a TFTP or HTTP server. Runs inside the build root: pxe.sh ID
#   BIOS    pxelinux.0          UEFI  shimx64.efi (Secure Boot)          iPXE  boot.ipxe
set -euo pipefail

id=$1 # for stage.sh
# shellcheck source=image/media/stage.sh
. /var/tmp/media/scripts/stage.sh

stage_memtest
mv stage assay-pxe
rm -r assay-pxe/.disk
mkdir -p assay-pxe/grub assay-pxe/pxelinux.cfg assay-pxe/plans
# The signed network GRUB looks for its menu in /grub.
cp grub.cfg assay-pxe/grub/grub.cfg
cp pxelinux.cfg assay-pxe/pxelinux.cfg/default
cp boot.ipxe assay-pxe/
rm -r assay-pxe/boot/grub
cp /usr/lib/PXELINUX/pxelinux.0 assay-pxe/
cp /usr/lib/syslinux/modules/bios/{ldlinux,libcom32,libutil,menu,ifcpu64}.c32 assay-pxe/
cp /usr/lib/shim/shimx64.efi.signed assay-pxe/shimx64.efi
cp /usr/lib/shim/mmx64.efi.signed assay-pxe/mmx64.efi
cp /usr/lib/grub/x86_64-efi-signed/grubnetx64.efi.signed assay-pxe/grubx64.efi
cp example.ini assay-pxe/plans/example.ini
# A TFTP server gives only what everybody may read.
chmod -R a+rX assay-pxe
settle assay-pxe
