# SPDX-License-Identifier: GPL-3.0-or-later
"""Every medium, by every firmware: boots, finds the disks, writes results, powers off."""

from pathlib import Path
from typing import Any

import pytest
from harness import Disk, Stick, fat, host
from plans import tiny

FIRMWARES: dict[str, dict[str, Any]] = {
    "bios": {},
    "uefi": {"firmware": "uefi", "memory": "512M"},
    "secure": {"firmware": "uefi", "secure_boot": True, "memory": "512M"},
}
SAMPLE = {("bios", "cd"), ("secure", "usb")}
ISO_DATA = 3  # the partition of assay.iso that takes a plan and results


def iso() -> Path:
    return host.built("assay.iso", "iso")


def usb() -> Path:
    return host.built("assay.img", "usb")


def medium(source: str) -> dict[str, Any]:
    """The parts of a machine that boots from there."""
    plan = tiny("serial:A")
    if source == "cd":
        return {"boot": "cdrom", "cdrom": iso(), "stick": Stick(plan=plan)}
    if source == "usb":
        return {"boot": "stick", "stick": Stick(plan=plan, image=usb(), serial="BOOT1")}
    return {"boot": "stick",
            "stick": Stick(plan=plan, image=iso(), partition=ISO_DATA, serial="BOOT1")}


@pytest.mark.whole
@pytest.mark.parametrize(("firmware", "source"), [
    pytest.param(firmware, source,
                 marks=[] if (firmware, source) in SAMPLE else [pytest.mark.whole])
    for firmware in FIRMWARES for source in ("cd", "usb", "iso on a stick")])
def test_boots_and_measures(machine, firmware: str, source: str) -> None:
    m = machine(disks=[Disk(serial="A", bus="ahci"), Disk(serial="B", bus="virtio", pattern=1)],
                **FIRMWARES[firmware], **medium(source))
    other = m.disks[1].sha256()
    out = m.run()
    assert out.result["verdict"] == "passed", out.report
    assert {"A", "B"} <= {d["serial"] for d in out.result["devices"]}
    assert m.disks[1].sha256() == other
    started = out.result["boot"]["started_from"]
    assert ("sr0" if source == "cd" else "BOOT1") in started, started
    seen = out.result["machine"]["firmware"]
    assert seen["boot"] == ("bios" if firmware == "bios" else "efi")
    if firmware != "bios":
        assert seen["secure_boot"] is (firmware == "secure")


@pytest.mark.whole
def test_a_stick_grows_to_its_size(machine) -> None:
    """The image is 324 MiB, the stick 1 GiB: from the first use all of it can be filled."""
    stick = Stick(plan=tiny("serial:A", plan="again = start"), image=usb(), size="1G")
    m = machine(disks=[Disk(serial="A")], boot="stick", stick=stick)
    out = m.run()
    assert "has grown to 1.07 GB" in out.serial, out.serial[-500:]
    assert out.result["verdict"] == "passed", out.report
    fat.check(stick.file(), stick.offset(), (1 << 30) - stick.offset())


@pytest.mark.whole
def test_the_boot_stick_takes_results_and_is_no_target(machine) -> None:
    """assay.img is the only stick: it has the plan, and the plan names it."""
    stick = Stick(plan=tiny("serial:BOOT1"), image=usb(), serial="BOOT1")
    out = machine(disks=[Disk(serial="A")], boot="stick", stick=stick).run()
    assert "VERDICT not-run" in out.serial or "VERDICT aborted" in out.serial
    assert not any(record["kind"] == "stack" for run in out.runs for record in run.records)
