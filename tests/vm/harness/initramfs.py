# SPDX-License-Identifier: GPL-3.0-or-later
"""A small initramfs made of files, for tests that need a guest other than the appliance."""

import subprocess
from pathlib import Path

S_IFDIR, S_IFCHR, S_IFREG = 0o040000, 0o020000, 0o100000
CONSOLE = (5, 1)  # device number of /dev/console, which the kernel opens for /init


def entry(name: str, mode: int, data: bytes = b"", device: tuple[int, int] = (0, 0)) -> bytes:
    """One entry of a cpio archive in the `newc` format."""
    raw = name.encode() + b"\0"
    numbers = [0, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(raw), 0]
    head = b"070701" + b"".join(b"%08X" % n for n in numbers) + raw
    return _padded(head) + _padded(data)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)


def archive(files: dict[str, bytes]) -> bytes:
    """An archive of executable files, by path, with the folders that they need."""
    folders = {str(parent) for path in files for parent in Path(path).parents} - {"."}
    parts = [entry(folder, S_IFDIR | 0o755) for folder in sorted(folders | {"dev"})]
    parts.append(entry("dev/console", S_IFCHR | 0o600, device=CONSOLE))
    parts += [entry(path, S_IFREG | 0o755, data) for path, data in files.items()]
    return b"".join(parts) + entry("TRAILER!!!", 0)


def compiled(source: Path, program: Path) -> bytes:
    """A C file as a static program."""
    subprocess.run(["gcc", "-static", "-O1", "-Wall", "-Wextra", "-Werror", "-o", program, source],
                   check=True, timeout=120)
    return program.read_bytes()
