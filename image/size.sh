#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Where the image's bytes are: image/size.sh amd64|i386 [details]. Fails when a part is over image/budget.txt.
set -euo pipefail

arch=${1:?usage: size.sh amd64|i386 [details]}
details=${2:-}
here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$here")
build=$(realpath -m "${BUILD:-$top/build}")
root=$build/root-$arch
image=$build/image-$arch

# "bytes path" of every file in the archive; hard links are not used.
files=$(zstd -q -d -c "$image/initrd.img" | cpio -itv --quiet | awk '/^-/ { print $5, $9 }')

part_of='
  function part(path) {
    if (path ~ /\/modules\//) return "drivers"
    if (path ~ /\/firmware\//) return "firmware"
    if (path ~ /^usr\/(bin|sbin)\// || path == "init") return "programs"
    if (path ~ /^usr\/lib/) return "libraries"
    return "other"
  }'
parts=$(awk "$part_of"'
  { sum[part($2)] += $1; all += $1 }
  END { for (p in sum) print p, sum[p]; print "unpacked", all }' <<<"$files")
parts+=$'\n'"kernel $(stat -c %s "$image/vmlinuz")"$'\n'"initrd $(stat -c %s "$image/initrd.img")"

column=$([[ $arch == amd64 ]] && echo 2 || echo 3)
over=0
printf '%-12s %9s %9s\n' part kB budget
while read -r part budget; do
  kb=$(awk -v p="$part" '$1 == p { n = $2 } END { printf "%d", (n + 1023) / 1024 }' <<<"$parts")
  mark=
  if ((kb > budget)); then
    mark='  OVER'
    over=1
  fi
  printf '%-12s %9d %9d%s\n' "$part" "$kb" "$budget" "$mark"
done < <(awk -v c="$column" '!/^#/ && NF { print $1, $c }' "$here/budget.txt")

if [[ -n $details ]]; then
  printf '\ndrivers by folder, kB\n'
  awk '$2 ~ /\/kernel\// { n = split($2, p, "/kernel/"); split(p[n], d, "/")
      sum[d[1] "/" d[2]] += $1 } END { for (s in sum) printf "%8.0f %s\n", sum[s] / 1024, s }' <<<"$files" | sort -rn

  printf '\nprograms and libraries by Debian package, kB\n'
  # dpkg knows some files by their path before the merge of / and /usr.
  for package in "$root"/var/lib/dpkg/info/*.list; do
    name=$(basename "$package" .list)
    sed "s,^/,,; s,^\(bin\|sbin\|lib\|lib64\)/,usr/&,; s,\$, ${name%%:*}," "$package"
  done | awk 'NR == FNR { owner[$1] = $2; next }
      $2 !~ /\/modules\// { o = owner[$2]; sum[o == "" ? "(built here)" : o] += $1 }
      END { for (o in sum) printf "%8.0f %s\n", sum[o] / 1024, o }' - <(echo "$files") | sort -rn
fi

((over == 0)) || { echo "size-$arch: over budget" >&2; exit 1; }
