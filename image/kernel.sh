#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Fetch and unpack the kernel and compress its modules. Runs inside the build root: kernel.sh linux-image-amd64
# The package is unpacked, not installed: installing it would pull in a second initramfs builder and run it.
set -euo pipefail

meta=$1
cd /var/cache/apt/archives
image=$(apt-cache depends "$meta" | sed -n 's/^ *Depends: *\(linux-image-[0-9].*\)/\1/p' | head -n 1)
# A file that the cache gave is used if its checksum fits the signed index.
apt-get -qq -o APT::Sandbox::User=root download "$image"
deb=$(printf '%s\n' "$image"_*.deb | sort -V | tail -n 1)

# Debian's / is usr-merged: tar must follow the /lib link, which dpkg-deb -x would replace by a directory.
dpkg-deb --fsys-tarfile "$deb" | tar -x -C / --keep-directory-symlink --exclude='./usr/share/*'
# shellcheck disable=SC2016  # the variables are those of dpkg
dpkg-deb -W --showformat '${Package} ${Version}\n' "$deb" >/.assay-kernel

kver=${image#linux-image-}
cd "/lib/modules/$kver/kernel"
# No image needs these, and they are half of all modules.
rm -rf sound drivers/{media,iio,staging,infiniband,gpu,bluetooth} drivers/net/{wireless,wwan,can} \
  net/{bluetooth,wireless,mac80211}

# Compressed one by one: they stay so in the RAM of the appliance, and libkmod and modprobe unpack just those that the
# machine needs. (The kernel itself cannot: Debian builds it with MODULE_COMPRESS_NONE.) Signatures survive.
find . -name '*.ko' -print0 | xargs -0 -n 16 -P "$(nproc)" zstd -19 -T1 --rm -q
depmod -a "$kver"
