#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""clang-tidy on many files, one a processor: tidy.py CACHE FILE... -- FLAG...

A file that passed is not checked again while its preprocessed text (with comments and
macros, so that every header counts), the checks, the flags and the program stay the same.
CACHE holds one empty file for each such state.
"""

import concurrent.futures
import hashlib
import os
import pathlib
import subprocess
import sys


def output(*command: str) -> bytes:
    return subprocess.run(command, check=True, capture_output=True).stdout


def state(path: str, flags: list[str], common: bytes) -> str | None:
    """A name for all that the result depends on; None for what does not even compile."""
    try:
        text = output("clang", "-E", "-C", "-dD", *flags, path)
    except subprocess.CalledProcessError:
        return None
    return hashlib.sha256(common + text).hexdigest()


def check(path: str, flags: list[str], common: bytes, cache: pathlib.Path) -> bool:
    name = state(path, flags, common)
    if name and (cache / name).exists():
        return True
    command = ["clang-tidy", "--quiet", path, "--", *flags]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stdout, "" if done.stdout else done.stderr, sep="", flush=True)
    elif name:
        (cache / name).touch()
    return done.returncode == 0


def main() -> int:
    cache = pathlib.Path(sys.argv[1])
    split = sys.argv.index("--")
    paths, flags = sys.argv[2:split], sys.argv[split + 1 :]
    cache.mkdir(parents=True, exist_ok=True)
    common = output("clang-tidy", "--version") + pathlib.Path(".clang-tidy").read_bytes()
    common += "\0".join(flags).encode()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        passed = list(pool.map(lambda path: check(path, flags, common, cache), paths))
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
