# SPDX-License-Identifier: GPL-3.0-or-later
"""A machine: declared by its parts, switched on as often as you like, and always ended."""

import re
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from . import blockdev, devices, firmware, host, keyboard
from .boot import Boot, Rules
from .disk import Disk
from .errors import QmpError, VmFailure
from .outcome import Outcome, read_runs
from .process import Process
from .results import Run
from .stick import Stick
from .units import Size, size_bytes

BOOT_TIME = 600.0  # seconds, the hard deadline of a boot
SPEED = 115200  # baud of a serial console
BASE_CMDLINE = "rootfstype=ramfs cryptomgr.notests panic=5 oops=panic"
SOURCES = ("kernel", "cdrom", "stick", "disk", "net")


@dataclass(kw_only=True)
class Machine(Rules):
    """What it is made of; each field may be changed between two boots. Disks and sticks keep
    what is on them, so that run() twice is a machine which was switched on again."""

    folder: Path
    memory: Size = "256M"
    cpus: int = 2
    cpu: str | None = None
    arch: str = "amd64"
    firmware: str = "bios"
    secure_boot: bool = False
    board: str | None = None  # "pc" or "q35"; None: what firmware and disks ask for
    boot: str = "kernel"  # or from "cdrom", "stick", "disk", "net"
    kernel: Path | None = None  # None: the appliance's own
    initrd: Path | None = None
    cmdline: str = ""
    consoles: Sequence[str] = ("tty0", "ttyS0")
    serial: bool = True
    disks: Sequence[Disk] = ()
    stick: Stick | None = None
    sticks: Sequence[Stick] = ()  # more of them
    cdrom: Path | None = None
    usb: str | None = "xhci"  # "ehci", "uhci", or None for a machine without USB
    net: devices.Net | None = None
    reboot: bool = False  # may the guest reset the machine?
    extra: Sequence[str] = ()  # more words for QEMU

    _boot: Boot | None = field(default=None, init=False, repr=False)
    _slot: host.Slot = field(default_factory=host.Slot, init=False, repr=False)
    _boots: int = field(default=0, init=False, repr=False)
    _screens: int = field(default=0, init=False, repr=False)
    _before: list[Run] = field(default_factory=list, init=False, repr=False)
    _plugged: dict[str, Stick] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._make_images()

    # One boot

    def run(self, timeout: float = BOOT_TIME, ends: str = "poweroff") -> Outcome:
        """Boot, and wait until the guest ends itself: by "poweroff" or by "reset"."""
        self.start(timeout)
        return self.wait_end(timeout, ends)

    def start(self, deadline: float = BOOT_TIME) -> None:
        """Switch on. Whatever the test does, QEMU is dead `deadline` seconds later."""
        self.close()
        self._make_images()
        words = self._words()
        self._before = read_runs(self._all_sticks())
        self._plugged = {f"stick{n}": s for n, s in enumerate(self._all_sticks())}
        self._boots += 1
        suffix = "" if self._boots == 1 else f"-{self._boots}"
        changed = threading.Condition()
        self._slot.acquire()
        try:
            process = Process(words, self.folder, self.folder / f"serial{suffix}.log",
                              self.serial, host.seconds(deadline), changed)
            self._boot = Boot(process, self, changed)
            process.greet()
        except BaseException:
            self._slot.release()
            raise

    def wait_end(self, timeout: float = BOOT_TIME, ends: str = "poweroff") -> Outcome:
        """Wait until the guest has ended itself, the right way and without kernel trouble."""
        boot = self._running()
        try:
            boot.wait_end(ends, timeout)
        finally:
            self._release()
        process = boot.process
        return Outcome(ends, time.monotonic() - process.started, process.serial.text,
                       process.serial.log, self._all_sticks(), self._before)

    def wait_poweroff(self, timeout: float = BOOT_TIME) -> Outcome:
        """Wait until the guest has powered off."""
        return self.wait_end(timeout, "poweroff")

    def wait_reset(self, count: int = 1, timeout: float = BOOT_TIME) -> None:
        """With reboot=True: wait until the guest has reset the machine `count` times."""
        qmp = self._running().process.qmp
        self._running().until(f"reset {count}", lambda: qmp.count("RESET") >= count or None,
                              timeout)

    def wait_serial(self, pattern: str, timeout: float = 120.0, what: str = "") -> re.Match[str]:
        """Wait for a text on the serial line, behind the one waited for last. `what` names it in
        the failure, where the pattern itself would tell a person little."""
        return self._running().wait_serial(pattern, timeout, what)

    def let_run(self, duration: float) -> None:
        """Let it go on for so long, or until it ends itself: a moment to pull the plug at."""
        self._running().let_run(duration)

    def kill(self) -> None:
        """Pull the plug."""
        self._running().killed = True
        self._running().process.kill()
        self._release()

    def close(self) -> None:
        """End what still runs; fails when the kernel complained and nobody has noticed yet."""
        boot, self._boot = self._boot, None
        if boot is not None:
            boot.process.close()
            self._release()
            boot.judge()

    def __enter__(self) -> "Machine":
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if error is not None and self._boot is not None:
            self._boot.judged = True
        self.close()

    # While it runs

    @property
    def pid(self) -> int:
        """QEMU's process id."""
        return self._running().process.pid

    @property
    def text(self) -> str:
        """All that came over the serial line in this boot."""
        return self._running().process.serial.text

    def send(self, text: str) -> None:
        """Type on the serial console."""
        self._running().process.serial.send(text)

    def type(self, text: str) -> None:
        """Type on the keyboard."""
        for character in text:
            self.sendkey(keyboard.keys_for(character))

    def type_in_shell(self, command: str) -> None:
        """One command in the shell that Assay offers on the second console, as a person who
        stands before the machine would type it. What it prints is on the screen only."""
        self.sendkey("alt-f2")
        self.sendkey("ret")
        self.type(command + "\n")

    def sendkey(self, keys: str) -> None:
        """Press keys together: "ret", "ctrl-alt-delete"."""
        self.qmp("send-key", **keyboard.chord(keys))

    def qmp(self, execute: str, **arguments: Any) -> Any:
        """One QMP command; write `_` for `-` in the names of arguments."""
        named = {key.replace("_", "-"): value for key, value in arguments.items()}
        return self._running().process.qmp.command(execute, named)

    def screen(self) -> Path:
        """A picture of the screen as it is now."""
        self._screens += 1
        picture = self.folder / f"screen-{self._screens}.png"
        self.qmp("screendump", filename=str(picture), format="png")
        return picture

    def plug(self, stick: Stick) -> None:
        """Put a stick in, also one that was pulled before."""
        taken = {n for n, s in self._plugged.items() if s is not stick}
        name = next(n for n in (f"stick{i}" for i in range(99)) if n not in taken)
        stick.make(self.folder, f"plugged{len(list(self.folder.glob('plugged*')))}")
        for call, arguments in devices.stick_calls(name, stick):
            self._running().process.qmp.command(call, arguments)
        self._running().process.qmp.command("device_add", devices.stick_device(name, stick))
        self._plugged[name] = stick

    def unplug(self, stick: Stick) -> None:
        """Pull a stick, whatever the guest does with it at that moment."""
        name = next(n for n, s in self._plugged.items() if s is stick)
        qmp = self._running().process.qmp
        events = len(qmp.events)
        qmp.command("device_del", {"id": f"{name}-device"})
        qmp.wait_event("DEVICE_DELETED", after=events, device=f"{name}-device")
        del self._plugged[name]
        try:
            qmp.command("blockdev-del", {"node-name": name})
            if stick.iops or stick.bps:
                qmp.command("object-del", {"id": blockdev.group(name)})
        except QmpError:
            if not qmp.ended:  # a guest may have powered off at the sight of it
                raise

    def throttle(self, disk: int, iops: int | None = None, bps: int | None = None) -> None:
        """Another speed for a disk that was declared with one."""
        self.qmp("qom-set", path=f"/objects/{blockdev.group(f'disk{disk}')}", property="limits",
                 value=blockdev.limits(iops, bps))

    # How QEMU is told

    def _running(self) -> Boot:
        if self._boot is None:
            raise VmFailure("the machine is switched off: start() it first")
        return self._boot

    def _release(self) -> None:
        """The slot goes back only when QEMU is gone."""
        if self._boot is None or self._boot.process.status is not None:
            self._slot.release()

    def _all_sticks(self) -> list[Stick]:
        return [*([self.stick] if self.stick is not None else []), *self.sticks]

    def _make_images(self) -> None:
        for number, disk in enumerate(self.disks):
            disk.make(self.folder, f"disk{number}")
        for number, stick in enumerate(self._all_sticks()):
            stick.make(self.folder, f"stick{number}")

    def _board(self) -> str:
        uefi = self.firmware == "uefi" and not any(disk.bus == "ide" for disk in self.disks)
        return self.board or ("q35" if uefi else "pc")

    def _words(self) -> list[str]:
        if self.boot not in SOURCES:
            raise ValueError(f"a machine boots from one of {', '.join(SOURCES)}")
        board = self._board() + (",smm=on" if self.secure_boot else "")
        wiring = devices.Wiring(self._board(), self.boot, self.usb)
        wiring.disks(self.disks)
        wiring.sticks(self._all_sticks())
        if self.cdrom is not None:
            wiring.cdrom(self.cdrom)
        if self.net is not None:
            wiring.net(self.net)
        return ["-machine", board, "-accel", host.accelerator(),
                "-nodefaults", "-no-user-config", "-display", "none", "-vga", "std",
                *([] if self.reboot else ["-no-reboot"]),
                *(["-cpu", self.cpu] if self.cpu else []),
                "-smp", str(self.cpus), "-m", f"{size_bytes(self.memory) >> 20}M",
                *firmware.words(self.firmware, self.secure_boot, self.folder),
                *(self._kernel_words() if self.boot == "kernel" else []),
                *wiring.words, *self.extra]

    def _kernel_words(self) -> list[str]:
        consoles = [f"console={c},{SPEED}" if c.startswith("ttyS") else f"console={c}"
                    for c in self.consoles]
        return ["-kernel", str(self.kernel or host.image_file("vmlinuz", self.arch)),
                "-initrd", str(self.initrd or host.image_file("initrd.img", self.arch)),
                "-append", " ".join([BASE_CMDLINE, *consoles, self.cmdline]).strip()]
