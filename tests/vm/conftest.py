# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures of the vm ring."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from harness import Machine, host
from harness.prepare import Recipe
from harness.prepare import prepared as prepare

TAIL_LINES = 40
LOGS = pytest.StashKey[list[Path]]()
FAILED = pytest.StashKey[bool]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--whole", action="store_true", help="run whole matrices, not samples")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--whole"):
        return
    left_out = [item for item in items if item.get_closest_marker("whole")]
    if left_out:  # pytest's last line counts them as deselected
        items[:] = [item for item in items if not item.get_closest_marker("whole")]
        config.hook.pytest_deselected(items=left_out)


@pytest.hookimpl(hookwrapper=True)  # type: ignore[misc]
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """At a failure, show what each guest said last, and where the whole log is."""
    outcome: Any = yield
    report: pytest.TestReport = outcome.get_result()
    if not report.failed:
        return
    item.stash[FAILED] = True
    for log in sorted(f for folder in item.stash.get(LOGS, []) for f in folder.glob("serial*.log")):
        said = log.read_text("utf-8", "replace").splitlines()
        report.sections.append((f"{log}, last {TAIL_LINES} of {len(said)} lines",
                                "\n".join(said[-TAIL_LINES:])))


@pytest.fixture
def machine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[..., Machine]]:
    """`machine(...)` makes a Machine of this test's own; it is dead when the test is over. The
    first has its logs in tmp_path itself, the next ones in folders. What a test that passed
    leaves is only logs: images are large."""
    made: list[Machine] = []
    folders = request.node.stash.setdefault(LOGS, [])

    def make(**parts: Any) -> Machine:
        folder = tmp_path / f"machine-{len(made)}" if made else tmp_path
        folders.append(folder)
        made.append(Machine(folder=folder, **parts))
        return made[-1]

    yield make
    failures = []
    for one in made:
        try:
            one.close()
        except Exception as error:  # the others are to be closed all the same
            failures.append(error)
    if failures:
        raise failures[0]
    if not request.node.stash.get(FAILED, False):
        for image in tmp_path.rglob("*.img"):
            image.unlink()


@pytest.fixture
def prepared() -> Callable[[Recipe], list[Path]]:
    """`prepared(recipe)` gives the images of disks that a guest has prepared, cached."""
    return prepare


@pytest.fixture(scope="session")
def assay_host() -> Path:
    """The `assay` command built for this host."""
    return host.built("assay", "all")
