#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Install what the build host lacks: image/host-deps.sh build|run|test|emulate|lint ...
# Calls apt-get only when something is missing, so that it costs nothing on the second run and needs no network then.
set -euo pipefail

declare -A packages=(
  # The build root is made by mmdebstrap; everything else that the image needs lives inside that root.
  [build]="mmdebstrap arch-test debian-archive-keyring ca-certificates cpio zstd xz-utils python3 binutils util-linux
    gcc libc6-dev pkg-config"
  # `make run` and `make bench-boot`: a machine to boot the image in, and its stick.
  [run]="qemu-system-x86 seabios mtools dosfstools"
  # Unit tests link our libraries on the host; the vm ring drives QEMU from pytest.
  [test]="gcc libc6-dev pkg-config libcmocka-dev libjson-c-dev libinih-dev libblkid-dev libkmod-dev
    libcryptsetup-dev libdevmapper-dev libudev-dev libfdisk-dev zlib1g-dev liblzma-dev libzstd-dev liblz4-dev
    libtcplay-dev bzip2 lzop mmdebstrap
    python3-pytest python3-pytest-xdist
    qemu-system-x86 qemu-utils seabios ipxe-qemu ovmf mtools dosfstools fdisk e2fsprogs cpio zstd"
  # Only where the kernel cannot run i386 programs; image/emulate.sh asks for it.
  [emulate]="qemu-user-static"
  # The report ring: a browser, validators, fonts to look at the pages with.
  [report]="chromium chromium-driver tidy python3-selenium python3-prometheus-client python3-pytest
    fonts-dejavu-core"
  [lint]="clang clang-format clang-tidy libclang-rt-14-dev cppcheck shellcheck"
)

# A disk that lies about flushes, for the power cuts of the vm ring.
packages[test]+=" nbdkit"

usage() {
  echo "usage: host-deps.sh GROUP...   groups: ${!packages[*]}" >&2
  exit 2
}

(($# > 0)) || usage

wanted=()
for group in "$@"; do
  [[ -v packages[$group] ]] || usage
  # shellcheck disable=SC2206  # a list of words by intent
  wanted+=(${packages[$group]})
done

missing=()
for package in "${wanted[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done
((${#missing[@]} > 0)) || exit 0

echo "host-deps: installing ${missing[*]}"
if ((EUID != 0)); then
  echo "host-deps: needs root; run: sudo $0 $*" >&2
  exit 1
fi

install_missing() {
  DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends -o Dpkg::Use-Pty=0 "${missing[@]}"
}

# A host with a fresh index needs no update; one with none, or with one that names files no longer there, does.
if ! install_missing; then
  apt-get update
  install_missing
fi
