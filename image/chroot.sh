#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Run a command inside a build root: image/chroot.sh ROOT COMMAND [ARG...]
# The mounts live in a private namespace and vanish with the command, however it ends.
set -euo pipefail

root=$1
shift

# Nothing of the caller's environment may reach the build, or it would not be reproducible.
clean=(env -i "PATH=/usr/sbin:/usr/bin:/sbin:/bin" "HOME=/root" "LC_ALL=C" "TZ=UTC0"
  "SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-}" "DEBIAN_FRONTEND=noninteractive")

if unshare --mount true 2>/dev/null; then
  # shellcheck disable=SC2016  # expanded by the inner shell
  exec unshare --mount --propagation private bash -c '
    root=$1; shift
    umask 022
    mount -t proc proc "$root/proc" 2>/dev/null || mount --rbind /proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs tmpfs "$root/run"
    exec chroot "$root" "$@"' chroot.sh "$root" "${clean[@]}" "$@"
fi

# Where mounting is not allowed, device nodes must do. Programs that need /proc will say so themselves.
echo "chroot.sh: no mount namespace here, continuing without /proc" >&2
for node in null:1:3 zero:1:5 random:1:8 urandom:1:9; do
  IFS=: read -r name major minor <<<"$node"
  [[ -e $root/dev/$name ]] || mknod -m 666 "$root/dev/$name" c "$major" "$minor"
done
umask 022
exec chroot "$root" "${clean[@]}" "$@"
