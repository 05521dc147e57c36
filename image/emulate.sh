#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Let this host run programs of a foreign architecture while its build root is made: image/emulate.sh i386
# An amd64 kernel normally runs i386 programs itself, and nothing is done. Some (virtual machines above all) cannot; there
# QEMU's user emulation is registered for them, until the next reboot. To undo: echo -1 >/proc/sys/fs/binfmt_misc/assay-i386
set -euo pipefail

arch=${1:?usage: emulate.sh i386}
here=$(cd "$(dirname "$0")" && pwd)
registry=/proc/sys/fs/binfmt_misc

if arch-test "$arch" >/dev/null 2>&1; then
  exit 0
fi
[[ $arch == i386 ]] || { echo "emulate.sh: do not know how to emulate $arch" >&2; exit 1; }

"$here/host-deps.sh" emulate
[[ -e $registry/register ]] || mount -t binfmt_misc binfmt_misc "$registry"
if [[ ! -e $registry/assay-i386 ]]; then
  echo "emulate.sh: this kernel runs no i386 programs; registering qemu-i386-static (slow)"
  # The ELF header of a 32-bit little-endian program for machine 3, as QEMU's own documentation masks it. F: the kernel
  # opens the emulator now, so that it is found from inside a chroot; P: the program sees its true name.
  magic='\x7fELF\x01\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x03\x00'
  mask='\xff\xff\xff\xff\xff\xfe\xfe\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
  echo ":assay-i386:M::$magic:$mask:/usr/bin/qemu-i386-static:PF" >"$registry/register"
fi
arch-test "$arch" >/dev/null || { echo "emulate.sh: $arch programs still cannot run" >&2; exit 1; }
