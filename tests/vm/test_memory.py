# SPDX-License-Identifier: GPL-3.0-or-later
"""Too little memory: a sentence, not a panic, as far as the kernel gets that far. With 144 MB it
does not: it runs out while it unpacks the initramfs, and says so itself."""

import pytest
from harness import Disk, Stick
from plans import tiny

SENTENCES = ("Assay cannot start", "Memory is scarce")


@pytest.mark.parametrize("memory", ["160M", pytest.param("192M", marks=pytest.mark.whole)])
def test_little_memory_is_enough_or_told(machine, memory: str) -> None:
    m = machine(memory=memory, disks=[Disk(serial="A")], stick=Stick(plan=tiny("serial:A")))
    out = m.run()
    assert "VERDICT passed" in out.serial or any(said in out.serial for said in SENTENCES)


def test_an_argon2_volume_too_large_for_this_machine(machine) -> None:
    """Asked for 1 GiB of memory on 256 MB: refused with both figures, the disk untouched."""
    stack = "disk/gpt/luks2,pbkdf=argon2id,pbkdf-memory=1G/ext4"
    out = machine(disks=[Disk(serial="A")],
                  stick=Stick(plan=tiny("serial:A", stack=stack))).run()
    assert out.result["verdict"] != "passed"
    text = out.report
    assert "memory" in text and ("1.07 GB" in text or "1024" in text or "1 GiB" in text), text
