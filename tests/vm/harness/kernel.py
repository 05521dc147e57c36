# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading a kernel's log: what is trouble, and what is only talk about trouble."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

PANIC = "Kernel panic - not syncing"
PANIC_END = "---[ end Kernel panic"

# The kernel stamps its own lines; a tool's "WARNING: ..." on the console carries no stamp.
STAMP = re.compile(r"\[ *\d+\.\d{6}\](?:\[ *[TC]\d+\])? ")
MESSAGE = re.compile(STAMP.pattern + r"[^\n]*(?:\n|\Z)")

TROUBLE = re.compile(
    r"""(?x) ^(?:(?:watchdog|rcu|traps|x86/\w+|Bluetooth|EXT4-fs|XFS)[^:]*:\ )?
    (?: WARNING:\ (?:CPU:|possible|suspicious|bad|inconsistent|held|stack|kernel)
      | BUG:\ | BUG\ (?!=) | Oops: | kernel\ BUG\ at
      | general\ protection\ fault | double\ fault | invalid\ opcode: | divide\ error:
      | soft\ lockup | .*\bself-detected\ stall | .*\bdetected\ stalls
      | INFO:\ task\ .*\ blocked\ for\ more\ than
      | Initramfs\ unpacking\ failed
      | UBSAN: | KASAN: | KFENCE: | list_(?:add|del)\ corruption
      | Out\ of\ memory: | .*\ invoked\ oom-killer
      | .*\ segfault\ at\ | .*\ trap\ (?:invalid\ opcode|divide\ error)
      | Kernel\ panic )""")
TRACE = re.compile(r"^Call Trace:")
TRACE_REACH = 80  # lines: a trace that follows a headline this closely belongs to it


@dataclass
class Trouble:
    """One complaint of the kernel: its headline, and what was printed after it."""

    headline: str
    lines: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return "\n".join([self.headline, *self.lines[:12]])


def messages(log: str) -> list[str]:
    """The kernel's own messages in a serial log, without their stamps."""
    found = []
    for line in log.splitlines():
        stamps = list(STAMP.finditer(line))
        found += [line[a.end():b] for a, b in
                  zip(stamps, [s.start() for s in stamps[1:]] + [len(line)])]
    return found


def without_messages(text: str) -> str:
    """Console text as the programs wrote it: a kernel message may split any line of theirs."""
    return MESSAGE.sub("", text)


def split_by_messages(text: str) -> str:
    """A pattern for `text` on a console where kernel messages may stand between any two letters."""
    return f"(?:{MESSAGE.pattern})*".join(re.escape(letter) for letter in text)


def trouble(log: str, allow: Iterable[str] = ()) -> list[Trouble]:
    """Every complaint in the log that no pattern of `allow` matches."""
    found: list[Trouble] = []
    last_at = -TRACE_REACH
    for number, message in enumerate(messages(log)):
        near = number - last_at < TRACE_REACH
        if TROUBLE.search(message) or (TRACE.search(message) and not near):
            found.append(Trouble(message))
            last_at = number
        elif near:
            found[-1].lines.append(message)
    return [t for t in found if not any(re.search(p, t.headline) for p in allow)]
