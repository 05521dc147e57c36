#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Look into the finished image: image/check.sh amd64|i386. Prints every fault, then fails if there was one.
# dracut ends with 0 whatever could not be installed, so the image itself must be asked.
set -euo pipefail

arch=${1:?usage: check.sh amd64|i386}
here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$here")
build=$(realpath -m "${BUILD:-$top/build}")
root=$build/root-$arch
tree=$build/image-$arch.check
faults=0

fault() {
  echo "check-$arch: $*" >&2
  faults=$((faults + 1))
}
list() { sed 's/#.*//' "$top/configs/$1" | xargs -r -n 1; }

trap 'rm -rf "$tree" "$tree.cpio" "$tree.sums"' EXIT
rm -rf "$tree"
mkdir "$tree"
zstd -q -d -f -o "$tree.cpio" "$build/image-$arch/initrd.img"
last=$(cpio -it --quiet <"$tree.cpio" | tail -n 1)
(cd "$tree" && cpio -id --quiet --no-absolute-filenames <"$tree.cpio")

[[ $last == zz-assay-complete ]] || fault "the last file of the archive is $last, not the sentinel"
[[ $(cat "$tree/zz-assay-complete" 2>/dev/null) == "$(sed -n 's/^id //p' "$build/image-$arch/manifest.txt")" ]] ||
  fault "the sentinel does not hold the build's id"

# /init must start even when a library is missing or damaged: static, and executable.
[[ -x $tree/init ]] || fault "/init is not executable"
! readelf -l "$tree/init" 2>/dev/null | grep -q INTERP || fault "/init is not static"

while read -r program; do
  found=no
  for dir in usr/sbin usr/bin; do
    [[ -x $tree/$dir/$program ]] && found=yes
  done
  [[ $found == yes ]] || fault "program $program is missing"
done < <(list programs.required; echo assay; echo busybox; echo sh)

known=$(cd "$tree/lib/modules"/* && { find . -name '*.ko.zst'; cat modules.builtin; } | sed 's,.*/,,; s/\.ko.*//; y/-/_/')
while read -r driver; do
  [[ $driver == =* ]] || grep -qx "${driver//-/_}" <<<"$known" || fault "driver $driver is missing"
done < <(list drivers.required)
# Without the index, modprobe finds no driver by its alias and the kernel finds no cipher.
for index in dep alias softdep symbols builtin; do
  [[ -s $(echo "$tree/lib/modules"/*/modules."$index") ]] || fault "modules.$index is missing"
done

# The second initramfs brings the cards' drivers and the indexes of all.
network=$(zstd -q -d -c "$build/image-$arch/network.img" | cpio -it --quiet)
[[ $(tail -n 1 <<<"$network") == zz-assay-network ]] || fault "network.img does not end with its sentinel"
for file in e1000e.ko.zst r8169.ko.zst virtio_net.ko.zst modules.dep.bin modules.alias.bin; do
  grep -q "/$file\$" <<<"$network" || fault "network.img lacks $file"
done

# Every dynamic program and library must find its libraries inside the image, with the image's own loader.
loader=$(cd "$tree" && find usr/lib usr/lib64 -name 'ld-linux*.so.2' | sort | head -n 1)
[[ -n $loader ]] || fault "no dynamic loader"
elves=0
while IFS= read -r file; do
  readelf -d "$tree/$file" 2>/dev/null | grep -q NEEDED || continue
  elves=$((elves + 1))
  said=$(chroot "$tree" "/$loader" --list "/$file" 2>&1) || said+=" cannot be loaded"
  ! grep -qE 'not found|cannot' <<<"$said" || fault "/$file: $(grep -E 'not found|cannot' <<<"$said" | head -n 1)"
done < <(cd "$tree" && find usr/bin usr/sbin usr/lib -type f ! -path '*/modules/*' -size +1k)

# Whatever is not ours must be, byte for byte, a file of the build root; anything else came from the host.
ours='^(init|zz-assay-complete|usr/bin/assay|etc/(assay/.*|shrc|passwd|group|nsswitch\.conf|ld\.so\.cache)|etc/lvm/lvm\.conf'
ours+='|etc/modprobe\.d/assay\.conf|usr/lib/modules/[^/]*/modules\..*|(usr/)?lib/dracut/.*)$'
(cd "$tree" && find . -type f -printf '%P\n' | grep -Ev "$ours" | LC_ALL=C sort | tr '\n' '\0' |
  xargs -0 sha256sum) >"$tree.sums"
if ! leaked=$(cd "$root" && sha256sum --check --quiet "$tree.sums" 2>&1); then
  fault "not from the build root: $leaked"
fi

((faults == 0)) || { echo "check-$arch: $faults faults" >&2; exit 1; }
echo "check-$arch: complete: $elves dynamic files, $(grep -c . <<<"$known") drivers and built-ins"
