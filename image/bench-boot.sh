#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Guest time from the kernel's start to PID 1, of our image and of a generic one: image/bench-boot.sh [amd64|i386] [ROUNDS]
# The generic one is what dracut makes of the same kernel by default (dracut --no-hostonly), with the same compressor.
# QEMU counts instructions here (-icount), so the time depends on neither the host's speed nor its load.
set -euo pipefail

arch=${1:-amd64}
rounds=${2:-2}
here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$here")
build=$(realpath -m "${BUILD:-$top/build}")
root=$build/root-$arch
image=$build/image-$arch
generic=$build/bench-boot-$arch.img
log=$build/bench-boot-$arch.log
limit=180    # seconds of the host's time, for one boot under software emulation on a busy machine

kver=$(sed -n 's/^kernel //p' "$image/manifest.txt")
level=$(sed -n 's/^level //p' "$image/manifest.txt")
if [[ ! -f $generic || $(cat "$generic.of" 2>/dev/null) != "$kver $level" ]]; then
  echo "bench-boot: making the generic image"
  # From the kernel package as Debian ships it: our build root has fewer drivers, and has them compressed.
  cache=${XDG_CACHE_HOME:-$HOME/.cache}/assay/debs
  deb=$(find "$cache" -name "linux-image-${kver}_*_$arch.deb" | sort -V | tail -n 1)
  [[ -n $deb ]] || { echo "bench-boot: the kernel package is not in $cache; REFRESH=1 image/root.sh $arch" >&2; exit 1; }
  whole=$root/var/tmp/generic
  rm -rf "$whole"
  mkdir -p "$whole"
  dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$whole" ./lib/modules
  # shellcheck disable=SC2016  # expanded by the inner shell
  "$here/chroot.sh" "$root" bash -euc '
    cd /var/tmp/generic
    depmod -b . "$1"
    dracut --force --no-hostonly --kver "$1" --kmoddir "/var/tmp/generic/lib/modules/$1" \
      --compress "zstd -$2 -T1 -q" --quiet generic.img' generic "$kver" "$level" >"$log" 2>&1 ||
    { tail "$log" >&2; exit 1; }
  mv "$whole/generic.img" "$generic"
  rm -rf "$whole"
  echo "$kver $level" >"$generic.of"
fi

# boot INITRD MB: prints the guest's seconds at which the kernel starts /init
boot() {
  local initrd=$1 memory=$2 pid at='' until=$((SECONDS + limit))
  : >"$log"
  timeout "$limit" qemu-system-x86_64 -accel tcg -icount shift=0,align=off,sleep=off -m "$memory" -nodefaults \
    -no-reboot -display none -rtc base=2024-01-01,clock=vm -serial "file:$log" -kernel "$image/vmlinuz" \
    -initrd "$initrd" -append 'console=ttyS0 rootfstype=ramfs cryptomgr.notests panic=-1' </dev/null 2>>"$log" &
  pid=$!
  while [[ -z $at ]] && kill -0 "$pid" 2>/dev/null && ((SECONDS < until)); do
    sleep 0.3
    at=$(sed -n 's/^\[ *\([0-9.]*\)\] Run \/init as init process.*/\1/p' "$log" | head -n 1)
  done
  kill "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
  echo "${at:-failed}"
}

printf '%-10s %6s %12s  %s\n' image RAM 'initrd bytes' 'seconds to PID 1, each round'
for row in "assay $image/initrd.img 256" "assay $image/initrd.img 1024" "generic $generic 256" "generic $generic 1024"; do
  read -r name initrd memory <<<"$row"
  times=()
  for ((i = 0; i < rounds; i++)); do
    times+=("$(boot "$initrd" "$memory")")
  done
  printf '%-10s %6s %12s  %s\n' "$name" "$memory" "$(stat -c %s "$initrd")" "${times[*]}"
done

# campaign: a whole one, with an IDE disk and a USB stick; prints what its result.json says of its beginning. The last
# figure waits for the emulated disk's answers, which come in the host's time, so it alone is not the same each time.
campaign() {
  local work=$build/bench-boot-run pid
  rm -rf "$work"
  mkdir -p "$work"
  truncate -s 128M "$work/disk.img"
  truncate -s 64M "$work/stick.img"
  mkfs.vfat -n ASSAY "$work/stick.img" >"$work/mkfs.log"
  mcopy -i "$work/stick.img" "$top/configs/smoke.ini" ::assay.ini
  timeout "$limit" qemu-system-x86_64 -accel tcg -icount shift=0,align=off,sleep=off -m 256 -nodefaults -no-reboot \
    -display none -rtc base=2024-01-01,clock=vm -serial "file:$work/serial.log" -kernel "$image/vmlinuz" \
    -initrd "$image/initrd.img" \
    -append 'console=ttyS0 quiet rootfstype=ramfs cryptomgr.notests panic=-1 assay.arm.encrypted.stack=disk/gpt/ext4' \
    -drive "if=none,id=disk,format=raw,file=$work/disk.img" -device ide-hd,drive=disk,serial=ASSAY-DISK-1 \
    -device qemu-xhci -drive "if=none,id=stick,format=raw,file=$work/stick.img" \
    -device usb-storage,drive=stick,removable=on,serial=ASSAY-STICK-1 </dev/null 2>>"$log" &
  pid=$!
  wait "$pid" || true
  mcopy -s -n -i "$work/stick.img" ::assay "$work/" 2>>"$log" || { echo "no result, see $work/serial.log"; return; }
  find "$work/assay" -name result.json -exec python3 -c '
import json, sys
boot = json.load(open(sys.argv[1]))["boot"]
print("  ".join(f"{name} {boot[name]:.3f}" for name in ("init", "sequence", "devices", "first_io")))' {} \;
}

echo "seconds to PID 1, to the sequence, to all disks present, to the first benchmark I/O (256 MB, IDE disk, USB stick):"
for ((i = 0; i < rounds; i++)); do
  campaign
done
