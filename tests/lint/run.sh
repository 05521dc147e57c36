#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The lint ring: format, includes, sizes, shell, static analysis. Prints each part's time.
set -uo pipefail

cd "$(dirname "$0")/../.." || exit
build=${BUILD:-build}
failed=0
# What the compiler would be told, for the tools that parse C themselves.
flags=(-std=gnu11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64 -Itools -I.
       -DASSAY_VERSION='"lint"')
mapfile -t c_files < <(git ls-files 'init/*.c' 'tools/*.c' 'kexec/*.c' 'tests/*.c')
mapfile -t product < <(git ls-files 'init/*.c' 'tools/*.c' 'kexec/*.c')
mapfile -t headers < <(git ls-files '*.h')
mapfile -t scripts < <(git ls-files '*.sh' '.ci/run')

part() { # part NAME COMMAND...
    local name=$1 start=$SECONDS
    shift
    if "$@"; then
        printf 'lint: %-12s ok   %3d s\n' "$name" $((SECONDS - start))
    else
        printf 'lint: %-12s FAIL %3d s\n' "$name" $((SECONDS - start))
        failed=1
    fi
}

mkdir -p "$build"
part format clang-format --dry-run --Werror "${c_files[@]}" "${headers[@]}"
part includes python3 tests/lint/includes.py
part size bash tests/lint/size.sh
part shellcheck shellcheck -x "${scripts[@]}"
part cppcheck cppcheck --quiet --error-exitcode=1 --inline-suppr --std=c11 -j 2 \
    --enable=warning,portability --suppressions-list=tests/lint/cppcheck.suppress \
    "${flags[@]:1}" "${product[@]}"
part clang-tidy python3 tests/lint/tidy.py "$build/lint-cache" \
    "${product[@]}" -- "${flags[@]}"
exit "$failed"
