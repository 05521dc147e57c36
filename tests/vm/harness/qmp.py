# SPDX-License-Identifier: GPL-3.0-or-later
"""A minimal client of QEMU's machine protocol."""

import json
import socket
import threading
import time
from typing import Any

from .errors import QmpError

ANSWER_TIME = 30.0  # seconds; QEMU answers at once unless the host is starved


class Qmp:
    """One QMP session. Events are kept in order; `changed` is notified at each message."""

    def __init__(self, line: socket.socket, changed: threading.Condition) -> None:
        self.events: list[dict[str, Any]] = []
        self._line = line
        self._changed = changed
        self._answers: dict[int, dict[str, Any]] = {}
        self._greeted = False
        self._ended = False
        self._next = 0
        self._reader = threading.Thread(target=self._read, name="qmp", daemon=True)
        self._reader.start()

    def _read(self) -> None:
        try:
            with self._line.makefile("r", encoding="utf-8") as lines:
                for line in lines:
                    self._sort(json.loads(line))
        except (OSError, ValueError):
            pass
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _sort(self, message: dict[str, Any]) -> None:
        with self._changed:
            if "QMP" in message:
                self._greeted = True
            elif "event" in message:
                self.events.append(message)
            else:
                self._answers[message.get("id", -1)] = message
            self._changed.notify_all()

    def greet(self, timeout: float) -> None:
        """Wait for QEMU's greeting and leave the negotiation."""
        with self._changed:
            self._changed.wait_for(lambda: self._greeted or self._ended, timeout)
            if not self._greeted:
                raise QmpError("QEMU did not greet: it ended, or hangs at its start")
        self.command("qmp_capabilities")

    @property
    def ended(self) -> bool:
        """Is QEMU gone?"""
        return self._ended

    def command(self, execute: str, arguments: dict[str, Any] | None = None,
                timeout: float = ANSWER_TIME) -> Any:
        """Run one command; its return value, or QmpError with QEMU's words."""
        with self._changed:
            self._next += 1
            number = self._next
        request = {"execute": execute, "arguments": arguments or {}, "id": number}
        try:
            self._line.sendall(json.dumps(request).encode() + b"\n")
        except OSError as error:
            raise QmpError(f"{execute}: QEMU is gone ({error})") from error
        with self._changed:
            self._changed.wait_for(lambda: number in self._answers or self._ended, timeout)
            answer = self._answers.pop(number, None)
        if answer is None:
            raise QmpError(f"{execute}: no answer" + (", QEMU is gone" if self._ended else ""))
        if "error" in answer:
            raise QmpError(f"{execute}: {answer['error'].get('desc')}")
        return answer.get("return")

    def count(self, event: str) -> int:
        """How often an event has come so far."""
        return sum(e["event"] == event for e in list(self.events))

    def wait_event(self, event: str, timeout: float = ANSWER_TIME, after: int = 0,
                   **data: Any) -> dict[str, Any]:
        """The first event of this name behind `after` events whose data holds `data`."""
        end = time.monotonic() + timeout
        with self._changed:
            while True:
                for seen in self.events[after:]:
                    if seen["event"] == event and data.items() <= seen.get("data", {}).items():
                        return seen
                left = end - time.monotonic()
                if left <= 0 or self._ended:
                    raise QmpError(f"event {event} {data or ''} did not come")
                self._changed.wait(left)

    def drain(self, timeout: float) -> None:
        """After QEMU has ended: wait until its last event is read."""
        self._reader.join(timeout)

    def close(self) -> None:
        """Stop reading."""
        try:
            self._line.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._reader.join(5)
        self._line.close()
