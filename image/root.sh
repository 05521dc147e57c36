#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Make a build root: image/root.sh amd64|i386 makes $BUILD/root-ARCH, in which the image of that architecture is built.
# image/root.sh tools makes $BUILD/root-tools, with what writes boot media; no program from there gets into an image.
# Everything in it comes from signed Debian packages. The program code is compiled and the initramfs is made inside it,
# so nothing of the host leaks into the image. Does nothing when the root is up to date with this recipe.
#   MIRROR=URL   take packages from there, not from where the host's apt takes them
#   REFRESH=1    build anew, with today's package versions, even if the recipe did not change
set -euo pipefail

name=${1:?usage: root.sh amd64|i386|tools}
here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$here")
build=$(realpath -m "${BUILD:-$top/build}")
cache=${XDG_CACHE_HOME:-$HOME/.cache}/assay
suite=bookworm
root=$build/root-$name

arch=$name
lists=("$top"/configs/packages.{build,image})
steps=("$here"/{kernel,fio}.sh)
case $name in
  amd64) kernel=linux-image-amd64 ;;
  # Not 686-pae: the same speed, and Pentium M machines without PAE boot.
  i386) kernel=linux-image-686 ;;
  tools) arch=amd64 kernel='' lists=("$top/configs/packages.tools") steps=() ;;
  *) echo "root.sh: unknown root $name" >&2; exit 2 ;;
esac

say() { echo "root-$name: $*"; }
loud() { printf '\n*** root-%s: %s ***\n\n' "$name" "$*" >&2; }

# list FILE: the words of a list without comments
list() { sed 's/#.*//' "$1" | xargs -n 1; }

# What decides the root's content; version counts the changes of this file that do.
version=1
recipe=$({
  echo "$version"
  cat "${steps[@]}" "${lists[@]}"
} | sha256sum | cut -c 1-16)
recipe=$recipe-$name-$suite
saved=$cache/root-$recipe.tar.zst
log=$build/root-$name.log

mkdir -p "$build" "$cache/debs" "$cache/source"
exec 9>"$build/root-$name.lock"
flock 9

if [[ -z ${REFRESH:-} && $(cat "$root/.assay-recipe" 2>/dev/null) == "$recipe" ]]; then
  exit 0
fi
((EUID == 0)) || { say "needs root" >&2; exit 1; }

rm -rf "$root" "$root.new"
if [[ -z ${REFRESH:-} && -f $saved ]]; then
  say "unpacking the saved root of $(date -r "$saved" +%F) (REFRESH=1 for newer packages)"
  mkdir "$root.new"
  tar -C "$root.new" --zstd --numeric-owner --xattrs -xf "$saved"
  mv "$root.new" "$root"
  exit 0
fi

# sources: apt source lines, binary and source, for the Debian archives that the host itself uses. Security is part of
# them when the host has it. Lists of other vendors are left out.
sources() {
  if [[ -n ${MIRROR:-} ]]; then
    printf 'deb %s %s main\ndeb-src %s %s main\n' "$MIRROR" "$suite" "$MIRROR" "$suite"
    return
  fi
  # shellcheck disable=SC2016  # apt's own variables
  apt-get indextargets --format '$(CODENAME)|$(ORIGIN)|$(CREATED_BY)|$(COMPONENT)|$(SITE)|$(RELEASE)' |
    awk -F '|' -v suite="$suite" '
      $2 == "Debian" && $3 == "Packages" && $4 == "main" && index($1, suite) == 1 &&
      ($1 == suite || $1 == suite "-updates" || $1 == suite "-security") && !seen[$5 $6]++ {
        print "deb " $5 " " $6 " main"; print "deb-src " $5 " " $6 " main" }'
}

# usable FILE: does every archive of FILE have a complete, correctly signed index for this architecture?
usable() {
  local try=$build/root-$name.apt
  rm -rf "$try"
  mkdir -p "$try"/{lists/partial,cache,etc/apt.conf.d,etc/preferences.d,etc/sources.list.d}
  cp "$1" "$try/etc/sources.list"
  : >"$try/status"
  apt-get -qq -o "Dir::Etc=$try/etc" -o "Dir::Etc::Trusted=/etc/apt/trusted.gpg" \
    -o "Dir::Etc::TrustedParts=/etc/apt/trusted.gpg.d" -o "Dir::State=$try" -o "Dir::State::status=$try/status" \
    -o "Dir::Cache=$try/cache" -o "APT::Architecture=$arch" -o "APT::Architectures=$arch" \
    -o APT::Sandbox::User=root -o Acquire::Languages=none -o APT::Update::Error-Mode=any update >>"$log" 2>&1
  local status=$?
  rm -rf "$try"
  return $status
}

