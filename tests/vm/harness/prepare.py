# SPDX-License-Identifier: GPL-3.0-or-later
"""A disk that will be tested is prepared by a guest: no root here, and nothing of the host in it."""

import fcntl
import hashlib
import json
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from . import host
from .disk import Disk, copy_sparse
from .machine import Machine
from .shell import RUN_TIME, Shell
from .units import Size

CACHE = host.BUILD / "prepared"
FORMAT = 1  # change it when the same recipe comes to give another disk
SHELL_CMDLINE = "assay.then=shell"
PREPARE_TIME = 1800.0  # seconds, for the whole boot
POWEROFF_TIME = 120.0  # seconds

# Prints a disk's path by its serial number: names like /dev/vda promise no order. The shell is
# there before the drivers are, so it waits.
FIND_DISK = """n=0; while [ $n -lt {patience} ]; do
for s in /sys/block/*/serial; do [ -r "$s" ] || continue
read -r v <"$s" || :; [ "$v" = {serial} ] || continue
d=${{s%/serial}}; echo "/dev/${{d##*/}}"; exit 0; done
n=$((n+1)); sleep 1; done; echo "no disk {serial}"; exit 1"""
DRIVERS_TIME = 60  # seconds
# The appliance sets disks read-only that no plan names; one that is prepared is to be written.
WRITABLE = "blockdev --setrw {disk}"


@dataclass(frozen=True)
class Recipe:
    """Blank disks, and the commands that fill them; `$DISK0`, `$DISK1` ... are their paths."""

    name: str
    script: tuple[str, ...]
    disks: tuple[Size, ...] = ("256M",)
    memory: Size = "512M"
    cmdline: str = ""
    timeout: float = RUN_TIME * 5  # seconds for each command

    def digest(self) -> str:
        """What the result is cached by: all that it depends on but the appliance's image."""
        words = json.dumps([FORMAT, asdict(self)], sort_keys=True)
        return hashlib.sha256(words.encode()).hexdigest()[:16]


def prepared(recipe: Recipe) -> list[Path]:
    """The images of a recipe's disks, made once. They are shared: give them to
    `Disk(image=...)`, which copies, and never write to them."""
    CACHE.mkdir(parents=True, exist_ok=True)
    folder = CACHE / f"{recipe.name}-{recipe.digest()}"
    with open(CACHE / f"{folder.name}.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another test may be making the same
        if not folder.exists():
            _make(recipe, folder)
    return [folder / f"disk{number}.img" for number in range(len(recipe.disks))]


def _make(recipe: Recipe, folder: Path) -> None:
    work = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", suffix=".new", dir=CACHE))
    disks = [Disk(size=size, serial=f"PREPARE{n}", bus="virtio")
             for n, size in enumerate(recipe.disks)]
    machine = Machine(folder=work, memory=recipe.memory, disks=disks,
                      cmdline=f"{SHELL_CMDLINE} {recipe.cmdline}".strip())
    machine.start(PREPARE_TIME)
    try:
        fill(Shell(machine).ready(), recipe.script, len(disks), recipe.timeout)
        machine.wait_poweroff(POWEROFF_TIME)
    finally:
        machine.close()  # on failure the folder stays, with the log that says why
    done = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", suffix=".done", dir=CACHE))
    for number, disk in enumerate(disks):
        copy_sparse(disk.file(), done / f"disk{number}.img")
    done.rename(folder)
    shutil.rmtree(work)


def fill(shell: Shell, script: Sequence[str], disks: int, timeout: float) -> None:
    """Run a script with `$DISK0` ... set; stops at the first command that fails."""
    names = {}
    for number in range(disks):
        path = shell.check(FIND_DISK.format(serial=f"PREPARE{number}",
                                            patience=DRIVERS_TIME)).strip()
        shell.check(WRITABLE.format(disk=path))
        names[f"DISK{number}"] = path
    setting = " ".join(f"{name}={path}" for name, path in names.items())
    for command in script:
        shell.check(f"{setting}; {command}" if setting else command, timeout)
    shell.poweroff()
