#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a plan on an emulated laptop (IDE disk, USB stick, serial), shows it live, and
# ends by printing the report and where the result files lie.
#   image/run.sh [ARCH [PLAN]]      PLAN is a file; default configs/quick.ini
# MEMORY (256M) and DISK_SIZE (512M) may be set; ACCEL=kvm where that works.
set -euo pipefail

cd "$(dirname "$0")/.."
arch=${1:-amd64}
plan=${2:-configs/quick.ini}
limit=900 # seconds; the run is ended then, whatever it does
work=build/run
rm -rf "$work"
mkdir -p "$work"

truncate -s "${DISK_SIZE:-512M}" "$work/disk.img"
truncate -s 64M "$work/stick.img"
mkfs.vfat -n ASSAY "$work/stick.img" >"$work/mkfs.log"
mcopy -i "$work/stick.img" "$plan" ::assay.ini

qemu="qemu-system-x86_64"
[ "$arch" = i386 ] && qemu="qemu-system-i386"
# The armoured results on the serial line are for `assay recv`; a person need not see them.
timeout --foreground "$limit" "$qemu" -accel "${ACCEL:-tcg}" -m "${MEMORY:-256M}" -smp 2 \
    -nodefaults -display none -monitor none -no-reboot -serial stdio \
    -kernel "build/image-$arch/vmlinuz" -initrd "build/image-$arch/initrd.img" \
    -append "console=tty0 console=ttyS0,115200 quiet rootfstype=ramfs cryptomgr.notests panic=10" \
    -drive "if=none,id=disk,format=raw,file=$work/disk.img" \
    -device ide-hd,drive=disk,serial=ASSAY-DISK-1 \
    -device qemu-xhci \
    -drive "if=none,id=stick,format=raw,file=$work/stick.img" \
    -device usb-storage,drive=stick,removable=on,serial=ASSAY-STICK-1 </dev/null |
    tee "$work/serial.log" | grep --line-buffered -v '=assay=' || status=$?

if ! mcopy -s -n -i "$work/stick.img" ::assay "$work/" 2>"$work/mcopy.log"; then
    echo "No results on the stick (exit status ${status:-0} of the machine); its serial" \
         "log: $work/serial.log" >&2
    exit 1
fi
result=$(find "$work/assay" -name result.json | sort | tail -1)
printf '\nResults of this run, as on the stick: %s\n' "$(dirname "$result")"
find "$work/assay" -type f | sort
printf 'Serial log (assay recv rebuilds the same files from it): %s\n' "$work/serial.log"
grep -q '"verdict": *"passed"' "$result"
