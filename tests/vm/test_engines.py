# SPDX-License-Identifier: GPL-3.0-or-later
"""Engines on what only a kernel has: crypto drivers, keyslots, filesystems, disks that are huge."""

import re

import pytest
from harness import Disk, Stick
from harness.matrix import matrix
from plans import tiny


def runs_of(out) -> dict[str, dict]:
    """Each run by its test's name."""
    return {run["test"]: run for run in out.result["runs"]}


def metrics(run: dict) -> dict[str, float]:
    """The numbers of a run."""
    assert run["outcome"] == "passed", run
    return {metric["name"]: metric["value"] for metric in run["metrics"]}


def test_slow_aes_on_a_cpu_with_instructions_is_shouted_about(machine) -> None:
    """The fast driver is kept away: the benchmark says so, and so does the layer that uses AES."""
    tests = ("[test crypto]\nengine = cryptobench\nciphers = aes-xts:512 serpent-xts:512\n"
             "pbkdfs = pbkdf2-sha256\n")
    plan = tiny("serial:A", stack="disk/gpt/luks2,cipher=aes-xts-plain64,key-size=512", tests=tests)
    out = machine(disks=[Disk(serial="A")], stick=Stick(plan=plan), cpu="max",
                  cmdline="module_blacklist=aesni_intel").run()
    run = runs_of(out)["crypto"]
    got = metrics(run)
    for name in ("aes_xts_512_encrypt", "aes_xts_512_decrypt", "serpent_xts_512_encrypt",
                 "pbkdf2_sha256"):
        assert got[name] > 0, got
    drivers = {m["item"]: m.get("driver") for m in run["detail"]["measured"]}
    assert "aes-generic" in drivers["aes-xts:512"], drivers
    luks = next(layer for stack in out.result["stacks"] for layer in stack.get("layers", [])
                if layer["kind"] == "luks2")
    assert "aes-generic" in luks["crypto_driver"], luks
    shouts = [w for w in out.result["warnings"] if "MAKES NO USE" in w]
    assert len(shouts) == 2, out.result["warnings"]


SMALL = """
[test smart]
[test files]
time = 300ms
[test mkfs]
repeat = 2
[test unlock]
repeat = 2
[test bad-read]
engine = badblocks
[test bad-write]
engine = badblocks
mode = write
pattern = random
blocks-at-once = 1024
[test fill]
sample = 64
"""


@pytest.mark.whole
def test_engines_on_a_filesystem_and_on_a_bare_device(machine) -> None:
    plan = tiny("serial:A", stack="disk/gpt/luks2,pbkdf=argon2id,pbkdf-memory=16M,iterations=4/ext4",
                tests=SMALL).replace("[test null]", "[arm bare]\nstack = disk/gpt")
    m = machine(disks=[Disk(serial="A", size="96M")], stick=Stick(plan=plan), memory="384M")
    out = m.run(timeout=900)
    runs = {(run["arm"], run["test"]): run for run in out.result["runs"]}

    files = metrics(runs["plain", "files"])
    assert set(files) == {"create", "stat", "delete"} and min(files.values()) > 0
    detail = runs["plain", "files"]["detail"]
    assert "limited" in detail or min(detail[k] for k in ("create_s", "delete_s")) >= 0.3, detail
    assert 0 < metrics(runs["plain", "mkfs"])["make"] < 60
    assert 0 < metrics(runs["plain", "unlock"])["layer2_slot0"] < 60
    slot = runs["plain", "unlock"]["detail"]["keyslots"][0]
    assert (slot["pbkdf"], slot["memory"], slot["iterations"]) == ("argon2id", 16 << 20, 4)
    for arm in ("plain", "bare"):
        assert metrics(runs[arm, "smart"])["disk_reallocated"] == 0
        assert runs[arm, "smart"]["detail"]["disk"] == "ATA"
        assert metrics(runs[arm, "bad-read"])["bad_blocks"] == 0
    assert metrics(runs["bare", "bad-write"])["compare_errors"] == 0
    assert runs["plain", "bad-write"]["outcome"] == "skipped"
    assert metrics(runs["bare", "fill"])["write"] > 0
    assert runs["bare", "fill"]["detail"]["verified"] == 64 * 65536
    assert runs["plain", "fill"]["outcome"] == "skipped"
    for test in ("files", "mkfs", "unlock"):
        assert runs["bare", test]["outcome"] == "skipped", runs["bare", test]
    assert not any("leftovers" in stack for stack in out.result["stacks"])
    # what fill left on the disk: no two of its sectors are alike, whatever the order of the arms
    disk = m.disks[0]
    sectors = [disk.read(at, 512) for at in range(2 << 20, 90 << 20, 1 << 20)]
    if runs["bare", "fill"]["order"] == 2:
        assert len(set(sectors)) == len(sectors)


@pytest.mark.whole
def test_badblocks_finds_what_cannot_be_read(machine) -> None:
    plan = tiny("serial:A", stack="disk", tests="[test bad]\nengine = badblocks\n")
    out = machine(disks=[Disk(serial="A", bus="virtio", size="64M", bad_sectors=(80000, 80001))],
                  stick=Stick(plan=plan), allow=["I/O error", "critical"]).run()
    run = runs_of(out)["bad"]
    assert run["outcome"] == "failed" and "could not be read" in run["why"], run
    assert {m["name"]: m["value"] for m in run["detail"]["partial"]}["read_errors"] >= 1
    assert out.run.text(next(name for name in run["raw"] if name.endswith("badblocks.out"))
                        ).split() == ["10000"]


@pytest.mark.whole
@matrix("sector", [4096, 512], sample=1)
def test_badblocks_on_a_disk_of_20_tb(machine, sector: int) -> None:
    """It begins, it tells how long it will take, and its deadline ends it."""
    plan = tiny("serial:A", stack="disk", tests="[test bad]\nengine = badblocks\ntimeout = 25s\n"
                "[test smart]\n")
    m = machine(disks=[Disk(serial="A", bus="virtio", size="20T", null=True, sector=sector)],
                stick=Stick(plan=plan))
    out = m.run()
    run = runs_of(out)["bad"]
    assert run["outcome"] == "aborted" and "no end after" in run["why"], run
    assert run["detail"]["size"] == 20 << 40 and run["detail"]["block_size"] == 8192
    assert re.search(r"test bad: \d+ s, 0 %, .+ left", out.serial), out.serial
    assert runs_of(out)["smart"]["outcome"] == "skipped"
