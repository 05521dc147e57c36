# SPDX-License-Identifier: GPL-3.0-or-later
"""One QEMU process: started with its two lines, watched, and certain to end."""

import shlex
import socket
import subprocess
import threading
import time
from pathlib import Path

from .errors import QemuFailed
from .qmp import Qmp
from .serial import Serial

QEMU = "qemu-system-x86_64"
GREETING_TIME = 60.0  # seconds
DRAIN_TIME = 10.0  # seconds, for what QEMU wrote before it ended


class Process:
    """QEMU dies at the deadline by a watchdog, with this process by the kernel, and by kill().
    The serial and QMP lines are socket pairs, so there are no names that could collide."""

    def __init__(self, words: list[str], folder: Path, log: Path, serial: bool,
                 deadline: float, changed: threading.Condition) -> None:
        self.started = time.monotonic()
        self.folder = folder
        self.has_serial = serial
        self.timed_out = False
        self.status: int | None = None  # set when all that QEMU wrote has been read
        self._changed = changed
        self._messages = folder / f"{log.stem}.qemu"
        qmp_ours, qmp_its = socket.socketpair()
        serial_ours, serial_its = socket.socketpair()
        command = ["setpriv", "--pdeathsig", "KILL", "--", QEMU, *words,
                   "-chardev", f"socket,id=qmp,fd={qmp_its.fileno()}",
                   "-mon", "chardev=qmp,mode=control"]
        if serial:
            command += ["-chardev", f"socket,id=serial,fd={serial_its.fileno()}",
                        "-serial", "chardev:serial"]
        (folder / f"{log.stem}.command").write_text(shlex.join(command) + "\n", "utf-8")
        with open(self._messages, "wb") as messages:
            self._child = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=messages, stderr=messages,
                cwd=folder, pass_fds=[qmp_its.fileno(), serial_its.fileno()])
        qmp_its.close()
        serial_its.close()
        self.qmp = Qmp(qmp_ours, changed)
        self.serial = Serial(serial_ours, log, changed)
        self._watchdog = threading.Thread(target=self._watch, args=(deadline,), daemon=True)
        self._watchdog.start()

    @property
    def pid(self) -> int:
        """QEMU's process id."""
        return self._child.pid

    def greet(self) -> None:
        """Wait until QEMU talks."""
        try:
            self.qmp.greet(GREETING_TIME)
        except Exception as error:
            self.kill()
            raise QemuFailed(f"{error}\n{self.complaint()}") from error

    def kill(self) -> None:
        """End QEMU now, and wait for its end."""
        self._child.kill()
        self._watchdog.join(DRAIN_TIME * 3)

    def close(self) -> None:
        """Kill what still runs and close the lines."""
        self.kill()
        self.qmp.close()
        self.serial.close()

    def complaint(self) -> str:
        """What QEMU printed."""
        return self._messages.read_text("utf-8", "replace").strip()

    def _watch(self, deadline: float) -> None:
        try:
            status = self._child.wait(deadline)
        except subprocess.TimeoutExpired:
            self.timed_out = True
            self._child.kill()
            status = self._child.wait()
        self.serial.drain(DRAIN_TIME)
        self.qmp.drain(DRAIN_TIME)
        with self._changed:
            self.status = status
            self._changed.notify_all()
