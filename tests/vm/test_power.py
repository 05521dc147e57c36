# SPDX-License-Identifier: GPL-3.0-or-later
"""The plug pulled at any moment: never a second destructive start of the same campaign, and the
records up to that moment can be read."""

import random

import pytest
from harness import Disk, Stick
from harness.results import runs
from plans import tiny

PLAN = tiny("serial:A", plan="blocks = 3", tests="time = 2s")
MOMENTS = random.Random(20).sample(range(1, 400), 20)  # tenths of seconds into the run
SAMPLE = 2  # of the 20 run by default


def started(stick: Stick) -> int:
    """How many campaigns began to write, by their records on the stick."""
    return sum(b'"kind":"start"' in run.files.get("records.jsonl", b"")
               for run in runs(stick.tree()))


@pytest.mark.whole
@pytest.mark.parametrize("tenths", [
    pytest.param(moment, marks=() if n < SAMPLE else pytest.mark.whole)
    for n, moment in enumerate(MOMENTS)])
def test_power_cut(machine, tenths: int) -> None:
    m = machine(disks=[Disk(serial="A")], stick=Stick(plan=PLAN))
    m.start()
    m.wait_serial("Assay ", 240)
    m.let_run(tenths / 10)
    m.kill()
    begun = started(m.stick)
    out = m.run()
    assert started(m.stick) == max(begun, 1), "started a second time"
    if begun:
        assert out.result["verdict"] in ("aborted", "not-run"), out.result
        assert "assay.plan.again" in out.result["why"]
    else:
        assert out.result["verdict"] == "passed"


@pytest.mark.whole
def test_a_finished_campaign_is_not_started_again(machine) -> None:
    m = machine(disks=[Disk(serial="A")], stick=Stick(plan=PLAN))
    assert m.run().result["verdict"] == "passed"
    disk = m.disks[0].sha256()
    out = m.run()
    assert out.result["verdict"] == "not-run"
    assert m.disks[0].sha256() == disk
    assert started(m.stick) == 1


@pytest.mark.whole
def test_a_dead_campaign_is_gone_on_with(machine) -> None:
    m = machine(disks=[Disk(serial="A")],
                stick=Stick(plan=PLAN.replace("[plan]", "[plan]\nagain = resume")))
    m.start()
    m.wait_serial("block 2/3", 240)
    m.kill()
    out = m.run()
    assert out.result["verdict"] == "passed"
    blocks = {run["block"] for run in out.result["runs"] if run["outcome"] == "passed"}
    assert blocks == {1, 2, 3}


@pytest.mark.whole
def test_then_reboot_does_not_wipe_in_a_circle(machine) -> None:
    m = machine(disks=[Disk(serial="A")], reboot=True, resets=3,
                stick=Stick(plan=PLAN.replace("then = poweroff", "then = reboot")))
    m.start(900)
    m.wait_reset(1, 400)
    out = m.wait_poweroff(400)  # the second boot has nothing to do, and ends there
    assert started(m.stick) == 1
    assert out.serial.count("VERDICT passed") == 1
    assert "already ran" in out.serial
