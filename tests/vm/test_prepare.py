# SPDX-License-Identifier: GPL-3.0-or-later
"""Disks that the appliance's own shell prepares."""

from collections.abc import Callable
from pathlib import Path

import pytest
from harness import Disk
from harness.prepare import Recipe

TWO_DISKS = Recipe(name="harness", disks=("8M", "16M"), script=(
    "printf first | dd of=$DISK0 conv=fsync", "printf second | dd of=$DISK1 bs=512 seek=1 conv=fsync"))


@pytest.mark.whole
def test_disks_are_prepared_once(prepared: Callable[[Recipe], list[Path]], tmp_path: Path) -> None:
    images = prepared(TWO_DISKS)
    disks = [Disk(image=image) for image in images]
    for number, disk in enumerate(disks):
        disk.make(tmp_path, f"disk{number}")
    assert disks[0].read(0, 6) == b"first\0"
    assert disks[1].read(512, 7) == b"second\0"
    made = [image.stat().st_mtime_ns for image in images]
    assert [image.stat().st_mtime_ns for image in prepared(TWO_DISKS)] == made
