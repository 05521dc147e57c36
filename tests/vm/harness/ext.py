# SPDX-License-Identifier: GPL-3.0-or-later
"""ext4 filesystems in image files, by e2fsprogs: no root, no mount."""

import subprocess
import tempfile
from pathlib import Path

from .fat import read_tree


def make(image: Path, offset: int, size: int, label: str | None, tree: Path) -> None:
    """Format `size` bytes at `offset` and copy everything below a folder into it."""
    label_words = ["-L", label] if label else []
    subprocess.run(["/sbin/mke2fs", "-q", "-F", "-t", "ext4", "-E", f"offset={offset}",
                    "-d", tree, *label_words, image, f"{size // 1024}k"],
                   check=True, stdout=subprocess.DEVNULL, timeout=300)


def get(image: Path, offset: int) -> dict[str, bytes]:
    """Every file, by its path below the root. A journal that was not replayed is not read."""
    with tempfile.TemporaryDirectory(prefix="assay-ext-") as folder:
        subprocess.run(["/sbin/debugfs", "-R", f"rdump / {folder}", f"{image}?offset={offset}"],
                       check=True, capture_output=True, timeout=300)
        return read_tree(Path(folder))
