#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs rings one after the other, all of them even when one fails, and says at the end
# how long each took. Everything that a ring needs is installed first.
set -uo pipefail

cd "$(dirname "$0")/.." || exit
declare -a lines=()
passed=0 failed=0

ring() { # ring NAME COMMAND...
    local name=$1 start=$SECONDS verdict=passed
    shift
    printf '\n=== %s\n' "$name"
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        verdict=FAILED
    fi
    lines+=("$(printf '%-12s %-7s %5d s' "$name" "$verdict" $((SECONDS - start)))")
}

image() {
    make --no-print-directory image size reproduce
}

ring install image/host-deps.sh build run test lint report
# What the README promises: from a warm build, a campaign and its report in five minutes.
run() {
    local start=$SECONDS
    make --no-print-directory run && [ $((SECONDS - start)) -le 300 ]
}

for name in "$@"; do
    case $name in
    image) ring image image ;;
    run) ring run run ;;
    *) ring "$name" make --no-print-directory "check-$name" ;;
    esac
done

printf '\n'
printf '%s\n' "${lines[@]}"
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
