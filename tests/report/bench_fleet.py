#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How long `assay report` takes over how many campaigns, and how much memory.

bench_fleet.py DIR [COUNT...]   (1000 3000 10000)

DIR keeps the campaigns for the next time. Prints a line for each count, the best of three
times, then how time and memory grow; fails when 10,000 campaigns take more than 60 s or
64 MiB, or when a campaign more costs twice as much in a large fleet as in a small one,
which caches and a busy machine do not explain.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
ASSAY = HERE.parents[1] / os.environ.get("BUILD", "build") / "assay"
LIMIT_SECONDS, LIMIT_MIB = 60, 64


def prepare(folder: Path, count: int) -> None:
    """Campaigns of an acceptance plan: two arms, six blocks, seven numbers a run."""
    if len(list(folder.glob("*"))) != count:
        subprocess.run([sys.executable, HERE / "synthetic.py", folder, "--machines", str(count),
                        "--small", "--blocks", "6"], check=True)


def measure(folder: Path, *options: str) -> tuple[float, float, str]:
    """Seconds of CPU and peak memory in MiB, the best of three, and what was printed."""
    cpu, wall, mib = [], [], []
    for _ in range(3):
        started = time.monotonic()
        child = subprocess.Popen([ASSAY, "report", *options, folder], stdout=subprocess.PIPE, text=True)
        out = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        assert status == 0, status
        wall.append(time.monotonic() - started)
        cpu.append(usage.ru_utime + usage.ru_stime)
        mib.append(usage.ru_maxrss / 1024)
    print(f"{len(list(folder.glob('*'))):8} campaigns{' ' + options[0] if options else '':8}"
          f" {min(wall):7.2f} s, {min(cpu):7.2f} s of CPU, {max(mib):6.1f} MiB at most", flush=True)
    return min(cpu), max(mib), out


def main() -> int:
    top = Path(sys.argv[1])
    counts = [int(n) for n in sys.argv[2:]] or [1000, 3000, 10000]
    seconds, mib = {}, {}
    for n in counts:
        prepare(top / str(n), n)
        seconds[n], mib[n], text = measure(top / str(n))
        assert f"machine-{n:05d}" in text and "% slower than its" in text  # the slow one is found
    measure(top / str(counts[-1]), "--html")
    first, last = counts[0], counts[-1]
    more = last - first
    growth = (seconds[last] - seconds[first]) / more / (seconds[first] / first)
    print(f"each more: {(seconds[last] - seconds[first]) / more * 1e3:.2f} ms of CPU, "
          f"{(mib[last] - mib[first]) / more * 1024:.2f} KiB; "
          f"time grows {growth:.2f} times as fast as the number of campaigns")
    size = sum(p.stat().st_size for p in (top / str(last)).glob("*/*/result.json"))
    print(f"read: {size / 2**20:.0f} MiB of result.json, {size / last / 1024:.0f} KiB each")
    ok = seconds[last] <= LIMIT_SECONDS and mib[last] <= LIMIT_MIB and growth < 2
    print("within limits" if ok else "NOT within limits")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
