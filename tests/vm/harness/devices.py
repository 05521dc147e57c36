# SPDX-License-Identifier: GPL-3.0-or-later
"""How disks, sticks and network cards are put on QEMU's command line."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import blockdev
from .disk import BUSES, Disk
from .stick import Stick

IDE_DISKS = 4  # two channels of two
USB = {"xhci": "qemu-xhci,id=usb,p2=8,p3=8", "ehci": "usb-ehci,id=usb",
       "uhci": "piix3-usb-uhci,id=usb"}


@dataclass
class Net:
    """One network card on QEMU's own network, which answers DHCP and TFTP and reaches nothing
    outside unless `isolated` is off."""

    nic: str = "e1000"
    tftp: Path | None = None
    bootfile: str | None = None
    isolated: bool = True
    rom: str | None = None
    options: str = ""


@dataclass
class Wiring:
    """Collects the words; each controller is added when the first disk needs it."""

    board: str
    boot: str
    usb: str | None = None
    words: list[str] = field(default_factory=list)
    _controllers: set[str] = field(default_factory=set)
    _ports: dict[str, int] = field(default_factory=dict)

    def disks(self, disks: Sequence[Disk]) -> None:
        """Every disk, named disk0, disk1, ... in QEMU."""
        for number, disk in enumerate(disks):
            _refuse(disk)
            name = f"disk{number}"
            self.words += blockdev.words(blockdev.calls(
                name, disk.path, disk.readonly, disk.iops, disk.bps, disk.bad_sectors,
                disk.backend()))
            self._device({"drive": name, "id": f"{name}-device",
                          **self._bus(disk), **_identity(disk),
                          **self._bootindex(self.boot == "disk" and number == 0)})

    def sticks(self, sticks: Sequence[Stick]) -> None:
        """The USB controller, if the machine has one, and the sticks plugged at its start."""
        if self.usb is not None or sticks:
            self._controller("usb", USB[self.usb or "xhci"])
        for number, stick in enumerate(sticks):
            name = f"stick{number}"
            self.words += blockdev.words(stick_calls(name, stick))
            self._device({**stick_device(name, stick),
                          **self._bootindex(self.boot == "stick" and number == 0)})

    def cdrom(self, image: Path) -> None:
        """A CD in an IDE drive (pc) or an AHCI one (q35)."""
        self.words += blockdev.words(blockdev.calls("cdrom", image, readonly=True))
        bus = {"bus": "ide.1", "unit": 1} if self.board == "pc" else {"bus": "ide.5"}
        self._device({"driver": "ide-cd", "drive": "cdrom", "id": "cdrom-device", **bus,
                      **self._bootindex(self.boot == "cdrom")})

    def net(self, net: Net) -> None:
        """The network and its card."""
        network = f"user,id=net0,restrict={'on' if net.isolated else 'off'}"
        network += f",tftp={net.tftp}" if net.tftp else ""
        network += f",bootfile={net.bootfile}" if net.bootfile else ""
        self.words += ["-netdev", network + (f",{net.options}" if net.options else "")]
        rom = {"romfile": net.rom} if net.rom is not None else {}
        self._device({"driver": net.nic, "netdev": "net0", **rom,
                      **self._bootindex(self.boot == "net")})

    def _bootindex(self, first: bool) -> dict[str, Any]:
        return {"bootindex": 0} if first else {}

    def _controller(self, name: str, device: str) -> None:
        if name not in self._controllers:
            self._controllers.add(name)
            self.words += ["-device", device]

    def _port(self, bus: str) -> int:
        self._ports[bus] = self._ports.get(bus, -1) + 1
        return self._ports[bus]

    def _bus(self, disk: Disk) -> dict[str, Any]:
        port = self._port(disk.bus)
        if disk.bus == "ide":
            if self.board != "pc" or port >= IDE_DISKS:
                raise ValueError(f"IDE: {IDE_DISKS} disks at most, and only on the board 'pc'")
            return {"driver": "ide-hd", "bus": f"ide.{port // 2}", "unit": port % 2}
        if disk.bus == "ahci":
            if self.board == "q35":  # has one built in
                return {"driver": "ide-hd", "bus": f"ide.{port}"}
            self._controller("ahci", "ahci,id=ahci")
            return {"driver": "ide-hd", "bus": f"ahci.{port}"}
        if disk.bus == "scsi":
            self._controller("scsi", "virtio-scsi-pci,id=scsi")
            return {"driver": "scsi-hd", "bus": "scsi.0", "scsi-id": port}
        if disk.bus == "usb":
            self._controller("usb", USB[self.usb or "xhci"])
            return {"driver": "usb-storage", "bus": "usb.0"}
        return {"driver": "nvme" if disk.bus == "nvme" else "virtio-blk-pci"}

    def _device(self, properties: dict[str, Any]) -> None:
        driver = properties.pop("driver")
        pairs = ",".join(f"{key}={str(value).replace(',', ',,')}"
                         for key, value in properties.items())
        self.words += ["-device", f"{driver},{pairs}"]


def stick_calls(name: str, stick: Stick) -> list[blockdev.Call]:
    """The block nodes of a stick."""
    return blockdev.calls(name, stick.file(), stick.readonly, stick.iops, stick.bps,
                          stick.bad_sectors)


def stick_device(name: str, stick: Stick) -> dict[str, Any]:
    """The USB device of a stick, as `device_add` wants it."""
    return {"driver": "usb-storage", "bus": "usb.0", "id": f"{name}-device", "drive": name,
            "serial": stick.serial, "removable": "on" if stick.removable else "off"}


def _identity(disk: Disk) -> dict[str, Any]:
    model = {"ide": "model", "ahci": "model", "scsi": "product"}
    given: dict[str, Any] = {"serial": disk.serial}
    if disk.bus == "nvme" and disk.serial is None:
        given["serial"] = "NVME"  # QEMU insists on one
    if disk.model is not None:
        given[model[disk.bus]] = disk.model
    if disk.wwn is not None:
        given["wwn"] = f"0x{disk.wwn:016x}"
    physical = disk.physical or disk.sector
    if physical != 512:
        given.update(logical_block_size=disk.sector, physical_block_size=physical)
    given["rotation_rate"] = disk.rotation
    return {key: value for key, value in given.items() if value is not None}


def _refuse(disk: Disk) -> None:
    """What QEMU's disk of that kind cannot be; better said here than in QEMU's words."""
    ata = disk.bus in ("ide", "ahci")
    faults = []
    if disk.bus not in BUSES:
        faults.append(f"the bus is one of {', '.join(BUSES)}")
    if ata and disk.readonly:
        faults.append("an ATA disk cannot be read-only")
    if ata and disk.sector != 512:
        faults.append("an ATA disk has sectors of 512 bytes")
    if disk.model is not None and not (ata or disk.bus == "scsi"):
        faults.append("a model can be given to ide, ahci and scsi only")
    if (disk.wwn is not None or disk.rotation is not None) and not (ata or disk.bus == "scsi"):
        faults.append("wwn and rotation can be given to ide, ahci and scsi only")
    if len(disk.serial or "") > 20:
        faults.append("a serial has 20 characters at most")
    if faults:
        raise ValueError(f"Disk(bus={disk.bus!r}, serial={disk.serial!r}): " + "; ".join(faults))
