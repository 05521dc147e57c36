# SPDX-License-Identifier: GPL-3.0-or-later
"""One boot of a machine: waiting for what should come, noticing at once that it cannot."""

import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn, TypeVar

from . import kernel
from .errors import (GuestGone, GuestPanicked, GuestPoweredOff, GuestRebooted, GuestSilent,
                     GuestTimedOut, KernelTrouble, QemuFailed, QmpError, VmFailure)
from .host import seconds
from .process import Process

PANIC = re.compile(kernel.STAMP.pattern + re.escape(kernel.PANIC))
PANIC_OVER = re.compile(r"Rebooting in \d+ seconds|" + re.escape(kernel.PANIC_END))
PANIC_LENGTH = 300  # characters searched again, for a panic line cut by the end of a chunk
ENDS = {"guest-shutdown": "poweroff", "guest-reset": "reset"}  # QEMU's words and ours

Found = TypeVar("Found")
Loss = tuple[type[VmFailure], str]


@dataclass(kw_only=True)
class Rules:
    """What a boot may do."""

    silence: float | None = 120.0  # seconds without a word on the serial line; None: never mind
    resets: int = 3  # where the guest may reset the machine: more than that is a loop
    allow: Sequence[str] = ()  # patterns of kernel warnings that the test expects


class Boot:
    """Every wait ends: by what it waited for, or by an exception that says why it cannot come."""

    def __init__(self, process: Process, rules: Rules, changed: threading.Condition) -> None:
        self.process = process
        self.killed = False
        self.judged = False
        self._rules = rules
        self._changed = changed
        self._calm = 0  # up to here there is no panic in the text

    def until(self, what: str, ready: Callable[[], Found | None], timeout: float) -> Found:
        """Wait until `ready` gives something."""
        end = time.monotonic() + seconds(timeout)
        while True:
            with self._changed:
                found = ready()
                if found is not None:
                    return found
                loss = self._loss(what)
                now = time.monotonic()
                if loss is None and now < end:
                    self._changed.wait(min(end, self._quiet_until()) - now)
                    continue
            self.fail(*(loss or (GuestTimedOut, f"waited {timeout:g} s in vain for {what}")))

    def let_run(self, duration: float) -> None:
        """Wait for time to pass, or for the guest's end."""
        with self._changed:
            self._changed.wait_for(lambda: self.process.status is not None, seconds(duration))

    def wait_serial(self, pattern: str, timeout: float, what: str = "") -> re.Match[str]:
        """Wait for a text behind the one waited for last."""
        serial = self.process.serial
        serial.rewind()
        what = what or f"{pattern!r} on the serial line"
        return self.until(what, lambda: serial.take(pattern), timeout)

    def wait_end(self, end: str, timeout: float) -> None:
        """Wait until the guest ends itself, the right way, and judge the kernel's log."""
        if end not in ENDS.values():
            raise ValueError(f"a guest ends by one of {', '.join(ENDS.values())}")
        self.until(f"its {end}", lambda: True if self._ended_by() == end else None, timeout)
        self.judge()

    def judge(self) -> None:
        """Fail if the kernel complained. Once: a test that failed is not failed again."""
        if self.judged:
            return
        self.judged = True
        found = kernel.trouble(self.process.serial.text, self._rules.allow)
        if found:
            self.fail(KernelTrouble, f"{len(found)} times:\n" + "\n".join(map(str, found)))

    def fail(self, kind: type[VmFailure], why: str) -> NoReturn:
        """End the guest and raise, with the last words and a picture of the screen."""
        self.judged = True
        process = self.process
        picture = process.folder / "screen-at-failure.png"
        if process.status is None:
            try:
                process.qmp.command("screendump", {"filename": str(picture), "format": "png"}, 5)
                why += f"\n(the screen: {picture})"
            except QmpError:
                pass  # a hanging QEMU has no picture to give
        process.kill()
        complaint = process.complaint()
        why += f"\n(QEMU says: {complaint})" if complaint else ""
        raise kind(f"{why}\nLast lines of {process.serial.log}:\n{process.serial.tail()}")

    def _ended_by(self) -> str | None:
        """How the guest ended itself, once QEMU is gone and all it wrote is read."""
        if self.process.status is None or self.process.timed_out or self._panicked():
            return None
        for event in reversed(self.process.qmp.events):
            if event["event"] == "SHUTDOWN":
                return ENDS.get(event["data"]["reason"])
        return None

    def _panicked(self) -> re.Match[str] | None:
        text = self.process.serial.text
        panic = PANIC.search(text, self._calm)
        if panic is None:
            self._calm = max(0, len(text) - PANIC_LENGTH)
        return panic

    def _loss(self, what: str) -> Loss | None:
        """Why nothing can come any more."""
        process = self.process
        panic = self._panicked()
        if panic and (process.status is not None
                      or PANIC_OVER.search(process.serial.text, panic.end())):
            return GuestPanicked, process.serial.text[panic.start():].split("\n", 1)[0]
        if process.status is not None:
            return self._loss_by_end(what)
        resets = process.qmp.count("RESET")
        if resets > self._rules.resets:
            return GuestRebooted, f"{resets} resets, a loop, while waiting for {what}"
        if time.monotonic() >= self._quiet_until():
            return GuestSilent, (
                f"nothing for {self._rules.silence:g} s on the serial line, while waiting for "
                f"{what}; the last line was: {process.serial.last_line()}")
        return None

    def _loss_by_end(self, what: str) -> Loss:
        if self.process.timed_out:
            return GuestTimedOut, f"killed at the boot's hard deadline, waiting for {what}"
        if self.killed:
            return GuestGone, f"the test killed it, and then waited for {what}"
        end = self._ended_by()
        if end == "reset":
            return GuestRebooted, f"it reset the machine; the test waited for {what}"
        if end == "poweroff":
            kind = GuestPoweredOff if what == "its reset" else GuestGone
            return kind, f"it powered off; the test waited for {what}"
        return QemuFailed, f"QEMU ended with status {self.process.status}, waiting for {what}"

    def _quiet_until(self) -> float:
        if self._rules.silence is None or not self.process.has_serial:
            return float("inf")
        return self.process.serial.last_at + seconds(self._rules.silence)
