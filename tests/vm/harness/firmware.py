# SPDX-License-Identifier: GPL-3.0-or-later
"""BIOS needs nothing; UEFI is OVMF with a variable store of the machine's own."""

import shutil
from pathlib import Path

from .errors import Missing

OVMF = Path("/usr/share/OVMF")
CODE = {False: "OVMF_CODE_4M.fd", True: "OVMF_CODE_4M.secboot.fd"}
VARS = {False: "OVMF_VARS_4M.fd", True: "OVMF_VARS_4M.ms.fd"}
FIRMWARES = ("bios", "uefi")


def words(firmware: str, secure_boot: bool, folder: Path) -> list[str]:
    """QEMU's words; the variable store stays in `folder` from one boot to the next."""
    if firmware not in FIRMWARES:
        raise ValueError(f"the firmware is one of {', '.join(FIRMWARES)}")
    if firmware == "bios":
        return []
    code = OVMF / CODE[secure_boot]
    if not code.exists():
        raise Missing(f"{code} does not exist: install the package ovmf")
    variables = folder / "uefi-variables.fd"
    if not variables.exists():
        shutil.copyfile(OVMF / VARS[secure_boot], variables)
    secure = ["-global", "driver=cfi.pflash01,property=secure,value=on"] if secure_boot else []
    return [*secure, "-drive", f"if=pflash,unit=0,format=raw,readonly=on,file={code}",
            "-drive", f"if=pflash,unit=1,format=raw,file={variables}"]
