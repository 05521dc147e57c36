#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Reports files over 400 lines, and fails on one over 600: by then it has two jobs.
set -euo pipefail

git ls-files '*.c' '*.h' '*.py' '*.sh' | xargs -r wc -l |
    awk '$2 != "total" && $1 > 400 { print $2 ": " $1 " lines: does it still have one job?"
                                     if ($1 > 600) bad = 1 }
         END { exit bad }'
