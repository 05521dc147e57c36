# SPDX-License-Identifier: GPL-3.0-or-later
"""The medium that Assay was started from is known, and never a target."""

import pytest
from harness import Disk, Stick
from harness.host import image_id
from plans import tiny

UUID = "1BAD-CAFE"  # of a file system that only the boot loader's word makes the boot medium


def medium(serial: str, number: str) -> Stick:
    """A stick that boots Assay: FAT in a partition, no plan, no results."""
    return Stick(serial=serial, number=number, layout="mbr", folder=False, label="BOOT",
                 files={"boot/kernel": b"k" * 4096})


@pytest.mark.parametrize("known_by", [
    "the build's mark", pytest.param("the loader's word", marks=pytest.mark.whole)])
def test_the_boot_stick_is_no_target(machine, known_by: str) -> None:
    by_mark = known_by == "the build's mark"
    boot = medium("BOOT1", image_id()[:8] if by_mark else UUID.replace("-", ""))
    m = machine(disks=[Disk(serial="A", pattern=1)],
                stick=Stick(plan=tiny("serial:BOOT1"), serial="RESULTS1"), sticks=[boot],
                cmdline="" if by_mark else f"assay.medium={UUID.lower()}")
    before = boot.sha256(), m.disks[0].sha256()
    out = m.run()
    assert out.result["verdict"] == "aborted"
    assert "the medium that Assay was started from" in out.result["why"]
    assert "BOOT1" in out.result["boot"]["started_from"]
    assert (boot.sha256(), m.disks[0].sha256()) == before


def test_the_boot_stick_is_read_only_in_the_kernel(machine) -> None:
    boot = medium("BOOT1", image_id()[:8])
    m = machine(disks=[Disk(serial="A")], sticks=[boot],
                stick=Stick(plan=tiny("serial:A"), serial="RESULTS1"))
    before = boot.sha256()
    out = m.run()
    assert out.result["verdict"] == "passed", out.report
    assert boot.sha256() == before
    serials = {d["serial"]: d for d in out.result["devices"] if d["kind"] == "disk"}
    assert serials["BOOT1"]["readonly"] is True
    assert "BOOT1" in out.report


@pytest.mark.whole
def test_a_boot_medium_that_was_pulled(machine) -> None:
    out = machine(disks=[Disk(serial="A")], stick=Stick(plan=tiny("serial:A")),
                  cmdline=f"assay.medium={UUID}").run()
    assert out.result["verdict"] == "passed"
    assert any(UUID in warning for warning in out.result["warnings"]), out.result["warnings"]
