# SPDX-License-Identifier: GPL-3.0-or-later
"""USB sticks: an image with a plan and files on it, and the way to read it back."""

import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from . import ext, fat
from .disk import copy_sparse, create_sparse, sha256
from .units import Size, size_bytes

LAYOUTS = ("superfloppy", "mbr", "gpt")
FILESYSTEMS = ("vfat", "ext4")
PARTITION_START = 1 << 20  # bytes, where every partitioning tool starts today
GPT_BACKUP = 1 << 20  # bytes kept free at the end for the second table
TYPES = {("mbr", "vfat"): "c", ("mbr", "ext4"): "83",
         ("gpt", "vfat"): "EBD0A0A2-B9E5-4433-87C0-68B6B72699C7",
         ("gpt", "ext4"): "0FC63DAF-8483-4772-8E79-3D69D8477DE4"}


@dataclass
class Stick:
    """One stick. `plan` becomes its `assay.ini`; `folder` says whether it has a folder `assay/`,
    which makes it the assay stick even without a plan. `image` is a medium that was written to
    it whole: the stick gets a copy, and the plan and files go to its FAT, in the partition
    `partition`; a larger `size` leaves room behind."""

    plan: str | None = None
    size: Size = "64M"
    files: dict[str, bytes | str] = field(default_factory=dict)
    readonly: bool = False
    label: str | None = "ASSAY"
    number: str | None = None  # of a FAT volume, eight hexadecimal digits
    layout: str = "superfloppy"
    fs: str = "vfat"
    folder: bool = True
    serial: str = "STICK"
    removable: bool = True
    iops: int | None = None
    bps: int | None = None
    bad_sectors: tuple[int, ...] = ()
    image: Path | None = None
    partition: int = 1
    path: Path | None = None  # the image in use; set when the machine is made

    def make(self, folder: Path, name: str) -> Path:
        """Make the image, once; a stick that has one already keeps it and what is on it."""
        if self.path is None:
            if self.layout not in LAYOUTS or self.fs not in FILESYSTEMS:
                raise ValueError(f"a stick is one of {LAYOUTS} with one of {FILESYSTEMS}")
            self.path = folder / f"{name}.img"
            if self.image is not None:
                self._copy(self.image, self.path)
                return self.path
            create_sparse(self.path, size_bytes(self.size))
            if self.layout != "superfloppy":
                _partition(self.path, self.layout, self.fs)
            self._format(self.path)
        return self.path

    def tree(self) -> dict[str, bytes]:
        """Every file on the stick as it is now, by its path."""
        read = fat.get if self.fs == "vfat" else ext.get
        return read(self.file(), self.offset())

    def sha256(self) -> str:
        """Of every byte of the stick."""
        return sha256(self.file())

    def file(self) -> Path:
        """The image of a stick that has been made."""
        if self.path is None:
            raise ValueError("this stick has no image yet: it gets one with its machine")
        return self.path

    def offset(self) -> int:
        """Where its filesystem starts."""
        if self.image is not None:
            return partition_start(self.image, self.partition)
        return 0 if self.layout == "superfloppy" else PARTITION_START

    def _copy(self, medium: Path, image: Path) -> None:
        copy_sparse(medium, image)
        with open(image, "r+b") as file:
            file.truncate(max(image.stat().st_size, size_bytes(self.size)))
        with tempfile.TemporaryDirectory(prefix="assay-stick-") as name:
            self.folder = False  # it has one, or shall have none
            self._fill(Path(name))
            fat.put(image, self.offset(), Path(name))

    def _format(self, image: Path) -> None:
        room = size_bytes(self.size) - self.offset()
        if self.layout == "gpt":
            room -= GPT_BACKUP
        with tempfile.TemporaryDirectory(prefix="assay-stick-") as name:
            tree = Path(name)
            self._fill(tree)
            if self.fs == "ext4":
                ext.make(image, self.offset(), room, self.label, tree)
            else:
                fat.make(image, self.offset(), room, self.label, self.number)
                fat.put(image, self.offset(), tree)

    def _fill(self, tree: Path) -> None:
        if self.folder:
            (tree / "assay").mkdir()
        files = dict(self.files)
        if self.plan is not None:
            files["assay.ini"] = self.plan
        for path, content in files.items():
            file = tree / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content.encode() if isinstance(content, str) else content)


def partition_start(image: Path, number: int) -> int:
    """Where a partition of an MBR starts, in bytes."""
    with open(image, "rb") as file:
        entry = file.read(512)[446 + 16 * (number - 1):][:16]
    return int.from_bytes(entry[8:12], "little") * 512


def _partition(image: Path, layout: str, fs: str) -> None:
    table = "dos" if layout == "mbr" else "gpt"
    size = image.stat().st_size - PARTITION_START - (GPT_BACKUP if layout == "gpt" else 0)
    script = (f"label: {table}\n"
              f"start={PARTITION_START // 512}, size={size // 512}, type={TYPES[layout, fs]}\n")
    subprocess.run(["/sbin/sfdisk", "--quiet", image], input=script, text=True, check=True,
                   capture_output=True, timeout=60)
