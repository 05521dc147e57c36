#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Rebuild fio from Debian's source package. Runs inside the build root (root.sh feeds it to a shell there).
# Debian's binary links ceph, gluster and ICU: 62 libraries, 84 MB that would sit in RAM. Ours links libaio and zlib.
set -euo pipefail

sources=/var/cache/assay/source    # root.sh fills it from the cache and saves it afterwards
work=/usr/src/fio

mkdir -p "$sources" "$work"
cd "$sources"
# apt checks what is already here against the signed index and fetches only what is missing.
apt-get -qq -o APT::Sandbox::User=root source --download-only fio
# The newest, should an older one lie in the cache too.
dsc=$(printf '%s\n' fio_*.dsc | sort -V | tail -n 1)

rm -rf "$work/tree"
dpkg-source --no-check -x "$dsc" "$work/tree" >/dev/null
cd "$work/tree"
# --disable-native: the image runs on other CPUs than the one that builds it.
./configure --disable-native --disable-rdma --disable-rados --disable-rbd --disable-http --disable-gfapi \
  --disable-pmem --disable-numa --disable-libnfs --disable-xnvme --disable-libzbc --disable-tcmalloc \
  --disable-dfs >configure.log
make -j"$(nproc)" fio >make.log 2>&1 || { tail -n 40 make.log >&2; exit 1; }
install -D -s -m 755 fio /usr/bin/fio

# The engines that our tests use; a configure that silently lost one must fail here, not in a campaign.
engines=$(/usr/bin/fio --enghelp)
for engine in libaio io_uring sync psync null mmap; do
  grep -qw "$engine" <<<"$engines" || { echo "fio.sh: engine $engine is missing" >&2; exit 1; }
done
/usr/bin/fio --version
cd /
rm -rf "$work"