: >"$log"
list_file=$build/root-$name.sources
sources >"$list_file"
if [[ ! -s $list_file && -z ${MIRROR:-} ]]; then
  apt-get -qq update
  sources >"$list_file"
fi
[[ -s $list_file ]] || { say "the host's apt has no Debian $suite archive; give MIRROR=URL" >&2; exit 1; }

security=yes
grep -q -- '-security ' "$list_file" || security=no
if ! usable "$list_file"; then
  security=no
  sed -i '/-security /d' "$list_file"
  usable "$list_file" || { tail -n 20 "$log" >&2; say "no usable package index, see $log" >&2; exit 1; }
fi
[[ $security == yes ]] || loud "WITHOUT SECURITY UPDATES: no usable $suite-security index for $arch"

# What never goes into an image need not be unpacked either.
# Nor must dpkg wait for the disk after each file: a root that was cut short is thrown away.
trim=(--dpkgopt=force-unsafe-io)
for path in '/usr/share/doc/*' '/usr/share/man/*' '/usr/share/info/*' '/usr/share/locale/*'; do
  trim+=(--dpkgopt="path-exclude=$path")
done

can_mount=()
unshare --mount true 2>/dev/null || can_mount=(--skip=chroot/mount)

"$here/emulate.sh" "$arch"

include=$(for file in "${lists[@]}"; do list "$file"; done)
say "installing packages (log: $log)"
# Packages that are in the cache already are offered to apt, which takes them if their checksums fit the signed index.
# shellcheck disable=SC2016  # $1 is the hook's own
mmdebstrap --variant=minbase --architectures="$arch" --include="${include//$'\n'/,}" \
  --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr --aptopt='APT::Install-Recommends "false"' \
  --aptopt='Acquire::Languages "none"' "${trim[@]}" "${can_mount[@]}" \
  --skip=essential/unlink,cleanup/apt/lists,cleanup/apt/cache,download/empty \
  --setup-hook='mkdir -p "$1/var/cache/apt/archives"' \
  --setup-hook="cp -t \"\$1/var/cache/apt/archives\" '$cache'/debs/*_$arch.deb '$cache'/debs/*_all.deb 2>/dev/null || :" \
  "$suite" "$root.new" - <"$list_file" >>"$log" 2>&1 || { tail -n 20 "$log" >&2; exit 1; }

# keep: what was fetched goes to the cache at once, whichever checkout asked and whatever fails later.
keep() {
  find "$root.new/var/cache/assay/source" -maxdepth 1 -type f -exec cp -n -t "$cache/source" {} +
  find "$root.new/var/cache/apt/archives" -maxdepth 1 -name '*.deb' -exec cp -n -t "$cache/debs" {} +
}
mkdir -p "$root.new/var/cache/assay/source"
keep

inside() { "$here/chroot.sh" "$root.new" "$@" >>"$log" 2>&1 || { tail -n 20 "$log" >&2; exit 1; }; }

if [[ -n $kernel ]]; then
  say "unpacking the kernel and compressing its drivers"
  inside bash -s "$kernel" <"$here/kernel.sh"
  keep

  say "building fio"
  find "$cache/source" -maxdepth 1 -type f -exec cp -p -t "$root.new/var/cache/assay/source" {} +
  inside bash -s <"$here/fio.sh"
  keep
fi

rm -rf "$root.new/var/cache/assay" "$root.new"/var/cache/apt/archives/*.deb "$root.new"/var/lib/apt/lists/*

{
  [[ -z $kernel ]] || cat "$root.new/.assay-kernel"
  # shellcheck disable=SC2016  # dpkg's own variables
  "$here/chroot.sh" "$root.new" dpkg-query -W -f '${Package} ${Version}\n'
} >"$root.new/.assay-packages"
echo "$security" >"$root.new/.assay-security"
echo "$recipe" >"$root.new/.assay-recipe"

say "saving it for other checkouts"
part=$cache/.root-$recipe.$$
tar -C "$root.new" --numeric-owner --xattrs --one-file-system -cf - . | zstd -q -3 -T0 -o "$part"
mv "$part" "$saved"
# Only the current recipe is worth its space; a checkout of another one rebuilds from the cached packages.
find "$cache" -maxdepth 1 -name "root-*-$name-$suite.tar.zst" ! -path "$saved" -mtime +14 -delete
mv "$root.new" "$root"
say "ready: $(wc -l <"$root/.assay-packages") packages${kernel:+, $(cut -d ' ' -f 2 "$root/.assay-kernel" | head -n 1)}"
