# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole campaign on a laptop with an IDE disk and a stick, and the same results on serial."""

from pathlib import Path

import pytest
from harness import Disk, Stick
from harness.results import differences
from plans import QUICK, QUICK_SERIAL, tiny

FILES = {"result.json", "records.jsonl", "report.txt", "report.html", "bonnie.csv", "kernel.log"}


@pytest.mark.parametrize("memory", ["256M"])
def test_quick_plan_in_256_mb(machine, assay_host, tmp_path: Path, memory: str) -> None:
    m = machine(memory=memory, disks=[Disk(size="512M", serial=QUICK_SERIAL)],
                stick=Stick(plan=QUICK))
    out = m.run(timeout=900)

    assert out.result["verdict"] == "passed", out.report
    runs = {(run["arm"], run["test"]): run for run in out.result["runs"]}
    assert set(runs) == {(arm, test) for arm in ("plain", "encrypted")
                         for test in ("hdparm", "bonnie", "seqread")}
    for run in runs.values():
        assert run["outcome"] == "passed" and run["metrics"], run
    for arm in ("plain", "encrypted"):
        names = {metric["name"] for metric in runs[arm, "bonnie"]["metrics"]}
        assert {"put_block", "rewrite", "get_block", "seeks"} <= names
        assert any(metric["name"] == "read" and metric["value"] > 0
                   for metric in runs[arm, "seqread"]["metrics"])
        assert {"disk_buffered", "top_buffered"} <= {
            metric["name"] for metric in runs[arm, "hdparm"]["metrics"]}

    assert FILES <= set(out.run.files)
    assert len([name for name in out.run.files if name.startswith("raw/")]) >= 6
    assert out.report.splitlines()[0].upper().startswith("PASSED")
    assert "Linux version" in out.run.text("kernel.log")
    assert len(out.run.text("bonnie.csv").splitlines()) == 2
    assert all(len(line.split(",")) == 27 for line in out.run.text("bonnie.csv").splitlines())

    page = out.run.text("report.html")
    assert page.startswith("<!DOCTYPE html>") and page.endswith("</html>\n")
    assert 'class="v passed"' in page and "encrypted against plain" in page

    received = out.received(assay_host, tmp_path / "received")
    assert "report.html" in received.files
    assert differences(out.run.files, received.files) == []


def test_how_it_was_booted_is_in_the_result(machine) -> None:
    out = machine(disks=[Disk(serial="A")], stick=Stick(plan=tiny("serial:A"))).run()
    boot = out.result["boot"]
    assert 0 < boot["init"] < boot["devices"] < boot["first_io"] < 300
    assert boot["started_from"].startswith("no medium")  # by -kernel, as by PXE


ORDERS = [("tty0", "ttyS0"), ("ttyS0", "tty0"), ("ttyS0",), ("tty0", "ttyS1", "ttyS0")]


@pytest.mark.parametrize("orders", [
    ORDERS[:2], pytest.param(ORDERS, marks=pytest.mark.whole)], ids=["sample", "whole"])
def test_consoles_in_any_order(machine, orders: list[tuple[str, ...]]) -> None:
    """Also without a serial line at all: same effective plan, same result."""
    outs = []
    for consoles in orders:
        outs.append(machine(disks=[Disk(serial="A")], stick=Stick(plan=tiny("serial:A")),
                            consoles=consoles).run())
        assert "VERDICT passed" in outs[-1].serial
    outs.append(machine(disks=[Disk(serial="A")], stick=Stick(plan=tiny("serial:A")),
                        consoles=("tty0",), serial=False).run())
    values = outs[0].result["plan"]["values"]
    origin = {(v["section"], v["key"]): (v["value"], v["from"]) for v in values}
    assert origin["plan", "then"][0] == "poweroff"
    assert origin["target", "erase"] == ("A", "assay.ini:8"), origin
    for out in outs:
        assert out.result["plan"]["values"] == values
        assert out.result["verdict"] == "passed"
        assert [(run["arm"], run["test"], run["outcome"]) for run in out.result["runs"]] \
            == [("plain", "null", "passed")]


def test_a_plan_may_be_content_with_serial(machine, assay_host, tmp_path: Path) -> None:
    """No stick at all: the preset is in the image, the disk named on the command line."""
    m = machine(disks=[Disk(serial="A", size="512M")],
                cmdline="assay.plan=smoke assay.plan.results=serial "
                        "assay.target.disk=serial:A assay.target.erase=A")
    out = m.run(timeout=600)
    run = out.received(assay_host, tmp_path / "received")
    assert run.result["verdict"] == "passed"
    assert {"result.json", "records.jsonl", "report.txt", "kernel.log"} <= set(run.files)


def test_a_faulty_plan_tells_every_fault_and_touches_nothing(machine) -> None:
    plan = tiny("serial:A", stack="disk/gpt/luks9/ext4", plan="blocks = many",
                tests="resul = passed")
    m = machine(disks=[Disk(serial="A", pattern=3)], stick=Stick(plan=plan))
    before = m.disks[0].sha256()
    out = m.run()
    assert out.result["verdict"] == "aborted"
    assert m.disks[0].sha256() == before
    for word in ("blocks", "assay.ini:"):
        assert word in out.report
