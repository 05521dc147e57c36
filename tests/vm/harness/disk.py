# SPDX-License-Identifier: GPL-3.0-or-later
"""Disks of a machine: what they are, and the sparse image behind each."""

import hashlib
import os
import random
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import blockdev
from .units import Size, size_bytes

BUSES = ("ide", "ahci", "nvme", "virtio", "scsi", "usb")
CHUNK = 1 << 20  # bytes
PATTERN_BYTES = 4 << 20  # at the start, the middle and the end: where tools leave their marks

Content = bytes | str


@dataclass
class Disk:
    """One disk. `image` is a prepared file, of which this disk gets a copy of its own;
    `pattern` fills the start, middle and end with bytes that only this number gives;
    `data` lays bytes at offsets; `bad_sectors` answer every access with an I/O error."""

    size: Size = "256M"
    serial: str | None = None
    bus: str = "ide"
    model: str | None = None
    wwn: int | None = None
    readonly: bool = False
    sector: int = 512
    physical: int | None = None  # sector; None: as the logical one
    rotation: int | None = None  # rpm; 1 means no moving parts
    iops: int | None = None
    bps: int | None = None
    image: Path | None = None
    pattern: int | None = None
    data: dict[int, bytes] | None = None
    bad_sectors: tuple[int, ...] = ()
    null: bool = False  # holds nothing, so that it may be larger than any file
    nbd: Path | None = None  # the socket of a server that a test runs: the disk is what it serves
    path: Path | None = None  # the image in use; set when the machine is made

    def make(self, folder: Path, name: str) -> Path:
        """Make the image, once; a disk that has one already keeps it."""
        if self.null or self.nbd is not None:
            return folder
        if self.path is None:
            self.path = folder / f"{name}.img"
            if self.image is not None:
                copy_sparse(Path(self.image), self.path)
                self.size = self.path.stat().st_size
            else:
                create_sparse(self.path, size_bytes(self.size))
            if self.pattern is not None:
                write_pattern(self.path, self.pattern)
            for offset, content in (self.data or {}).items():
                write_at(self.path, offset, content)
        return self.path

    def backend(self) -> dict[str, Any] | None:
        """The block node of a disk without an image."""
        if self.null:
            return blockdev.null(size_bytes(self.size))
        return blockdev.nbd(self.nbd) if self.nbd is not None else None

    def file(self) -> Path:
        """The image of a disk that has been made."""
        if self.path is None:
            raise ValueError("this disk has no image yet: it gets one with its machine")
        return self.path

    def sha256(self) -> str:
        """Of every byte of the disk, holes included."""
        return sha256(self.file())

    def read(self, offset: int, length: int) -> bytes:
        """What stands on the disk there."""
        with open(self.file(), "rb") as image:
            image.seek(offset)
            return image.read(length)


def create_sparse(path: Path, size: int) -> None:
    """A file of holes; refuses to replace another."""
    with open(path, "xb") as file:
        file.truncate(size)


def copy_sparse(source: Path, to: Path) -> None:
    """A copy that stays sparse, and costs nothing where the filesystem can share blocks."""
    subprocess.run(["cp", "--sparse=always", "--reflink=auto", "--", source, to], check=True)


def write_at(path: Path, offset: int, content: bytes) -> None:
    """Lay bytes into an image."""
    with open(path, "r+b") as image:
        image.seek(offset)
        image.write(content)


def write_pattern(path: Path, number: int) -> None:
    """Fill the start, middle and end with bytes that follow from `number`."""
    size = path.stat().st_size
    length = min(PATTERN_BYTES, size // 3)
    source = random.Random(number)
    for offset in (0, (size - length) // 2, size - length):
        write_at(path, offset, source.randbytes(length))


def sha256(path: Path) -> str:
    """The hash of a whole file. Holes are hashed as zeros, but not read."""
    digest = hashlib.sha256()
    zeros = bytes(CHUNK)
    with open(path, "rb") as file:
        for start, end, hole in _extents(file.fileno()):
            file.seek(start)
            while start < end:
                length = min(CHUNK, end - start)
                digest.update(zeros[:length] if hole else file.read(length))
                start += length
    return digest.hexdigest()


def _extents(fd: int) -> Iterator[tuple[int, int, bool]]:
    """Start, end and whether it is a hole, in order over the whole file."""
    size = os.fstat(fd).st_size
    at = 0
    while at < size:
        try:
            data = os.lseek(fd, at, os.SEEK_DATA)
        except OSError:  # ENXIO: only a hole is left
            data = size
        if data > at:
            yield at, data, True
        if data >= size:
            return
        at = os.lseek(fd, data, os.SEEK_HOLE)
        yield data, at, False
