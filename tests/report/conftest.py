# SPDX-License-Identifier: GPL-3.0-or-later
"""Campaigns to report on, and the program that does."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
ASSAY = ROOT / os.environ.get("BUILD", "build") / "assay"


def assay(*arguments: str | Path) -> str:
    done = subprocess.run([ASSAY, *arguments], cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@dataclass
class Report:
    """A campaign's document, its comparisons included, and the page made of it."""

    result: dict
    folder: Path
    page: Path

    @property
    def html(self) -> str:
        return self.page.read_text()


def make_report(folder: Path) -> Report:
    (folder / "result.json").write_text(assay("report", "--format", "json", folder))
    page = folder / "report.html"
    page.write_text(assay("report", "--html", folder))
    return Report(json.loads((folder / "result.json").read_text()), folder, page)


@pytest.fixture(scope="session")
def layers(tmp_path_factory) -> Report:
    """Five arms, one of them null, eight blocks, every kind of test."""
    top = tmp_path_factory.mktemp("layers")
    subprocess.run([sys.executable, HERE / "synthetic.py", top], check=True)
    return make_report(next(top.glob("*/*")))


@pytest.fixture(scope="session")
def published(tmp_path_factory) -> list[Report]:
    top = tmp_path_factory.mktemp("published")
    assay("import", "-o", top, ROOT / "configs/published/numbers.csv")
    return [make_report(folder) for folder in sorted(top.glob("*/*"))]


@pytest.fixture(scope="session")
def odd(tmp_path_factory) -> list[Report]:
    """Documents that failed, hold nothing, or hold what no Assay wrote."""
    reports = []
    texts = [(ROOT / "tests/data/report" / name).read_text()
             for name in ("two-arms.json", "failed.json", "many-arms.json")]
    texts += ["{}", '{"runs": [null, {"outcome": "passed", "metrics": [{"name": "<b>", "value": 1e308}]}],'
              ' "machine_id": "a\\"b<script>\\u0007", "warnings": ["]]>", null]}']
    for text in texts:
        folder = tmp_path_factory.mktemp("odd")
        (folder / "result.json").write_text(text)
        reports.append(make_report(folder))
    return reports


@pytest.fixture(scope="session")
def fleet(tmp_path_factory) -> Path:
    """The page of forty machines, the last of which has a slow disk."""
    top = tmp_path_factory.mktemp("fleet")
    subprocess.run([sys.executable, HERE / "synthetic.py", top, "--machines", "40", "--small",
                    "--blocks", "6"], check=True)
    page = tmp_path_factory.mktemp("page") / "fleet.html"
    page.write_text(assay("report", "--html", top))
    return page
