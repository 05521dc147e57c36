# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans that several tests run, as text with a hole for the disk."""

from pathlib import Path

QUICK_SERIAL = "ASSAY-DISK-1"  # the disk that configs/quick.ini names
QUICK = (Path(__file__).parents[2] / "configs/quick.ini").read_text(encoding="utf-8")

# The shortest campaign that writes to a disk: one arm, one file system, nothing measured.
TINY = """
[plan]
name = tiny
then = poweroff
{plan}
[target]
disk  = {disk}
erase = {erase}
[arm plain]
stack = {stack}
[test null]
{tests}
"""


def tiny(disk: str, erase: str | None = None, *, stack: str = "disk/gpt/ext4", plan: str = "",
         tests: str = "") -> str:
    """`disk` is a selector such as serial:A; consent names the same disk unless told."""
    consent = disk.split(":", 1)[-1] if erase is None else erase
    text = TINY.format(disk=disk, erase=consent, stack=stack, plan=plan, tests=tests)
    return text if consent else text.replace("erase = \n", "")
