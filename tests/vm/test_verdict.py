# SPDX-License-Identifier: GPL-3.0-or-later
"""What a campaign comes to: limits judged and shown, and causes that were put there, found."""

import json
import subprocess
from pathlib import Path

import pytest
from harness import Disk, Stick

JUDGED = """
[plan]
name     = judged
blocks   = 6
null     = yes
baseline = assay/good.json
[target]
disk  = serial:A
erase = A
[arm plain]
stack = disk
[test null]
value = 100
[accept]
plain.null.value >= 100 IOPS
plain.null.value >= 1.5 * baseline
plain-null.null.value >= 0.9 * plain.null.value
"""

FAST = 2_000_000  # bytes a second; far below what a starved guest still reads
SLOW = 1_900_000
THROTTLED = """
[plan]
name   = throttled
blocks = 8
null   = yes
[target]
disk  = serial:A
erase = A
[arm plain]
stack = disk
[arm slowed]
stack = disk
[test seqread]
engine  = fio
rw      = read
bs      = 64k
size    = 32M
runtime = 20s
"""


def baseline(value: float) -> str:
    """The result.json of an earlier campaign, as far as limits need it."""
    metric = {"name": "value", "unit": "1/s", "better": "higher", "bound": "exact",
              "value": value}
    return json.dumps({"runs": [{"arm": "plain", "test": "null", "block": 1,
                                 "outcome": "passed", "metrics": [metric]}]})


def laid_out(out, to: Path) -> Path:
    """The files of the one run as a folder."""
    for name, data in out.run.files.items():
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        (to / name).write_bytes(data)
    return to


@pytest.mark.whole
def test_limits_are_judged_and_shown(machine, assay_host, tmp_path: Path) -> None:
    out = machine(disks=[Disk(serial="A")],
                  stick=Stick(plan=JUDGED, files={"assay/good.json": baseline(80)})).run()

    assert [one["outcome"] for one in out.result["accept"]] == ["passed", "failed", "passed"]
    assert out.result["verdict"] == "failed"
    assert "2 of 3 criteria met" in out.result["why"]
    # a warm-up block that does not count, and a null arm that equals the first
    assert [run["block"] for run in out.result["runs"] if not run.get("counts", True)] == [0, 0]
    assert out.result["design"]["blocks_run"] == 6
    assert out.result["design"]["estimate"] > 0
    (only,) = [one for one in out.result["comparisons"] if one["metric"] == "value"]
    assert only["null"] and only["verdict"] == "equivalent" and only["blocks"] == 6

    assert "this campaign will take about" in out.serial
    said = [line.strip() for line in out.serial.replace("\r", "").splitlines() if line.strip()]
    # the kernel and PID 1 have the last word about the power, and nothing else
    ours = [line for line in said if not line.startswith(("[", "Powering off."))]
    assert ours[-1].startswith("VERDICT failed: 2 of 3 criteria met"), ours[-3:]
    assert any(line.startswith("######   ####    ####") for line in said), "FAILED, big"

    folder = laid_out(out, tmp_path / "run")
    done = subprocess.run([assay_host, "report", "--accept", folder], capture_output=True,
                          text=True, timeout=60, check=False)
    assert done.returncode == 1 and "2 of 3 criteria met" in done.stdout, done
    good = tmp_path / "good.json"
    good.write_text(baseline(60), encoding="ascii")
    done = subprocess.run([assay_host, "report", "--accept", "--baseline", good, folder],
                          capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0 and "3 of 3 criteria met" in done.stdout, done


@pytest.mark.whole
def test_a_throttled_arm_is_found_and_the_truth_is_measured(machine) -> None:
    """One arm has a disk that is 5 % slower. What a disk of known speed is measured at is within
    1 % of it: the bucket of the group is a tenth of a second, 1/80 of 8 s of reading, and it
    is emptied in the two seconds that fio does not count (ramp_time)."""
    plan = THROTTLED + "time_based\nramp_time = 2s\n"
    m = machine(disks=[Disk(serial="A", size="64M", bps=FAST, bus="virtio")],
                stick=Stick(plan=plan.replace("runtime = 20s", "runtime = 8s")))
    m.start(3000)
    for _ in range(9 * 3):
        arm = m.wait_serial(r"arm ([a-z-]+), test seqread: started", 600)[1]
        m.throttle(0, bps=SLOW if arm == "slowed" else FAST)
    out = m.wait_poweroff(600)

    assert out.result["verdict"] == "passed", out.report
    found = {(one["b"], one["metric"]): one for one in out.result["comparisons"]}
    slowed = found["slowed", "read"]
    assert slowed["verdict"] == "slower", slowed["text"]
    assert slowed["low"] <= -5 <= slowed["high"], slowed["text"]
    assert "slowed is 5 % slower than plain in seqread.read" in out.report
    assert found["plain-null", "read"]["verdict"] == "equivalent"
    for point in slowed["points"]:
        assert point["a"] == pytest.approx(FAST, rel=0.01), slowed["points"]
        assert point["b"] == pytest.approx(SLOW, rel=0.01), slowed["points"]
