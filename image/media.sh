#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Make a boot medium from the images that are built: image/media.sh iso|usb|pxe
# Result: $BUILD/assay.iso, $BUILD/assay.img or $BUILD/assay-pxe/. It carries every architecture whose image is there; amd64
# always. All tools and boot loaders come from the tools root, where image/media/*.sh run. Same images: same bytes.
set -euo pipefail
umask 022

kind=${1:?usage: media.sh iso|usb|pxe}
here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$here")
build=$(realpath -m "${BUILD:-$top/build}")
root=$build/root-tools
work=$root/var/tmp/media
declare -A results=([iso]=assay.iso [usb]=assay.img [pxe]=assay-pxe)
[[ -v results[$kind] ]] || { echo "media.sh: makes iso, usb or pxe, not $kind" >&2; exit 2; }
result=${results[$kind]}

from() { sed -n "s/^$1 //p" "$build/image-amd64/manifest.txt"; }
SOURCE_DATE_EPOCH=$(from date)
export SOURCE_DATE_EPOCH
id=$(from id)
version=$(from version)

"$here/root.sh" tools
exec 9>"$build/root-tools.lock"
flock 9
rm -rf "$work"
mkdir -p "$work/stage/boot/grub" "$work/stage/.disk" "$work/scripts"

architectures=()
for arch in amd64 i386; do
  [[ -f $build/image-$arch/initrd.img ]] || continue
  architectures+=("$arch")
  mkdir "$work/stage/boot/$arch"
  find "$build/image-$arch" -maxdepth 1 \( -name vmlinuz -o -name '*.img' \) -exec cp -t "$work/stage/boot/$arch" {} +
done
# What every way of starting has on its kernel command line.
common=$(sed 's/#.*//' "$top/configs/boot/cmdline" | xargs)
for file in "$top"/configs/boot/{grub.cfg,pxelinux.cfg,boot.ipxe}; do
  sed "s|@COMMON@|$common|" "$file" >"$work/$(basename "$file")"
done
# Debian's signed GRUB looks for the first; the second tells this build's media from all others.
echo "Assay $version, build $id (${architectures[*]})" >"$work/stage/.disk/info"
echo "$id" >"$work/stage/.disk/assay-$id"
cp "$here"/media/*.sh "$work/scripts/"
cp "$top/configs/quick.ini" "$work/example.ini"
find "$work" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +

"$here/chroot.sh" "$root" bash /var/tmp/media/scripts/"$kind.sh" "$id" >"$build/media-$kind.log" 2>&1 ||
  { tail -n 20 "$build/media-$kind.log" >&2; echo "media.sh: no $result" >&2; exit 1; }

rm -rf "${build:?}/$result"
mv "$work/$result" "$build/$result"
rm -rf "$work"
if [[ -d $build/$result ]]; then
  echo "$build/$result: $(du -sk "$build/$result" | cut -f 1) kB, ${architectures[*]}"
else
  echo "$build/$result: $(stat -c %s "$build/$result") bytes, ${architectures[*]}"
fi
