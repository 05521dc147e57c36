# SPDX-License-Identifier: GPL-3.0-or-later
"""The chain of QEMU block nodes behind one disk, for the command line and for QMP alike."""

import json
from pathlib import Path
from typing import Any

EIO = 5

Call = tuple[str, dict[str, Any]]


def null(size: int) -> dict[str, Any]:
    """A disk of any size that swallows what is written, and reads as zeros."""
    return {"driver": "null-co", "size": size, "read-zeroes": True}


def nbd(socket: Path) -> dict[str, Any]:
    """What an NBD server on this host serves. Flushes reach it: it is the disk's honesty."""
    return {"driver": "nbd", "server": {"type": "unix", "path": str(socket)}}


def calls(name: str, path: Path | None, readonly: bool = False, iops: int | None = None,
          bps: int | None = None, bad_sectors: tuple[int, ...] = (),
          backend: dict[str, Any] | None = None) -> list[Call]:
    """The QMP calls that make the chain; its top node bears `name`. Sync requests of the guest
    end in the host's page cache: that survives every death of QEMU, and the host's disk does not
    disturb speeds that are known in advance. `backend` stands in for the image."""
    file = backend or {"driver": "file", "filename": str(path), "read-only": readonly, "discard": "unmap",
            "cache": {"no-flush": True}}
    node: dict[str, Any] = {"driver": "raw", "file": file, "read-only": readonly,
                            "discard": "unmap", "detect-zeroes": "off"}
    if bad_sectors:
        errors = [{"event": "none", "errno": EIO, "sector": s} for s in bad_sectors]
        node = {"driver": "blkdebug", "image": node, "inject-error": errors}
    made: list[Call] = []
    if iops or bps:
        made.append(("object-add", {"qom-type": "throttle-group", "id": group(name),
                                    "limits": limits(iops, bps)}))
        node = {"driver": "throttle", "throttle-group": group(name), "file": node}
    return [*made, ("blockdev-add", {**node, "node-name": name})]


def group(name: str) -> str:
    """The throttle group of a disk."""
    return f"{name}-limit"


def limits(iops: int | None, bps: int | None) -> dict[str, int]:
    """What a throttle group is told."""
    given = {"iops-total": iops, "bps-total": bps}
    return {key: value for key, value in given.items() if value}


def words(made: list[Call]) -> list[str]:
    """The same calls as words of QEMU's command line."""
    option = {"object-add": "-object", "blockdev-add": "-blockdev"}
    return [w for call, arguments in made for w in (option[call], json.dumps(arguments))]
