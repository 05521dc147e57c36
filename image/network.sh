#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Make network.img: drivers of network cards as a second initramfs, to be loaded after the first. Runs inside the build root:
# network.sh KERNEL LEVEL ID. It holds the drivers that initrd.img lacks, and the indexes of all drivers anew.
set -euo pipefail
export LC_ALL=C

kver=$1 level=$2 id=$3
all=/lib/modules/$kver
cd /var/tmp/assay
rm -rf whole network
mkdir -p "whole/usr/lib/modules/$kver" "network/usr/lib/modules/$kver"

# closure: paths of the drivers named on standard input (a name, or =FOLDER) and of all that they need
closure() {
  awk -v dep="$all/modules.dep" '
    BEGIN {
      while ((getline line < dep) > 0) {
        n = split(line, part, /:? /)
        sub(/:$/, "", part[1])
        needs[part[1]] = line; sub(/^[^:]*: ?/, "", needs[part[1]])
        name = part[1]; sub(/.*\//, "", name); sub(/\.ko.*/, "", name); gsub(/-/, "_", name)
        path[name] = part[1]
      }
    }
    function take(p,   i, n, d) { if (p in taken) return; taken[p] = 1; print p; n = split(needs[p], d, " "); for (i = 1; i <= n; i++) take(d[i]) }
    /^=/ { for (p in needs) if (index(p, "kernel/" substr($0, 2) "/") == 1) take(p); next }
    { name = $0; gsub(/-/, "_", name); if (name in path) take(path[name]); else print "network: no driver " $0 > "/dev/stderr" }' |
    sort -u
}

zstd -q -d -c initrd.img | cpio -it --quiet | sed -n "s,^usr/lib/modules/$kver/\(.*\.ko\.zst\)\$,\1,p" | sort >have
sed 's/#.*//' /usr/lib/assay-dracut/modules.d/90assay/lists/drivers.network | xargs -r -n 1 | closure >want
while read -r driver; do
  install -D -m 644 "$all/$driver" "network/usr/lib/modules/$kver/$driver"
done < <(comm -13 have want)

# The indexes are of both together: depmod sees all files, those of the first initramfs as links.
while read -r driver; do
  mkdir -p "whole/usr/lib/modules/$kver/$(dirname "$driver")"
  cp -l "$all/$driver" "whole/usr/lib/modules/$kver/$driver"
done < <(sort -u have want)
cp "$all"/modules.{order,builtin,builtin.modinfo} "whole/usr/lib/modules/$kver/"
ln -s usr/lib whole/lib
depmod -b "$PWD/whole" "$kver"
find "whole/usr/lib/modules/$kver" -maxdepth 1 -name 'modules.*' -exec cp -t "network/usr/lib/modules/$kver" {} +
# Sorts last, as in the first: when it is there, all of it was unpacked.
echo "$id" >network/zz-assay-network

find network -exec touch --no-dereference -d "@$SOURCE_DATE_EPOCH" {} +
(cd network && find . -mindepth 1 -printf '%P\0' | sort -z | cpio --null -o -H newc --reproducible --quiet -R 0:0) |
  zstd -q -f -T1 "-$level" -o network.img
