# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run left behind: on a stick, or in a capture of the serial line."""

import json
import re
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from .errors import NoResult
from .fat import read_tree

RUN_FOLDER = re.compile(r"assay/(?P<machine>[^/]+)/(?P<name>\d{4}-?\d\d-?\d\d[^/]*)/(?P<file>.+)")
RECV_TIME = 120  # seconds


@dataclass
class Run:
    """The folder `assay/<machine>/<date>-<run id>/` of one run."""

    machine: str
    name: str
    files: dict[str, bytes]

    @cached_property
    def result(self) -> dict[str, Any]:
        """`result.json`"""
        found = json.loads(self.text("result.json"))
        assert isinstance(found, dict), f"result.json of {self.name} is not an object"
        return found

    @cached_property
    def records(self) -> list[dict[str, Any]]:
        """`records.jsonl`, one dict a line. A line cut short by a power cut raises."""
        return [json.loads(line) for line in self.text("records.jsonl").splitlines()]

    @cached_property
    def report(self) -> str:
        """`report.txt`"""
        return self.text("report.txt")

    def text(self, file: str) -> str:
        """One file as text; NoResult says which files there are instead."""
        if file not in self.files:
            raise NoResult(f"{self.name} has no {file}, only: {', '.join(sorted(self.files))}")
        return self.files[file].decode()


def runs(tree: dict[str, bytes]) -> list[Run]:
    """All runs on a stick, by name: the oldest first."""
    found: dict[tuple[str, str], Run] = {}
    for path, content in tree.items():
        match = RUN_FOLDER.fullmatch(path)
        if match:
            machine, name = match["machine"], match["name"]
            run = found.setdefault((machine, name), Run(machine, name, {}))
            run.files[match["file"]] = content
    return sorted(found.values(), key=lambda run: run.name)


def written(before: list[Run], after: list[Run]) -> list[Run]:
    """The runs of `after` that are new, or of which a file has changed."""
    old = {(run.machine, run.name): run.files for run in before}
    return [run for run in after if old.get((run.machine, run.name)) != run.files]


def receive(assay: Path, log: Path, to: Path) -> list[Run]:
    """Turn a serial capture back into files with `assay recv`; the runs found in it.
    `assay recv` may lay the run's files into `to` itself or into the folders of a stick."""
    done = subprocess.run([assay, "recv", log, "-o", to], capture_output=True, text=True,
                          errors="replace", timeout=RECV_TIME, check=False)
    if done.returncode != 0:
        raise NoResult(f"assay recv: status {done.returncode}\n{done.stdout}{done.stderr}")
    tree = read_tree(to)
    return runs(tree) or [Run("", to.name, tree)]


def differences(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    """How two folders differ, a sentence for each file; empty when they are equal."""
    said = []
    for path in sorted(one.keys() | other.keys()):
        if path not in other:
            said.append(f"{path}: only in the first")
        elif path not in one:
            said.append(f"{path}: only in the second")
        elif one[path] != other[path]:
            a, b = one[path], other[path]
            at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
            said.append(f"{path}: differs from byte {at} ({len(a)} and {len(b)} bytes long)")
    return said
