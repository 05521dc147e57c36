# SPDX-License-Identifier: GPL-3.0-or-later
"""Too little memory: a sentence, not a panic, as far as the kernel gets that far. Below some
150 MB it does not: it runs out while it unpacks the initramfs, and says so itself."""

import pytest
from harness import Disk, Stick
from plans import tiny


@pytest.mark.parametrize("memory", ["192M", pytest.param("224M", marks=pytest.mark.whole)])
def test_the_least_memory_is_enough(machine, memory: str) -> None:
    m = machine(memory=memory, disks=[Disk(serial="A")], stick=Stick(plan=tiny("serial:A")))
    assert m.run().result["verdict"] == "passed"


def test_an_image_cut_short_is_told(machine) -> None:
    """rootfs as a tmpfs is limited to half of the memory: what is beyond is silently missing."""
    m = machine(memory="160M", cmdline="rootfstype=tmpfs",
                disks=[Disk(serial="A", pattern=1)], stick=Stick(plan=tiny("serial:A")),
                allow=["Initramfs unpacking failed: write error"])
    before = m.disks[0].sha256()
    m.start()
    m.wait_serial("Assay cannot start: its image was cut short", 120)
    m.wait_serial("No disk was touched", 10)
    m.sendkey("ctrl-alt-delete")
    m.wait_end(60, "reset")
    assert m.disks[0].sha256() == before


def test_an_argon2_volume_too_large_for_this_machine(machine) -> None:
    """Asked for 1 GiB of memory on 256 MB: refused with both figures, the disk untouched."""
    stack = "disk/gpt/luks2,pbkdf=argon2id,pbkdf-memory=1G/ext4"
    out = machine(disks=[Disk(serial="A")],
                  stick=Stick(plan=tiny("serial:A", stack=stack))).run()
    assert out.result["verdict"] != "passed"
    text = out.report
    assert "memory" in text and ("1.07 GB" in text or "1024" in text or "1 GiB" in text), text
