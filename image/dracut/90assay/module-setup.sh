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
  dfatal "$*"
  # dracut itself exits 0 after failed installations; the trace that build.sh looks for is this file.
  echo "$*" >>/src/build/image.failed
  exit 1
}

# assay_drivers NAME: those entries of a list that this kernel has; the others are handed to the function named in $missing
assay_drivers() {
  local driver name
  local -A known=()
  # Kernel module names make no difference between - and _.
  while read -r name; do
    known[$name]=1
  done < <(cat "/lib/modules/$kernel"/modules.{dep,builtin} | sed 's/:.*//; s,.*/,,; s/\.ko.*//; y/-/_/')
  while read -r driver; do
    if [[ -v known[${driver//-/_}] || ($driver == =* && -d /lib/modules/$kernel/kernel/${driver#=}) ]]; then
      echo "$driver"
    else
      "$missing" "assay: driver $driver is missing"
    fi
  done < <(assay_list "$1")
}

installkernel() {
  local drivers missing
  # The list's end is checked too: an assay_die in the inner shell ends only that.
  missing=assay_die drivers=$(assay_drivers drivers.required) || exit 1
  missing=dwarn drivers+=" $(assay_drivers drivers.optional)"
  # In one go: dracut-install reads the kernel's module index anew at each start.
  # shellcheck disable=SC2086  # a list of words
  hostonly='' instmods -c $drivers || assay_die "assay: drivers could not be installed"
}

# assay_busybox: links for those applets that no real program in the image provides, for the person in the shell.
# Debian's busybox shell runs its own applets before it looks at PATH, so the real programs of the same name need an
# alias (PID 1 sets ENV=/etc/shrc): its modprobe cannot read our drivers, its mke2fs knows no ext4.
assay_busybox() {
  local applet dir
  inst_binary /bin/busybox /usr/bin/busybox || assay_die "assay: busybox is missing"
  while read -r applet; do
    for dir in usr/sbin usr/bin; do
      [[ -e $initdir/$dir/$applet || -L $initdir/$dir/$applet ]] || continue
      [[ $applet == busybox ]] || echo "alias $applet=/$dir/$applet"
      continue 2
    done
    ln -s busybox "$initdir/usr/bin/$applet"
  done < <("$initdir/usr/bin/busybox" --list) >"$initdir/etc/shrc"
}

install() {
  local program

  while read -r program; do
    inst_multiple "$program" || assay_die "assay: essential program $program is missing"
  done < <(assay_list programs.required)
  while read -r program; do
    inst_multiple -o "$program"
    command -v "$program" >/dev/null || dwarn "assay: optional program $program is missing"
  done < <(assay_list programs.optional)

  # inst_binary, not inst_simple: only this one brings the libraries along.
  inst_binary /src/build/init /init || assay_die "assay: /init was not built"
  inst_binary /src/build/assay /usr/bin/assay || assay_die "assay: /usr/bin/assay was not built"

  # glibc loads it by name when a thread ends; OpenSSL loads the other for the old hashes of LUKS1 and plain headers.
  inst_libdir_file "libgcc_s.so*"
  inst_libdir_file "ossl-modules/legacy.so"

  cp -r "$moddir/files/." /src/build/image-files/. "$initdir/"
  assay_busybox
  mkdir -p "$initdir"/{dev,proc,sys,run,tmp,mnt} "$initdir/etc/assay/plans"
  if compgen -G "$moddir/plans/*.ini" >/dev/null; then
    cp "$moddir"/plans/*.ini "$initdir/etc/assay/plans/"
  fi

  # dracut only lowers times that are newer than the build's date; files as old as the build root would keep theirs.
  find "$initdir" -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +
}
