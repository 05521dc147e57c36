# SPDX-License-Identifier: GPL-3.0-or-later
"""A root shell in a guest, at the other end of its serial console."""

import itertools
import re
import secrets
import shlex
from typing import Protocol

from . import kernel
from .errors import CommandFailed

LINE_MAX = 1000  # bytes; busybox's line editor takes 1023
PIECE = 300  # characters of a longer command that are typed at a time
READY_TIME = 300.0  # seconds, for a boot under emulation
RUN_TIME = 120.0  # seconds for one command
PROMPT = r"assay# "


class Console(Protocol):
    """What a shell needs of a machine."""

    def send(self, text: str) -> None:
        """Type."""

    def wait_serial(self, pattern: str, timeout: float = ..., what: str = ...) -> re.Match[str]:
        """Wait for a text behind the last one."""


class Shell:
    """Commands in, status and output out. Echo, prompts and kernel messages do not disturb:
    the output stands between two marks that no typed line contains, and what the kernel prints
    into it, or into the marks, is taken out again."""

    def __init__(self, console: Console, prompt: str = PROMPT) -> None:
        self._console = console
        self._prompt = prompt
        self._token = secrets.token_hex(4)
        self._numbers = itertools.count()

    def ready(self, timeout: float = READY_TIME) -> "Shell":
        """Wait for the prompt, and until the shell answers."""
        self._console.wait_serial(self._prompt, timeout)
        self.run("true", timeout)
        return self

    def run(self, command: str, timeout: float = RUN_TIME) -> tuple[int, str]:
        """One command, in a subshell without input: its exit status, and what it printed."""
        if "\t" in command:
            raise ValueError(f"a line editor takes a tab for a question: {command}")
        if len(_eval(shlex.quote(command)).encode()) < LINE_MAX - 200:  # room for the marks
            return self._typed(_eval(shlex.quote(command)), timeout)
        pieces = [command[at:at + PIECE] for at in range(0, len(command), PIECE)]
        self._typed("LONG=", timeout)
        for piece in pieces:
            self._typed(f"LONG=$LONG{shlex.quote(piece)}", timeout)
        return self._typed(_eval('"$LONG"'), timeout)

    def _typed(self, line: str, timeout: float) -> tuple[int, str]:
        name = f"{self._token} {next(self._numbers)}"
        self._console.send(f"printf '@@%s {name}@@\\n' begin; {line}; "
                           f"printf '@@%s {name} %s@@\\n' end $?\n")
        what = f"the shell's answer to: {line}"
        begin = self._console.wait_serial(
            kernel.split_by_messages(f"@@begin {name}@@"), timeout, what)
        end = self._console.wait_serial(
            kernel.split_by_messages(f"@@end {name} ") + "([^@]*)@@", timeout, what)
        printed = kernel.without_messages(end.string[begin.end():end.start()])
        return int(kernel.without_messages(end[1])), printed.removeprefix("\n")

    def check(self, command: str, timeout: float = RUN_TIME) -> str:
        """One command that must succeed; what it printed."""
        status, printed = self.run(command, timeout)
        if status != 0:
            raise CommandFailed(f"{command}: status {status}\n{printed}")
        return printed

    def poweroff(self) -> None:
        """Write everything back and switch off, without a program's help."""
        self._console.send("sync; echo u >/proc/sysrq-trigger; echo o >/proc/sysrq-trigger\n")


def _eval(word: str) -> str:
    """A line that runs the command which `word` stands for; a fault in it ends only a subshell."""
    return f"( eval {word} ) </dev/null 2>&1"
