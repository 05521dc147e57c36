# SPDX-License-Identifier: GPL-3.0-or-later
"""The stick: decided before the first destructive write, and none is missed that comes late."""

from pathlib import Path

import pytest
from harness import Disk, Stick
from harness.results import receive, runs
from plans import tiny


def refused(m) -> tuple[str, str]:
    """Runs a campaign that must not start; verdict line and serial text."""
    before = m.disks[0].sha256()
    out = m.run()
    assert m.disks[0].sha256() == before, "the disk was written"
    line = next(line for line in out.serial.splitlines() if line.startswith("VERDICT"))
    return line.strip(), out.serial


def passed_blocks(run) -> list[int]:
    """The blocks that count: one that another disk disturbed was done again."""
    return sorted(one["block"] for one in run.result["runs"]
                  if one["outcome"] == "passed" and one.get("counts", True))


def test_a_full_stick_stops_the_run(machine) -> None:
    m = machine(disks=[Disk(serial="A", pattern=1)],
                stick=Stick(plan=tiny("serial:A"), size="34M",
                            files={"ballast": bytes(33 << 20)}))
    verdict, _ = refused(m)
    assert verdict.startswith("VERDICT aborted") and "free" in verdict, verdict


def test_a_write_protected_stick_stops_the_run(machine) -> None:
    m = machine(disks=[Disk(serial="A", pattern=1)],
                stick=Stick(plan=tiny("serial:A"), readonly=True))
    verdict, _ = refused(m)
    assert verdict.startswith("VERDICT aborted"), verdict
    assert "write protected" in verdict, verdict


def test_two_sticks_are_a_question_not_a_guess(machine, assay_host, tmp_path: Path) -> None:
    m = machine(disks=[Disk(serial="A", pattern=1)],
                sticks=[Stick(plan=tiny("serial:A"), serial="S1"),
                        Stick(plan=tiny("serial:A"), serial="S2")],
                cmdline="assay.then=poweroff")
    before = [stick.sha256() for stick in m.sticks]
    verdict, serial = refused(m)
    assert verdict.startswith("VERDICT not-run"), verdict
    assert "S1" in verdict and "S2" in verdict
    assert [stick.sha256() for stick in m.sticks] == before
    log = m.folder / "serial.log"
    received = receive(assay_host, log, tmp_path / "received")  # serial tells why
    assert received[0].result["verdict"] == "not-run"


def test_no_stick_and_a_plan_that_wants_one(machine) -> None:
    m = machine(disks=[Disk(serial="A", pattern=1)],
                cmdline="assay.plan=smoke assay.target.disk=serial:A assay.target.erase=A")
    verdict, _ = refused(m)
    assert verdict.startswith("VERDICT aborted") and "stick" in verdict, verdict


def test_a_stick_that_comes_late(machine) -> None:
    late = Stick(plan=tiny("serial:A"))
    m = machine(disks=[Disk(serial="A")])
    m.start()
    m.wait_serial("Assay ")
    m.plug(late)
    out = m.wait_poweroff()
    assert "VERDICT passed" in out.serial
    assert any(name.endswith("result.json") for name in late.tree())


def test_a_stick_pulled_in_the_middle_and_back_again(machine, assay_host, tmp_path: Path) -> None:
    """Nothing is lost: the serial copy is whole, and the stick catches up."""
    plan = tiny("serial:A", plan="blocks = 6", tests="time = 4s")
    m = machine(disks=[Disk(serial="A")], stick=Stick(plan=plan))
    m.start()
    m.wait_serial("block 2/6", 240)
    m.unplug(m.stick)
    m.wait_serial("block 3/6", 120)
    m.plug(m.stick)
    out = m.wait_poweroff(600)
    assert "VERDICT passed" in out.serial
    received = out.received(assay_host, tmp_path / "received")
    assert passed_blocks(received) == passed_blocks(out.run) == [1, 2, 3, 4, 5, 6]
    assert out.run.files["records.jsonl"] == received.files["records.jsonl"]


def lost_nothing(m, out, assay_host: Path, to: Path, blocks: int) -> None:
    """The run was finished, serial has all of it, and the stick a whole beginning."""
    assert "VERDICT passed" in out.serial
    received = out.received(assay_host, to)
    assert passed_blocks(received) == list(range(1, blocks + 1))
    kept = runs(m.stick.tree())[-1].files["records.jsonl"].splitlines()
    whole = received.files["records.jsonl"].splitlines()
    assert kept and kept == whole[:len(kept)]


def test_a_stick_that_fills_up_in_the_middle(machine, assay_host, tmp_path: Path) -> None:
    m = machine(disks=[Disk(serial="A")],
                stick=Stick(size="34M", plan=tiny("serial:A", plan="blocks = 4",
                                                  tests="time = 4s")))
    m.start()
    m.wait_serial("block 2/4", 300)
    m.type_in_shell("mkdir /m;mount -t vfat $(blkid -L ASSAY) /m;dd if=/dev/zero of=/m/fill bs=4k;"
                    "umount /m;echo filled>/dev/ttyS0")
    m.wait_serial("filled", 120)
    out = m.wait_poweroff(400)
    lost_nothing(m, out, assay_host, tmp_path / "received", 4)
    assert "No space left" in out.serial


@pytest.mark.whole
def test_a_stick_that_goes_bad_in_the_middle(machine, assay_host, tmp_path: Path) -> None:
    """What the proof wrote is in front of the sectors that fail."""
    first = 800  # sectors: behind FATs and root folder lie the plan and the proof's 64 KiB
    m = machine(disks=[Disk(serial="A")],
                stick=Stick(plan=tiny("serial:A", plan="blocks = 2"),
                            bad_sectors=tuple(range(first, first + 800))))
    out = m.run()
    lost_nothing(m, out, assay_host, tmp_path / "received", 2)
    assert "Input/output error" in out.serial


def test_results_of_two_runs_lie_side_by_side(machine) -> None:
    m = machine(disks=[Disk(serial="A")],
                stick=Stick(plan=tiny("serial:A", plan="again = start")))
    first = m.run().run
    second = m.run().run
    assert first.name != second.name
    kept = {name for name in m.stick.tree() if first.name in name}
    assert {f"assay/{first.machine}/{first.name}/{name}" for name in first.files} <= kept


def test_a_partition_of_a_fixed_disk_is_never_the_stick(machine) -> None:
    """An ESP with a folder assay/ on the target disk or another: not ours."""
    decoy = Stick(plan=tiny("serial:A"), size="64M", layout="gpt")
    folder = None
    m = machine(disks=[Disk(serial="A")], stick=Stick(plan=tiny("serial:A")))
    folder = m.folder / "decoy"
    folder.mkdir()
    image = decoy.make(folder, "decoy")
    m2 = machine(disks=[Disk(serial="A"), Disk(serial="B", image=image)],
                 stick=Stick(plan=tiny("serial:A")))
    before = m2.disks[1].sha256()
    out = m2.run()
    assert out.result["verdict"] == "passed"
    assert m2.disks[1].sha256() == before
