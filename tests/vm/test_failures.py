# SPDX-License-Identifier: GPL-3.0-or-later
"""A test that dies, hangs or is missing: the run goes on, and nothing is left behind."""

from harness import Disk, Stick
from harness.shell import Shell
from plans import tiny

BONNIE = "[test bonnie]\nsize = 64M\nram = 32M\nfiles = 1\n[test after]\nengine = null\n"


def outcomes(out) -> dict[str, tuple[str, str]]:
    return {run["test"]: (run["outcome"], run.get("why") or "") for run in out.result["runs"]}


def test_a_benchmark_killed_by_a_signal(machine) -> None:
    m = machine(disks=[Disk(serial="A", size="512M")],
                stick=Stick(plan=tiny("serial:A", tests=BONNIE)))
    m.start()
    m.wait_serial("test bonnie", 240)
    m.type_in_shell("while ! killall -9 bonnie++; do :; done")
    out = m.wait_poweroff(600)
    found = outcomes(out)
    assert found["bonnie"][0] == "failed" and "signal 9" in found["bonnie"][1], found
    assert found["after"][0] == "passed"
    assert out.result["verdict"] == "failed"
    assert not any("leftovers" in stack for stack in out.result["stacks"])


def test_fio_on_a_disk_that_hardly_answers(machine) -> None:
    """One request a second: the deadline ends it, and says so."""
    tests = ("[test slow]\nengine = fio\nrw = read\nbs = 4k\nsize = 8M\ntimeout = 20s\n"
             "[test after]\nengine = null\n")
    m = machine(disks=[Disk(serial="A", size="64M", iops=1000, bus="virtio")],
                stick=Stick(plan=tiny("serial:A", stack="disk/gpt", tests=tests)))
    m.start(900)
    m.wait_serial("test null", 240)
    m.throttle(0, iops=1)
    m.wait_serial("test after", 240)
    m.throttle(0, iops=1000)
    out = m.wait_poweroff(600)
    found = outcomes(out)
    assert found["slow"][0] == "aborted" and "no end after" in found["slow"][1], found
    assert not any("leftovers" in stack for stack in out.result["stacks"])
    assert found["after"][0] == "passed"


def test_a_program_that_is_not_in_the_image(machine) -> None:
    m = machine(disks=[Disk(serial="A", size="512M")],
                stick=Stick(plan=tiny("serial:A", tests=BONNIE)), cmdline="assay.then=shell")
    m.start(600)
    shell = Shell(m).ready()
    shell.check("rm -f $(which bonnie++)")
    status, said = shell.run("assay run", timeout=240)
    assert status == 0, said
    shell.poweroff()
    out = m.wait_poweroff()
    found = outcomes(out)
    assert found["bonnie"][0] == "skipped" and "bonnie++" in found["bonnie"][1], found
    assert found["after"][0] == "passed"


def test_the_sequence_itself_crashes(machine) -> None:
    """PID 1 makes a result of it, removes what was left, and powers off."""
    m = machine(disks=[Disk(serial="A")],
                stick=Stick(plan=tiny("serial:A", stack="disk/gpt/luks2/lvm/ext4",
                                      tests="result = crash")))
    out = m.run()
    assert out.result["verdict"] == "aborted"
    assert "signal" in out.result["why"], out.result["why"]
    assert any(record["kind"] == "start" for record in out.records)
    assert out.records[-1]["kind"] == "end"


def test_the_whole_campaign_has_a_deadline(machine) -> None:
    m = machine(disks=[Disk(serial="A")],
                stick=Stick(plan=tiny("serial:A", plan="deadline = 20s", tests="time = 10m")))
    out = m.run(timeout=400)
    assert out.result["verdict"] in ("aborted", "failed")
    assert "sequence ended early" not in out.result["why"], "it should end by itself"
    assert all(run["outcome"] != "passed" for run in out.result["runs"])


def test_a_stack_that_cannot_be_built(machine) -> None:
    """XFS wants more room than there is: said up front or at mkfs, the rest goes on."""
    plan = tiny("serial:A", stack="disk/gpt/ext4").replace(
        "[test null]", "[arm toosmall]\nstack = disk/gpt/xfs\n[test null]")
    out = machine(disks=[Disk(serial="A", size="64M")], stick=Stick(plan=plan)).run()
    runs = {run["arm"]: run["outcome"] for run in out.result["runs"]}
    if runs:  # refused while building
        assert runs["plain"] == "passed" and runs["toosmall"] in ("aborted", "not-run")
    else:  # refused by the check
        assert out.result["verdict"] == "aborted"
    assert out.result["verdict"] != "passed"


def test_the_disk_vanishes_in_the_middle(machine) -> None:
    m = machine(disks=[Disk(serial="A", bus="usb")],
                stick=Stick(plan=tiny("serial:A", plan="blocks = 4", tests="time = 3s")),
                allow=["device offline", "I/O error", "Buffer I/O"])
    m.start()
    m.wait_serial("block 2/4", 240)
    m.qmp("device_del", id="disk0-device")
    out = m.wait_poweroff(600)
    runs = [(run["block"], run["outcome"]) for run in out.result["runs"]]
    assert out.result["verdict"] in ("aborted", "failed")
    assert ("passed" not in {outcome for block, outcome in runs if block == 4}), runs
    assert {block for block, _ in runs} == {1, 2, 3, 4}, "every run has its record"
