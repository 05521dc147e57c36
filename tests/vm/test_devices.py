# SPDX-License-Identifier: GPL-3.0-or-later
"""What is in the machine: every bus, disks that are no disks, and why one may be missing."""

import json
import re

import pytest
from harness import Disk, Stick
from harness.shell import Shell
from plans import tiny


def devices(shell: Shell, *nodes: str) -> dict:
    """`assay devices --json` in a machine with a shell, once these nodes are there."""
    for node in nodes:
        shell.check(f"until [ -e {node} ]; do sleep 1; done")
    return json.loads(shell.check("assay devices --json"))


def test_every_bus_with_model_and_serial(machine) -> None:
    buses = ("ide", "virtio", "scsi", "nvme", "usb")
    m = machine(disks=[Disk(size=f"{64 + n}M", serial=f"SER-{bus}", bus=bus)
                       for n, bus in enumerate(buses)],
                stick=Stick(plan=tiny("serial:SER-usb", plan="blocks = 1")))
    out = m.run()
    found = {d["serial"]: d for d in out.result["devices"] if d.get("serial")}
    for n, bus in enumerate(buses):
        disk = found[f"SER-{bus}"]
        assert disk["size"] == (64 + n) << 20
        assert disk["by_path"], disk
        assert disk["logical_sector"] == 512
    assert found["SER-nvme"]["transport"] == "nvme" and found["SER-nvme"]["model"]
    assert found["SER-usb"]["transport"] == "usb"
    assert found["SER-virtio"]["transport"] == "virtio"
    assert out.result["verdict"] == "passed", out.result["why"]


def test_table_and_json_by_hand(machine) -> None:
    m = machine(disks=[Disk(serial="A"), Disk(serial="B", readonly=True, bus="scsi")],
                cmdline="assay.then=shell")
    m.start(600)
    shell = Shell(m).ready()
    found = devices(shell, "/dev/sda", "/dev/sdb")
    by_serial = {d["serial"]: d for d in found["devices"] if d.get("serial")}
    assert by_serial["A"]["may_write"] is True
    assert by_serial["B"]["may_write"] is False and "read-only" in by_serial["B"]["why_not"]
    assert not any(d["name"].startswith("loop") for d in found["devices"])
    table = shell.check("assay devices")
    assert re.search(r"/dev/sd. +268 MB +ata +QEMU HARDDISK +A\b", table)
    assert "yes, if the plan consents" in table and "no: read-only" in table
    shell.poweroff()
    m.wait_poweroff()


def test_a_disk_without_a_medium_is_listed_and_never_a_target(machine, tmp_path) -> None:
    """A BMC's virtual disk of zero bytes."""
    empty = tmp_path / "empty.img"
    empty.write_bytes(b"")
    m = machine(disks=[Disk(serial="A")], stick=Stick(plan=tiny("serial:A")), extra=[
        "-drive", f"if=none,id=zero,format=raw,file={empty}",
        "-device", "usb-storage,drive=zero,serial=ZERO"])
    out = m.run()
    assert out.result["verdict"] == "passed", out.result["why"]
    sizes = {d["serial"]: d["size"] for d in out.result["devices"] if d.get("serial")}
    assert sizes["ZERO"] == 0


@pytest.mark.whole
def test_one_disk_over_two_paths_is_refused(machine, tmp_path) -> None:
    image = tmp_path / "shared.img"
    with open(image, "wb") as file:
        file.truncate(256 << 20)
    drive = f"format=raw,file.filename={image},file.locking=off,cache.direct=off"
    m = machine(stick=Stick(plan=tiny("serial:TWICE")), extra=[
        "-device", "virtio-scsi-pci,id=s0", "-device", "virtio-scsi-pci,id=s1",
        "-drive", f"if=none,id=p0,{drive}", "-drive", f"if=none,id=p1,{drive}",
        "-device", "scsi-hd,bus=s0.0,drive=p0,serial=TWICE,wwn=0x5000c500a0b0c0d0,"
                   "share-rw=on",
        "-device", "scsi-hd,bus=s1.0,drive=p1,serial=TWICE,wwn=0x5000c500a0b0c0d0,"
                   "share-rw=on"])
    out = m.run()
    assert out.result["verdict"] == "aborted"
    assert "2 disks" in out.result["why"] or "same serial" in out.result["why"]
    assert image.stat().st_blocks == 0, "something was written"


@pytest.mark.whole
def test_a_controller_without_a_driver_is_named(machine) -> None:
    m = machine(disks=[Disk(serial="A")], stick=Stick(plan=tiny("serial:A")),
                cmdline="modprobe.blacklist=vmw_pvscsi", extra=["-device", "pvscsi"])
    out = m.run()
    assert any("15ad:07c0" in warning for warning in out.result["warnings"])
    assert "15ad:07c0" in out.report


@pytest.mark.whole
def test_a_disk_that_hardly_answers_does_not_hold_up_the_others(machine) -> None:
    m = machine(disks=[Disk(serial="A"), Disk(serial="SLOW", bus="scsi", iops=1)],
                stick=Stick(plan=tiny("serial:A")), silence=300)
    out = m.run(timeout=400)
    assert out.result["verdict"] == "passed"


@pytest.mark.whole
def test_consent_by_serial_does_not_reach_the_boot_or_results_stick(machine) -> None:
    """A plan that names the stick itself: refused, and the stick stays as it is but for results."""
    m = machine(disks=[Disk(serial="A")], stick=Stick(plan=tiny("serial:STICK")))
    out = m.run()
    assert out.result["verdict"] == "aborted"
    assert "results" in out.result["why"], out.result["why"]
