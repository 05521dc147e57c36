#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Build the image a second time, as another person would, and compare: image/reproduce.sh amd64|i386
set -euo pipefail

arch=${1:?usage: reproduce.sh amd64|i386}
here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$here")
build=$(realpath -m "${BUILD:-$top/build}")
image=$build/image-$arch

# The same date, else a commit in between would show as a difference; the same level as before.
epoch=$(sed -n 's/^date //p' "$image/manifest.txt")
level=$(sed -n 's/^level //p' "$image/manifest.txt")
first=$(sed -n 's/^\([0-9a-f]\{64\}\)  /\1 /p' "$image/manifest.txt")
id=$(sed -n 's/^id //p' "$image/manifest.txt")

(
  # Everything that must not matter: mask, time zone, language, folder, objects left from the last build.
  umask 077
  cd /
  export TZ=Pacific/Auckland LC_ALL=C.UTF-8 SOURCE_DATE_EPOCH=$epoch CLEAN=1
  "$here/build.sh" "$arch" "$level"
)

second=$(sed -n 's/^\([0-9a-f]\{64\}\)  /\1 /p' "$image/manifest.txt")
if [[ $id != "$(sed -n 's/^id //p' "$image/manifest.txt")" ]]; then
  echo "reproduce-$arch: the sources changed since the image was built; build it again first" >&2
  exit 2
fi
if [[ $first != "$second" ]]; then
  printf 'reproduce-%s: the builds differ\n%s\n%s\n' "$arch" "$first" "$second" >&2
  exit 1
fi

# Media only where the boot loaders are: they carry every architecture.
if [[ $arch == amd64 ]]; then
  sums() { (cd "$build" && find assay.iso assay.img assay-pxe -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum); }
  make_media() { for kind in iso usb pxe; do "$here/media.sh" "$kind"; done; }
  make_media
  first+=$'\n'$(sums)
  (umask 077 && TZ=Pacific/Auckland LC_ALL=C.UTF-8 make_media)
  second+=$'\n'$(sums)
  [[ $first == "$second" ]] || { diff <(echo "$first") <(echo "$second") >&2; exit 1; }
fi
printf 'reproduce-%s: same bytes\n%s\n' "$arch" "$second"
