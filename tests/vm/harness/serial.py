# SPDX-License-Identifier: GPL-3.0-or-later
"""The serial line: all of it in a file, byte for byte, and a place to wait for words."""

import codecs
import re
import socket
import threading
import time
from pathlib import Path

CHUNK = 65536  # bytes per read
OVERLAP = 4096  # characters searched again, for a match that was cut by the end of a chunk


class Serial:
    """Reads one end of a socket in a thread of its own; `changed` is notified at each arrival.
    `text` is for reading and matching, without carriage returns; `log` has every byte."""

    def __init__(self, line: socket.socket, log: Path, changed: threading.Condition) -> None:
        self.log = log
        self.text = ""
        self.last_at = time.monotonic()
        self._line = line
        self._changed = changed
        self._from = 0  # what a wait has already taken
        self._scanned = 0
        self._reader = threading.Thread(target=self._read, name="serial", daemon=True)
        self._reader.start()

    def _read(self) -> None:
        decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        with open(self.log, "wb") as log:
            while True:
                try:
                    data = self._line.recv(CHUNK)
                except OSError:
                    break
                if not data:
                    break
                log.write(data)
                log.flush()
                with self._changed:
                    self.text += decode(data).replace("\r", "")
                    self.last_at = time.monotonic()
                    self._changed.notify_all()

    def send(self, text: str) -> None:
        """Type into the guest's serial port."""
        self._line.sendall(text.encode())

    def take(self, pattern: str) -> re.Match[str] | None:
        """The first match behind the last one taken, or None. ^ and $ match at lines."""
        match = re.compile(pattern, re.MULTILINE).search(
            self.text, max(self._from, self._scanned - OVERLAP))
        if match is None:
            self._scanned = len(self.text)
            return None
        self._from = self._scanned = match.end()
        return match

    def rewind(self) -> None:
        """Forget that a failed wait has scanned: another pattern starts behind the last match."""
        self._scanned = self._from

    def tail(self, lines: int = 30) -> str:
        """The last lines, for a message to a person."""
        return "\n".join(self.text.splitlines()[-lines:])

    def last_line(self) -> str:
        """The last line that says something."""
        said = [line for line in self.text[-OVERLAP:].splitlines() if line.strip()]
        return said[-1].strip() if said else "(nothing was ever printed)"

    def drain(self, timeout: float) -> None:
        """After the other end has closed: wait until all of it is in the log."""
        self._reader.join(timeout)

    def close(self) -> None:
        """Stop reading."""
        try:
            self._line.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._reader.join(5)
        self._line.close()
