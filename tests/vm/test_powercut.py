# SPDX-License-Identifier: GPL-3.0-or-later
"""Power cuts on purpose: a disk that keeps what it acknowledged, and one that lies about it."""

import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness import Disk, Stick
from harness.disk import create_sparse
from harness.results import runs
from plans import tiny

CHAIN = "disk/gpt/luks2,pbkdf=pbkdf2/lvm/ext3"
BARE = "disk/gpt/dmcrypt"
MOMENTS = random.Random(35).sample(range(20, 120), 6)  # tenths of seconds of writing
WRITING = "CUT THE POWER NOW"
CUT = "[test powercut]\n"


def plan_of(stack: str, tests: str = CUT, plan: str = "") -> str:
    """A plan whose last test cuts the power; `null` before it must not be done twice."""
    return tiny("serial:A", stack=stack, plan=plan, tests=tests)


def starts(stick: Stick) -> int:
    """Campaigns that began to write."""
    return sum(b'"kind":"start"' in run.files.get("records.jsonl", b"")
               for run in runs(stick.tree()))


def verdict_of(out) -> dict:
    """The run of the second half."""
    (run,) = [run for run in out.result["runs"] if run["test"] == "powercut"]
    return run


@pytest.mark.whole
@pytest.mark.parametrize("stack, tenths", [
    pytest.param(CHAIN if n % 3 < 2 else BARE, moment, marks=() if n == 0 else pytest.mark.whole)
    for n, moment in enumerate(MOMENTS)])
def test_an_honest_disk_keeps_what_it_acknowledged(machine, stack: str, tenths: int) -> None:
    m = machine(disks=[Disk(serial="A", size="192M", bus="virtio")],
                stick=Stick(plan=plan_of(stack)))
    m.start()
    m.wait_serial(WRITING, 240)
    m.let_run(tenths / 10)
    m.kill()
    out = m.run()
    run = verdict_of(out)
    assert run["outcome"] == "passed", run
    got = {metric["name"]: metric["value"] for metric in run["metrics"]}
    assert got["acknowledged"] > 0 and got["lost"] == 0, got
    assert out.result["verdict"] == "passed"
    assert starts(m.stick) == 2, "one campaign in two halves"
    null = [run for run in out.result["runs"] if run["test"] == "null"]
    assert len(null) == 1 and "resumed_from" in null[0], "a test before the cut was done twice"
    # and a third boot finds a finished campaign
    assert m.run().result["verdict"] == "not-run"
    assert starts(m.stick) == 2


class LyingDisk:
    """What nbdkit serves from a cache that only its memory holds: a flush is answered, nothing is
    written. Its death is the loss of the disk's volatile cache."""

    def __init__(self, folder: Path) -> None:
        self.image = folder / "lying.img"
        self.socket = folder / "lying.sock"
        self.server: subprocess.Popen[bytes] | None = None
        create_sparse(self.image, 192 << 20)

    def start(self) -> None:
        self.socket.unlink(missing_ok=True)
        pidfile = self.socket.with_suffix(".pid")
        pidfile.unlink(missing_ok=True)
        os.mkfifo(pidfile)  # opened for reading, it waits until the server listens
        self.server = subprocess.Popen(
            ["nbdkit", "--foreground", "--unix", self.socket, "--pidfile", pidfile,
             "--filter=cache", "file", self.image, "cache=unsafe"])
        pidfile.read_text(encoding="ascii")

    def kill(self) -> None:
        if self.server is not None:
            self.server.kill()
            self.server.wait()


@pytest.fixture
def lying_disk(tmp_path: Path) -> Iterator[LyingDisk]:
    disk = LyingDisk(tmp_path)
    disk.start()
    yield disk
    disk.kill()


@pytest.mark.whole
def test_a_disk_that_lies_is_caught(machine, lying_disk: LyingDisk) -> None:
    m = machine(disks=[Disk(serial="A", bus="virtio", nbd=lying_disk.socket)],
                stick=Stick(plan=plan_of(CHAIN)))
    m.start()
    m.wait_serial(WRITING, 240)
    m.let_run(5)
    lying_disk.kill()
    m.kill()
    lying_disk.start()
    out = m.run()
    run = verdict_of(out)
    assert run["outcome"] == "failed" and "acknowledged writes are lost" in run["why"], run
    assert out.result["verdict"] == "failed"


@pytest.mark.whole
def test_the_machine_resets_itself(machine) -> None:
    """In each block; the campaign goes on with the other arm, and ends."""
    tests = "[test powercut]\nhow = reset\nafter = 3s\n"
    m = machine(disks=[Disk(serial="A", size="192M", bus="virtio")], reboot=True, resets=4,
                stick=Stick(plan=plan_of("disk/gpt/ext4", tests, "blocks = 2")))
    m.start(1500)
    m.wait_reset(2, 900)
    out = m.wait_poweroff(600)
    ended = [run["outcome"] for run in out.result["runs"] if run["test"] == "powercut"]
    assert ended == ["passed", "passed"], out.result
    assert out.result["verdict"] == "passed"
    assert starts(m.stick) == 3


@pytest.mark.whole
def test_a_second_cut_while_looking_is_not_gone_on_with(machine) -> None:
    """Only the declared half is continued without being asked; nothing turns in a circle."""
    m = machine(disks=[Disk(serial="A", size="192M", bus="virtio")],
                stick=Stick(plan=plan_of(CHAIN)))
    m.start()
    m.wait_serial(WRITING, 240)
    m.let_run(5)
    m.kill()
    m.start()
    m.wait_serial("opening disk", 240)
    m.kill()
    out = m.run()
    assert out.result["verdict"] == "aborted", out.result
    assert "assay.plan.again" in out.result["why"]
    assert starts(m.stick) == 2
