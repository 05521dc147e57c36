#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The dracut module that fills the appliance's initramfs. It is the only module used: no udev, no systemd, no shell hooks.
# What goes in is data: lists/ holds configs/programs.* and configs/drivers.*; a missing essential ends the build, a missing
# optional is a warning. dracut sources this file and provides inst_*, instmods, dfatal, dwarn, $initdir and $moddir.
# shellcheck disable=SC2154  # $initdir, $moddir and $kernel are dracut's

# Never included by accident: only --modules assay takes it.
check() { return 255; }

depends() { return 0; }

# assay_list NAME: the words of a list, without comments; a list that does not exist is empty
assay_list() {
  [[ -f $moddir/lists/$1 ]] || return 0
  sed 's/#.*//' "$moddir/lists/$1" | xargs -r -n 1
}

assay_die() {
  dfatal "assay: $*"
  # dracut itself exits 0 after failed installations; the trace that build.sh looks for is this file.
  echo "$*" >>/src/build/image.failed
  exit 1
}

installkernel() {
  local driver
  while read -r driver; do
    hostonly='' instmods -c "$driver" || assay_die "essential driver $driver is missing"
  done < <(assay_list drivers.required)
  while read -r driver; do
    hostonly='' instmods -c -s "$driver" || dwarn "assay: optional driver $driver is missing"
  done < <(assay_list drivers.optional)
}

# assay_busybox: links for those applets that no real program in the image provides, for the person in the shell
assay_busybox() {
  local applet dir
  inst_binary /bin/busybox /usr/bin/busybox || assay_die "busybox is missing"
  # dracut makes the directories lazily; the links below need them.
  mkdir -p "$initdir"/usr/{bin,sbin}
  while read -r applet; do
    for dir in usr/bin usr/sbin; do
      [[ ! -e $initdir/$dir/$applet && ! -L $initdir/$dir/$applet ]] || continue 2
    done
    ln -s busybox "$initdir/usr/bin/$applet"
  done < <("$initdir/usr/bin/busybox" --list)
}

install() {
  local program

  while read -r program; do
    inst_multiple "$program" || assay_die "essential program $program is missing"
  done < <(assay_list programs.required)
  while read -r program; do
    inst_multiple -o "$program"
    command -v "$program" >/dev/null || dwarn "assay: optional program $program is missing"
  done < <(assay_list programs.optional)

  # inst_binary, not inst_simple: only this one brings the libraries along.
  inst_binary /src/build/init /init || assay_die "/init was not built"
  inst_binary /src/build/assay /usr/bin/assay || assay_die "/usr/bin/assay was not built"

  # glibc loads it by name when a thread ends; OpenSSL loads the other for the old hashes of LUKS1 and plain headers.
  inst_libdir_file "libgcc_s.so*"
  inst_libdir_file "ossl-modules/legacy.so"

  assay_busybox
  cp -r "$moddir/files/." "$initdir/"
  mkdir -p "$initdir"/{dev,proc,sys,run,tmp,mnt} "$initdir/etc/assay/plans"
  if compgen -G "$moddir/plans/*.ini" >/dev/null; then
    cp "$moddir"/plans/*.ini "$initdir/etc/assay/plans/"
  fi

  # Sorts behind everything else in the archive: when it is there, the kernel had room to unpack all of it.
  cp /src/build/image-id "$initdir/zz-assay-complete"

  # dracut only lowers times that are newer than the build's date; files as old as the build root would keep theirs.
  find "$initdir" -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +
}
