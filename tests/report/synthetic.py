#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Campaigns that never ran: result.json with every kind of number, from a seed.

synthetic.py DIR [--machines N] [--blocks N] [--small]

Writes DIR/<machine>/<date>-<id>/result.json for each machine. The last machine's disk is
31 % slower than its siblings', when there are at least eight. --small leaves only a few
numbers of a few tests, as a rack's acceptance plan has.
"""

import argparse
import json
import math
import pathlib
import random

ARMS = {  # name: layers, relative speed, CPU seconds per GiB
    "raw": (["disk"], 1.0, 0.3),
    "crypt": (["disk", "luks2,cipher=aes-xts-plain64,key-size=512"], 0.88, 2.2),
    "lvm": (["disk", "luks2,cipher=aes-xts-plain64,key-size=512", "lvm"], 0.875, 2.25),
    "ext4": (["disk", "luks2,cipher=aes-xts-plain64,key-size=512", "lvm", "ext4"], 0.83, 2.6),
    "raw-again": (["disk"], 1.0, 0.3),
}
BONNIE = {"putc": 2e7, "put_block": 9.1e7, "rewrite": 4.4e7, "getc": 2.1e7, "get_block": 1.2e8,
          "seeks": 180.0, "seq_create": 16000.0, "seq_stat": None, "seq_del": 21000.0,
          "ran_create": 14000.0, "ran_stat": None, "ran_del": 19000.0}
CIPHERS = {"aes_xts_256": 2.1e9, "aes_xts_512": 1.6e9, "aes_cbc_128": 8e8, "serpent_xts_512": 3.1e8,
           "twofish_xts_512": 2.7e8, "xchacha12_adiantum_256": 4.4e8}


def metric(name, unit, value, better="higher", bound="exact"):
    return {"name": name, "unit": unit, "better": better, "bound": bound, "value": value}


class Campaign:
    def __init__(self, seed: int, blocks: int, small: bool, speed: float) -> None:
        self.random = random.Random(seed)
        self.seed, self.blocks, self.small, self.speed = seed, blocks, small, speed
        self.runs: list[dict] = []
        self.clock = 60.0

    def near(self, value: float, sigma: float = 0.01) -> float:
        return value * math.exp(self.random.gauss(0, sigma))

    def rate(self, value: float, arm: str) -> float:
        return float(round(self.near(value * ARMS[arm][1] * self.speed)))

    def add(self, block: int, order: int, arm: str, test: str, engine: str, metrics, detail):
        took = self.random.uniform(20, 40)
        self.runs.append({
            "kind": "run", "index": len(self.runs) + 1, "block": block, "order": order, "arm": arm,
            "stack": "/".join(ARMS[arm][0]), "test": test, "engine": engine, "outcome": "passed",
            "why": None, "started": self.clock, "ended": self.clock + took, "metrics": metrics,
            "detail": detail, "raw": []})
        self.clock += took + 1

    def fio(self, block: int, order: int, arm: str) -> None:
        read = self.rate(1.9e8, arm)
        p50 = self.near(4e-3 / ARMS[arm][1])
        cpu = self.near(ARMS[arm][2], 0.03)
        buckets = {"2": 1.0, "4": 57.0, "10": 38.5, "20": 3.0, "50": 0.44, "100": 0.06}
        if arm != "raw":
            buckets = {"4": 41.0, "10": 50.5, "20": 7.0, "50": 1.4, "100": 0.1}
        self.add(block, order, arm, "seqread", "fio",
                 [metric("read", "B/s", read), metric("read_iops", "1/s", read / 1048576),
                  metric("read_latency", "s", p50 * 1.1, "lower"),
                  metric("read_latency_p50", "s", p50, "lower"),
                  metric("read_latency_p99", "s", self.near(p50 * 4, 0.05), "lower"),
                  metric("cpu", "s", cpu * 4, "lower"),
                  metric("cpu_per_gib", "s/GiB", cpu, "lower")],
                 {"fio": {"latency_us": {"750": 0.0, "1000": 0.0}, "latency_ms": buckets}})

    def bonnie(self, block: int, order: int, arm: str) -> None:
        metrics = []
        for name, value in BONNIE.items():
            rate = name in ("putc", "put_block", "rewrite", "getc", "get_block")
            if value is None:
                metrics.append(metric(name, "1/s", 32768.0, bound="at-least"))
                continue
            metrics.append(metric(name, "B/s" if rate else "1/s", self.rate(value, arm)))
            metrics.append(metric(name + "_cpu", "%", float(self.random.randint(2, 97)), "neither"))
        self.add(block, order, arm, "bonnie", "bonnie", metrics,
                 {"file_size": "1G", "num_files": "16", "version": "2.00a", "format": "1.98"})

    def ciphers(self, block: int, order: int, arm: str) -> None:
        metrics = [metric(f"{name}_{way}", "B/s", float(round(self.near(value))))
                   for name, value in CIPHERS.items() for way in ("encrypt", "decrypt")]
        self.add(block, order, arm, "ciphers", "cryptobench", metrics, {})

    def run(self) -> None:
        arms = ["raw", "crypt"] if self.small else list(ARMS)
        for block in range(1, self.blocks + 1):
            order = self.random.sample(arms, len(arms))
            for place, arm in enumerate(order, 1):
                self.fio(block, place, arm)
                if not self.small:
                    self.bonnie(block, place, arm)
        if not self.small:
            self.ciphers(1, 1, "raw")

    def document(self, machine: str) -> dict:
        self.run()
        arms = ["raw", "crypt"] if self.small else list(ARMS)
        tests = [("seqread", "fio")]
        if not self.small:
            tests += [("bonnie", "bonnie"), ("ciphers", "cryptobench")]
        run_id = f"{self.seed & 0xffffffff:08x}"
        plan_arms = [{"name": a, "stack": "/".join(ARMS[a][0]), "layers": ARMS[a][0],
                      "null": a == "raw-again"} for a in arms]
        values = [{"section": "plan", "key": "blocks", "value": str(self.blocks), "from": "assay.ini:3"},
                  {"section": "target", "key": "disk", "value": "serial:S" + run_id, "from": "assay.ini:6"}]
        values += [{"section": f"arm {a}", "key": "stack", "value": "/".join(ARMS[a][0]),
                    "from": f"assay.ini:{9 + 3 * i}"} for i, a in enumerate(arms)]
        return {
            "schema": "assay.result/1", "assay_version": "0.1.0", "run_id": run_id,
            "path": f"assay/{machine}/20260331-120000-{run_id}", "machine_id": machine,
            "plan_name": "rack" if self.small else "layers", "fingerprint": 7,
            "started": {"wall": "2026-03-31T12:00:00Z", "wall_from": "RTC", "suspect": False, "mono": 20.0},
            "ended": {"wall": "2026-03-31T13:00:00Z", "mono": self.clock},
            "duration": self.clock - 20.0, "verdict": "passed", "why": None,
            "plan": {"name": "rack", "blocks": self.blocks, "arms": plan_arms,
                     "tests": [{"name": n, "engine": e} for n, e in tests], "values": values},
            "machine": {"id": machine, "cpu": {"model": "Example CPU <2.0 GHz> & \"more\"", "cpus": 4},
                        "memory": {"total": 8589934592}, "kernel": {"version": "Linux version 6.1.0"}},
            "devices": [{"name": "sda", "kind": "disk", "model": "EXAMPLE 1000", "serial": "S" + run_id,
                         "size": 1000204886016}],
            "boot": {"init": 2.25}, "runs": self.runs, "stacks": [],
            "warnings": ["block 3: the CPU was throttled during crypt, seqread <not dropped>"],
            "problems": []}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("dir", type=pathlib.Path)
    parser.add_argument("--machines", type=int, default=1)
    parser.add_argument("--blocks", type=int, default=8)
    parser.add_argument("--small", action="store_true")
    args = parser.parse_args()
    for i in range(args.machines):
        slow = args.machines >= 8 and i == args.machines - 1
        machine = f"machine-{i + 1:05d}"
        speed = (0.69 if slow else 1.0) * math.exp(random.Random(i).gauss(0, 0.012))
        document = Campaign(i + 1, args.blocks, args.small, speed).document(machine)
        folder = args.dir / machine / document["path"].rsplit("/", 1)[1]
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "result.json").write_text(json.dumps(document))


if __name__ == "__main__":
    main()
