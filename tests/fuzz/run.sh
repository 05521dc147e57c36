#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds each fuzz target with libFuzzer and runs it for SECONDS on its kept corpus.
#   tests/fuzz/run.sh SECONDS [TARGET...]
# New findings go to build/fuzz/; a crash fails the run and names its input.
set -euo pipefail

cd "$(dirname "$0")/../.."
seconds=$1
shift
out=build/fuzz
san="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all"
mkdir -p "$out"
make --no-print-directory -j2 BUILD="$out" CC=clang WARN=-Wall OPT="-O1 -g" SAN="$san" "$out/libassay.a"
if [ $# -eq 0 ]; then
    mapfile -t targets < <(basename -s .c -a tests/fuzz/fuzz-*.c)
else
    targets=("$@")
fi
read -ra libs < <(pkg-config --libs json-c libcryptsetup devmapper blkid libkmod \
    libudev fdisk inih zlib liblzma libzstd liblz4)
failed=0
for target in "${targets[@]}"; do
    name=${target#fuzz-}
    # shellcheck disable=SC2086 # $san is a list of words
    clang -std=gnu11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64 -Itools -I. -Itests/fuzz -g -O1 \
        $san -fsanitize=fuzzer "tests/fuzz/$target.c" "$out/libassay.a" -o "$out/$target" \
        "${libs[@]}" -lm
    mkdir -p "$out/corpus-$name" "tests/fuzz/corpus/$name"
    echo "== $target, $seconds s"
    "$out/$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -verbosity=0 \
        -print_final_stats=1 -artifact_prefix="$out/$target-" \
        "$out/corpus-$name" "tests/fuzz/corpus/$name" 2>"$out/$target.log" || failed=1
    grep -E 'SUMMARY|stat::number_of_executed_units|Test unit written' "$out/$target.log"
done
exit "$failed"
