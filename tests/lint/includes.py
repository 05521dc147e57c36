#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Includes point one way only (CONTRIBUTING.md): names each offender."""

import pathlib
import re
import subprocess
import sys

ALLOWED = {
    "tools/common": {"common"},
    "tools/device": {"common", "device"},
    "tools/plan": {"common", "device", "plan"},
    "tools/stack": {"common", "device", "plan", "stack"},
    "tools/result": {"common", "result"},
    "tools/suite": {"common", "device", "plan", "stack", "result", "suite"},
    "tools/report": {"common", "result", "report"},
    "kexec": {"common", "device", "stack", "kexec"},
    "init": {"common"},  # PID 1
}
EVERYTHING = {"common", "device", "plan", "stack", "suite", "result", "report", "kexec"}
INCLUDE = re.compile(r'^\s*#\s*include\s+"(?:([a-z]+)/)?[^"/]+"')


def allowed_for(path: pathlib.Path) -> set[str]:
    """The folders whose headers this file may include."""
    if path.parent == pathlib.Path("tools") or path.match("init/run*"):
        return EVERYTHING
    return ALLOWED.get(str(path.parent), set())


def sources() -> list[pathlib.Path]:
    """What is kept in git: other files may come and go while this runs."""
    command = ["git", "ls-files", "-z", "init/*.[ch]", "tools/*.[ch]", "kexec/*.[ch]"]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [pathlib.Path(name) for name in names.split("\0") if name]


def main() -> int:
    offenders = 0
    for path in sources():
        allowed = allowed_for(path)
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = INCLUDE.match(line)
            if found and found.group(1) and found.group(1) not in allowed:
                print(f"{path}:{number}: may not include from {found.group(1)}/")
                offenders += 1
    return 1 if offenders else 0


if __name__ == "__main__":
    sys.exit(main())
