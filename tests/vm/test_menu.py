# SPDX-License-Identifier: GPL-3.0-or-later
"""The menu: on the serial line and on the keyboard alike, without escapes."""

from pathlib import Path

import pytest
from harness import Disk, Stick
from harness.results import receive
from plans import tiny

CHOICE = "Number, then Enter: "


@pytest.mark.whole
def test_read_only_benchmark_and_power_off(machine, assay_host, tmp_path: Path) -> None:
    """No stick, no plan: a person at the serial line measures a disk, then switches off."""
    m = machine(disks=[Disk(serial="A", pattern=1), Disk(serial="B")],
                cmdline="assay.menu assay.plan.blocks=1 assay.test.seqread.runtime=2s "
                        "assay.test.randread.runtime=2s")
    m.start()
    before = m.disks[0].sha256()
    m.wait_serial(CHOICE, 300)
    m.send("1\n")
    m.wait_serial(r"/dev/\w+ .* QEMU HARDDISK +B\r?\n", 60)
    m.wait_serial(CHOICE, 60)
    m.send("2\n")
    number = m.wait_serial(r"(\d)  /dev/\w+ \(QEMU HARDDISK, serial A\)", 60)[1]
    m.send(f"{number}\n")
    m.wait_serial("VERDICT passed", 400)
    m.wait_serial(CHOICE, 120)
    assert "\033" not in m.text[m.text.index("Assay "):]
    m.send("5\n")
    m.wait_poweroff(120)
    assert m.disks[0].sha256() == before
    runs = receive(assay_host, m.folder / "serial.log", tmp_path / "received")
    result = next(run.result for run in runs if run.result["verdict"] == "passed")
    assert {run["test"] for run in result["runs"]} == {"hdparm", "seqread", "randread"}


@pytest.mark.whole
def test_the_plan_from_the_menu_by_keyboard(machine) -> None:
    m = machine(disks=[Disk(serial="A")], cmdline="assay.then=menu",
                stick=Stick(plan=tiny("serial:A")))
    m.start()
    m.wait_serial("VERDICT passed", 300)  # the plan runs first, and then = menu
    m.wait_serial(CHOICE, 120)
    m.type("5\n")
    m.wait_poweroff(120)
