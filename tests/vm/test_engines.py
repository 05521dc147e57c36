# SPDX-License-Identifier: GPL-3.0-or-later
"""Engines on what only a kernel has: crypto drivers, keyslots, filesystems, disks that are huge."""

from harness import Disk, Stick
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
