# SPDX-License-Identifier: GPL-3.0-or-later
"""FAT filesystems in image files, by mtools: no root, no mount."""

import os
import subprocess
import tempfile
from pathlib import Path

ENVIRONMENT = {**os.environ, "MTOOLS_SKIP_CHECK": "1", "MTOOLSRC": os.devnull, "LC_ALL": "C.UTF-8"}


def _mtool(*words: object) -> None:
    done = subprocess.run([str(w) for w in words], env=ENVIRONMENT, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", timeout=300)
    if done.returncode != 0:
        raise OSError(f"{words[0]} failed: {done.stdout.strip()}")


def _at(image: Path, offset: int) -> str:
    return f"{image}@@{offset}"


def make(image: Path, offset: int, size: int, label: str | None,
         number: str | None = None) -> None:
    """Format `size` bytes at `offset`. `number` is the volume's, eight hexadecimal digits."""
    label_words = ["-v", label] if label else []
    label_words += ["-N", number] if number else []
    _mtool("mformat", "-i", _at(image, offset), "-T", size // 512, "-h", 16, "-s", 63,
           "-H", offset // 512, *label_words, "::")


def put(image: Path, offset: int, tree: Path) -> None:
    """Copy everything below a folder into the filesystem's root."""
    entries = sorted(tree.iterdir())
    if entries:
        _mtool("mcopy", "-s", "-o", "-Q", "-i", _at(image, offset), *entries, "::/")


def get(image: Path, offset: int) -> dict[str, bytes]:
    """Every file, by its path below the root."""
    with tempfile.TemporaryDirectory(prefix="assay-fat-") as folder:
        if _has_entries(image, offset):
            _mtool("mcopy", "-s", "-n", "-Q", "-i", _at(image, offset), "::/*", folder)
        return read_tree(Path(folder))


def check(image: Path, offset: int, size: int) -> None:
    """Fails unless the filesystem is whole and has `size` bytes."""
    with tempfile.NamedTemporaryFile(prefix="assay-fat-") as copy:
        subprocess.run(["dd", f"if={image}", f"of={copy.name}", "bs=1M", "conv=sparse,notrunc",
                        "iflag=skip_bytes", f"skip={offset}", "status=none"], check=True)
        done = subprocess.run(["/sbin/fsck.vfat", "-n", "-v", copy.name], capture_output=True,
                              text=True, timeout=300)
    if done.returncode != 0 or f"{size // 512} sectors total" not in done.stdout:
        raise OSError(f"fsck.vfat: {done.stdout}{done.stderr}")


def _has_entries(image: Path, offset: int) -> bool:
    done = subprocess.run(["mdir", "-b", "-i", _at(image, offset), "::/"], env=ENVIRONMENT,
                          capture_output=True, check=False, timeout=60)
    return bool(done.stdout.strip())


def read_tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by its path relative to it."""
    return {str(f.relative_to(folder)): f.read_bytes()
            for f in sorted(folder.rglob("*")) if f.is_file()}
