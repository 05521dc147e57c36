# SPDX-License-Identifier: GPL-3.0-or-later
"""What one boot came to."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from . import kernel, results
from .errors import NoResult
from .results import Run
from .stick import Stick


@dataclass
class Outcome:
    """One boot from power-on to its end. The results are those that this boot has written."""

    ended: str  # "poweroff" or "reset"
    seconds: float
    serial: str
    log: Path
    sticks: Sequence[Stick]
    before: list[Run]

    @cached_property
    def runs(self) -> list[Run]:
        """Every run that this boot wrote or went on with, on any stick."""
        return results.written(self.before, read_runs(self.sticks))

    @property
    def run(self) -> Run:
        """The one run of this boot; NoResult when there is none, or more than one."""
        if len(self.runs) != 1:
            raise NoResult(
                f"this boot wrote {len(self.runs)} results, not one: "
                f"{[run.name for run in self.runs]}; the sticks hold "
                f"{[list(stick.tree()) for stick in self.sticks]}; "
                f"the last words on the serial line: {self.serial[-300:]!r}")
        return self.runs[0]

    @property
    def result(self) -> dict[str, Any]:
        """`result.json` of the one run."""
        return self.run.result

    @property
    def records(self) -> list[dict[str, Any]]:
        """`records.jsonl` of the one run."""
        return self.run.records

    @property
    def report(self) -> str:
        """`report.txt` of the one run."""
        return self.run.report

    @cached_property
    def kernel_messages(self) -> list[str]:
        """The kernel's messages on the serial line, without their stamps."""
        return kernel.messages(self.serial)

    def received(self, assay: Path, to: Path) -> Run:
        """The one run as `assay recv` gets it back from the serial line."""
        found = results.receive(assay, self.log, to)
        if len(found) != 1:
            raise NoResult(f"the serial capture holds {len(found)} runs, not one")
        return found[0]


def read_runs(sticks: Sequence[Stick]) -> list[Run]:
    """All runs on these sticks."""
    return [run for stick in sticks for run in results.runs(stick.tree())]
