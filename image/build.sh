#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Make kernel and initramfs: image/build.sh amd64|i386 [ZSTD-LEVEL]   (3 for tests, 19 for releases)
# Result: $BUILD/image-ARCH/{vmlinuz,initrd.img,network.img,manifest.txt}. Same sources, same build root: same bytes.
set -euo pipefail
umask 022

arch=${1:?usage: build.sh amd64|i386 [ZSTD-LEVEL]}
level=${2:-${LEVEL:-3}}
here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$here")
build=$(realpath -m "${BUILD:-$top/build}")
root=$build/root-$arch
out=$build/image-$arch

"$here/root.sh" "$arch"
exec 9>"$build/root-$arch.lock"
flock 9

say() { echo "image-$arch: $*"; }
die() { echo "image-$arch: $*" >&2; exit 1; }

# sources: the C code and its Makefile, as they are in the working tree, committed or not; without what git ignores
sources() {
  cd "$top"
  if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files -z --cached --others --exclude-standard -- Makefile VERSION init tools kexec
  else
    find Makefile VERSION init tools kexec -type f -print0 2>/dev/null
  fi | while IFS= read -r -d '' file; do
    [[ ! -f $file ]] || printf '%s\0' "$file"
  done | LC_ALL=C sort -z
}

# The date that every file in the image carries, and before which the appliance disbelieves the machine's clock.
if [[ -z ${SOURCE_DATE_EPOCH:-} ]]; then
  SOURCE_DATE_EPOCH=$(git -C "$top" log -1 --format=%ct 2>/dev/null) || SOURCE_DATE_EPOCH=$(stat -c %Y "$top/VERSION")
fi
export SOURCE_DATE_EPOCH

# Identifies what went in, so that a result can name the image that measured it.
id=$({
  cat "$root/.assay-packages"
  (cd "$top" && sources | xargs -0 sha256sum &&
    find image/build.sh image/chroot.sh image/network.sh image/dracut configs -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum)
} | sha256sum | cut -c 1-16)

kver=$(basename "$root"/lib/modules/*)
record() {
  echo "id $id"
  echo "version $(cat "$top/VERSION" 2>/dev/null || echo unknown)"
  echo "architecture $arch"
  echo "kernel $kver"
  echo "date $SOURCE_DATE_EPOCH"
  echo "level $level"
  echo "security-updates $(cat "$root/.assay-security")"
}
if [[ -z ${CLEAN:-} && -f $out/initrd.img && $(head -n "$(record | wc -l)" "$out/manifest.txt") == "$(record)" ]]; then
  exit 0
fi

say "compiling (id $id)"
# Objects of the last build stay: make rebuilds what changed. Sources are laid anew, so that deleted ones are gone.
[[ -z ${CLEAN:-} ]] || rm -rf "$root/src"
mkdir -p "$root/src"
find "$root/src" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
sources | tar -C "$top" --null --files-from=- -cf - | tar -C "$root/src" --no-same-owner -xf -
mkdir -p "$root/src/build"
rm -f "$root/src/build/image.failed"
"$here/chroot.sh" "$root" make -s -j"$(nproc)" -C /src BUILD=/src/build image-programs

# What only this build knows; the module lays it over the image as it is.
files=$root/src/build/image-files
rm -rf "$files"
mkdir -p "$files/etc/assay"
record >"$files/etc/assay/image"
echo "$SOURCE_DATE_EPOCH" >"$files/etc/assay/build-epoch"
# The kernel does not tell its configuration: its hash, and what speed and CPU accounts depend on.
{
  echo "sha256 $(sha256sum <"$root/boot/config-$kver" | cut -d ' ' -f 1)"
  grep -E '^CONFIG_(HZ|PREEMPT|NO_HZ|IRQ_TIME_ACC|VIRT_CPU_ACC|SCHEDSTATS|CRYPTO_(AES|XTS|ESSIV|SERPENT|TWOFISH|SIMD)|DM_CRYPT|BLK_(WBT|CGROUP)|CC_VERSION_TEXT|RETPOLINE|PAGE_TABLE_ISOLATION)' \
    "$root/boot/config-$kver"
} >"$files/etc/assay/kernel-config"
# Sorts behind everything else in the archive: when it is there, the kernel had room to unpack all of it.
echo "$id" >"$files/zz-assay-complete"

# dracut's own folder, with our module as the only one. dracut dates a reproducible archive by dracut-functions.sh.
base=$root/usr/lib/assay-dracut
module=$base/modules.d/90assay
rm -rf "$base"
mkdir -p "$module/lists" "$module/plans" "$root/etc/assay-dracut-empty"
find "$root/usr/lib/dracut" -mindepth 1 -maxdepth 1 ! -name modules.d -exec cp -a -t "$base" {} +
touch -d "@$SOURCE_DATE_EPOCH" "$base/dracut-functions.sh"
cp -r "$here/dracut/90assay/." "$module/"
cp "$top"/configs/{programs,drivers}.* "$module/lists/"
find "$top/configs" -maxdepth 1 -name '*.ini' -exec cp -t "$module/plans" {} +
chmod -R u=rwX,go=rX "$module"

say "dracut for kernel $kver, zstd level $level"
rm -rf "$root/var/tmp/assay"
mkdir -p "$root/var/tmp/assay"
# -T1: more threads cut the stream into blocks, whose number depends on the machine.
# shellcheck disable=SC2016  # expanded by the inner shell
"$here/chroot.sh" "$root" bash -euc '
  export dracutbasedir=/usr/lib/assay-dracut
  dracut --force --conf /dev/null --confdir /etc/assay-dracut-empty --tmpdir /var/tmp/assay --kver "$1" \
    --no-hostonly --no-hostonly-cmdline --no-early-microcode --nolvmconf --nomdadmconf --nofscks --modules assay \
    --reproducible --compress "zstd -$2 -T1 -q" --quiet /var/tmp/assay/initrd.img' dracut "$kver" "$level" \
  >"$build/image-$arch.log" 2>&1 || { cat "$build/image-$arch.log" >&2; die "dracut failed"; }

# dracut exits 0 when an installation failed; its words and our trace tell.
if [[ -e $root/src/build/image.failed ]] || grep -E 'FAILED|dracut-install: ERROR' "$build/image-$arch.log" >&2; then
  cat "$build/image-$arch.log" >&2
  die "the image is not complete"
fi
grep -i 'warn\|assay:' "$build/image-$arch.log" >&2 || true

say "drivers of network cards"
"$here/chroot.sh" "$root" bash -s "$kver" "$level" "$id" <"$here/network.sh" >>"$build/image-$arch.log" 2>&1 ||
  { tail -n 20 "$build/image-$arch.log" >&2; die "no network.img"; }

rm -rf "$out.new"
mkdir -p "$out.new"
cp "$root/boot/vmlinuz-$kver" "$out.new/vmlinuz"
cp "$root"/var/tmp/assay/{initrd,network}.img "$out.new/"
chmod 644 "$out.new"/*
touch -d "@$SOURCE_DATE_EPOCH" "$out.new"/*
{
  record
  (cd "$out.new" && sha256sum vmlinuz initrd.img network.img)
  sed 's/^/package /' "$root/.assay-packages"
} >"$out.new/manifest.txt"
rm -rf "$out"
mv "$out.new" "$out"
say "vmlinuz $(stat -c %s "$out/vmlinuz"), initrd.img $(stat -c %s "$out/initrd.img"), network.img $(stat -c %s "$out/network.img") bytes"
