# SPDX-License-Identifier: GPL-3.0-or-later
"""What the host lends to a guest: built files, time, processor, and one of two slots."""

import fcntl
import os
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import IO

from .errors import GuestTimedOut, Missing, VmFailure

REPOSITORY = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("ASSAY_BUILD", REPOSITORY / "build")).resolve()

LOCKS = REPOSITORY / "build"  # wherever the image comes from
SLOTS = 2  # guests at once, over all test runs in this repository
SLOT_PATIENCE = 3600.0  # seconds; a slot is free again when its holder ends, however it ends
SLOT_POLL = 0.2  # seconds; flock cannot wait for whichever of two files comes free first


def seconds(deadline: float) -> float:
    """A deadline, stretched for a slow host by ASSAY_TIMEOUT_FACTOR."""
    return deadline * float(os.environ.get("ASSAY_TIMEOUT_FACTOR", "1"))


def accelerator() -> str:
    """`tcg` unless ASSAY_ACCEL asks for another."""
    return os.environ.get("ASSAY_ACCEL", "tcg")


def built(path: str, target: str) -> Path:
    """A built file, or an error that says how to build it."""
    file = BUILD / path
    if not file.exists():
        raise Missing(f"{file} does not exist: run `make {target}` first")
    return file


def image_file(name: str, arch: str) -> Path:
    """`vmlinuz` or `initrd.img` of the appliance."""
    return built(f"image-{arch}/{name}", f"image ARCH={arch}")


def image_id(arch: str = "amd64") -> str:
    """The id of the appliance's build, 16 hexadecimal digits."""
    manifest = built(f"image-{arch}/manifest.txt", f"image ARCH={arch}").read_text("ascii")
    return next(line.split()[1] for line in manifest.splitlines() if line.startswith("id "))


class Slot:
    """The right to run one guest. The kernel takes the lock back when this process dies."""

    _mine: "Slot | None" = None

    def __init__(self) -> None:
        self._file: IO[str] | None = None

    def __enter__(self) -> "Slot":
        self.acquire()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.release()

    def acquire(self) -> None:
        """Wait for a free slot. A process may hold only one: two that held one and wanted two
        would wait for each other for ever."""
        if Slot._mine is not None:
            raise VmFailure("one guest at a time: the test already has one that runs")
        LOCKS.mkdir(exist_ok=True)
        give_up = time.monotonic() + seconds(SLOT_PATIENCE)
        while not self._try():
            if time.monotonic() > give_up:
                raise GuestTimedOut(f"no slot for a guest came free in {SLOT_PATIENCE:.0f} s")
            threading.Event().wait(SLOT_POLL)
        Slot._mine = self

    def release(self) -> None:
        """Give the slot back; harmless when it is not held."""
        if self._file is not None:
            self._file.close()
            self._file = None
            Slot._mine = None

    def _try(self) -> bool:
        for number in range(SLOTS):
            file = open(LOCKS / f"vm-slot-{number}.lock", "w", encoding="ascii")
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.close()
                continue
            self._file = file
            return True
        return False
