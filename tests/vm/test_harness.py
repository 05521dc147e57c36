# SPDX-License-Identifier: GPL-3.0-or-later
"""The harness itself, with a guest that misbehaves on demand: each fault under its own name."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness import Disk, Machine, Net, Stick, host
from harness.errors import (GuestGone, GuestPanicked, GuestPoweredOff, GuestRebooted, GuestSilent,
                            GuestTimedOut, KernelTrouble, NoResult, QemuFailed, VmFailure)
from harness.initramfs import archive, compiled
from harness.matrix import matrix
from harness.shell import Shell

HERE = Path(__file__).parent
SOURCE = HERE / "guest" / "guest.c"
DEADLINE = 120  # seconds; such a guest is up in 10 s under emulation
SHORT = 3  # seconds

Guest = Callable[..., Machine]


@pytest.fixture(scope="session")
def initrd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An initramfs of the misbehaving guest and a shell."""
    folder = tmp_path_factory.mktemp("guest")
    busybox = host.built("root-amd64/bin/busybox", "image ARCH=amd64")
    made = folder / "initrd.img"
    made.write_bytes(archive({"init": compiled(SOURCE, folder / "init"),
                              "bin/sh": busybox.read_bytes()}))
    return made


@pytest.fixture
def guest(machine: Guest, initrd: Path) -> Guest:
    """`guest("hang")`: a machine whose guest behaves that way."""
    def make(mode: str, cmdline: str = "", **parts: Any) -> Machine:
        return machine(initrd=initrd, cmdline=f"mode={mode} {cmdline}",
                       **{"silence": 60, "memory": "128M", **parts})
    return make


def test_good_guest_passes(guest: Guest) -> None:
    out = guest("good").run(DEADLINE)
    assert out.ended == "poweroff"
    assert "guest: well" in out.serial
    assert any(message.startswith("Linux version") for message in out.kernel_messages)
    assert out.log.read_bytes().count(b"\r\n") > 100, "the log keeps every byte"


def test_hanging_guest_is_silent(guest: Guest) -> None:
    m = guest("hang")
    m.start(DEADLINE)
    m.wait_serial("guest: now silent")
    m.silence = SHORT
    with pytest.raises(GuestSilent, match="the last line was: guest: now silent"):
        m.wait_poweroff()
    assert (m.folder / "screen-at-failure.png").read_bytes().startswith(b"\x89PNG")


def test_guest_that_prints_nothing_is_silent(guest: Guest) -> None:
    m = guest("quiet", consoles=("tty0",), silence=SHORT)
    with pytest.raises(GuestSilent, match="nothing was ever printed"):
        m.run(DEADLINE)


def test_hard_deadline_kills_what_nobody_waits_for(guest: Guest) -> None:
    m = guest("hang", silence=None)
    with pytest.raises(GuestTimedOut, match="hard deadline"):
        m.start(SHORT)
        m.wait_poweroff(DEADLINE)


def test_wait_has_a_deadline(guest: Guest) -> None:
    m = guest("hang")
    m.start(DEADLINE)
    with pytest.raises(GuestTimedOut, match="in vain for 'never said'"):
        m.wait_serial("never said", SHORT)


def test_panic_is_noticed_at_once(guest: Guest) -> None:
    with pytest.raises(GuestPanicked, match="Attempted to kill init"):
        guest("panic").run(DEADLINE)


def test_kernel_warning_fails(guest: Guest) -> None:
    with pytest.raises(KernelTrouble, match="^1 times:\nWARNING: CPU: 0 PID: 1 at tests/guest.c"):
        guest("warning").run(DEADLINE)


def test_kernel_warning_can_be_allowed(guest: Guest) -> None:
    out = guest("warning", allow=[r"^WARNING: .* at tests/guest\.c"]).run(DEADLINE)
    assert "only a program's own words" in out.serial


def test_kernel_warning_is_noticed_when_the_test_only_kills(guest: Guest) -> None:
    m = guest("warning")
    m.start(DEADLINE)
    m.wait_serial("tests/guest.c:1 fake\n")
    m.kill()
    with pytest.raises(KernelTrouble):
        m.close()


def test_power_off_without_result_is_no_result(guest: Guest) -> None:
    out = guest("good", stick=Stick(plan="[plan]\n")).run(DEADLINE)
    with pytest.raises(NoResult, match="wrote 0 results.*assay.ini.*guest: well"):
        assert out.result


def test_unexpected_reset(guest: Guest) -> None:
    with pytest.raises(GuestRebooted, match="it reset the machine"):
        guest("reset").run(DEADLINE)


def test_expected_reset(guest: Guest) -> None:
    assert guest("reset").run(DEADLINE, ends="reset").ended == "reset"


def test_power_off_instead_of_reset(guest: Guest) -> None:
    with pytest.raises(GuestPoweredOff):
        guest("good").run(DEADLINE, ends="reset")


def test_reboot_loop_ends(guest: Guest) -> None:
    m = guest("reset", reboot=True, resets=1)
    m.start(DEADLINE)
    m.wait_reset()
    with pytest.raises(GuestRebooted, match="2 resets, a loop"):
        m.wait_poweroff()


def test_end_while_waiting_for_something_else(guest: Guest) -> None:
    m = guest("good")
    m.start(DEADLINE)
    with pytest.raises(GuestGone, match="it powered off"):
        m.wait_serial("never said")


def test_qemu_that_does_not_start(guest: Guest) -> None:
    with pytest.raises(QemuFailed, match="no-such-option"):
        guest("good", extra=["-no-such-option"]).run(DEADLINE)


@matrix("board, firmware", [("pc", "bios"), ("q35", "bios"), ("q35", "uefi"), ("pc", "uefi")])
def test_guest_starts_on_every_board(guest: Guest, board: str, firmware: str) -> None:
    out = guest("good", board=board, firmware=firmware, memory="256M").run(DEADLINE)
    assert ("efi: EFI v" in out.serial) == (firmware == "uefi")


@pytest.mark.parametrize("board", ["pc", "q35"])
def test_qemu_takes_every_kind_of_disk(guest: Guest, board: str) -> None:
    ata = dict(model="Old Disk", wwn=0x5000C500A1B2C3D4, rotation=5400)
    disks = [Disk(bus="ahci", serial="A", **ata), Disk(bus="nvme", sector=4096), Disk(bus="scsi"),
             Disk(bus="scsi", serial="B", **ata), Disk(bus="virtio", readonly=True), Disk(bus="usb"),
             Disk(bus="virtio", iops=50, bad_sectors=(9,)), Disk(bus="nvme", serial="C, D")]
    if board == "pc":
        disks += [Disk(bus="ide", serial=f"IDE{n}", **ata) for n in range(4)]
    m = guest("hang", board=board, disks=disks, net=Net(), stick=Stick(bps=1 << 20))
    m.start(DEADLINE)
    m.throttle(6, iops=20)
    nodes = {node["node-name"] for node in m.qmp("query-named-block-nodes", flat=True)}
    assert {f"disk{n}" for n in range(len(disks))} <= nodes


@pytest.mark.parametrize("usb", ["ehci", "uhci"])
def test_stick_on_an_old_usb_controller(guest: Guest, usb: str) -> None:
    stick = Stick(readonly=True)
    m = guest("hang", usb=usb, stick=stick)
    m.start(DEADLINE)
    m.unplug(stick)
    m.plug(stick)


def test_one_guest_at_a_time(guest: Guest) -> None:
    guest("hang").start(DEADLINE)
    with pytest.raises(VmFailure, match="one guest at a time"):
        guest("hang").start(DEADLINE)


def test_machine_is_switched_on_twice(guest: Guest) -> None:
    m = guest("good")
    first, second = m.run(DEADLINE), m.run(DEADLINE)
    assert first.log != second.log
    assert first.log.exists() and second.log.exists()


def test_serial_console_both_ways(guest: Guest) -> None:
    m = guest("echo")
    m.start(DEADLINE)
    m.wait_serial("guest: say something")
    m.send("forty-two\n")
    assert m.wait_serial(r"guest: heard (\S+)\s")[1] == "forty-two"
    m.wait_poweroff()


def test_keyboard_and_screen(guest: Guest) -> None:
    m = guest("echo", consoles=("ttyS0", "tty0"))  # the last one is the guest's own console
    m.start(DEADLINE)
    m.wait_serial("Run /init as init process")
    empty = m.screen().read_bytes()
    m.silence = None  # its words go to the screen now
    m.type("Hello: World_1\n")
    m.wait_poweroff()
    assert empty.startswith(b"\x89PNG")


@pytest.mark.whole
def test_plug_and_unplug_are_seen(guest: Guest) -> None:
    m = guest("ports")
    stick = Stick(files={"assay/note.txt": "kept"})
    m.start(DEADLINE)
    m.wait_serial("guest: 0 ports occupied")
    m.plug(stick)
    m.wait_serial("guest: 1 ports occupied")
    m.unplug(stick)
    m.wait_serial("guest: 0 ports occupied")
    m.wait_poweroff()
    assert stick.tree() == {"assay/note.txt": b"kept"}


def test_stick_is_plugged_again(guest: Guest) -> None:
    stick = Stick()
    m = guest("ports", stick=stick)
    m.start(DEADLINE)
    m.wait_serial("guest: 1 ports occupied")
    m.unplug(stick)
    m.wait_serial("guest: 0 ports occupied")
    m.plug(stick)
    m.wait_serial("guest: 1 ports occupied")
    m.wait_poweroff()


def test_shell(guest: Guest) -> None:
    m = guest("shell")
    m.start(DEADLINE)
    shell = Shell(m).ready()
    assert shell.run("echo one; echo two >&2; exit 3") == (3, "one\ntwo\n")
    assert shell.run("printf 'no newline'") == (0, "no newline")
    assert shell.run("echo 'a\nb'") == (0, "a\nb\n")
    assert shell.run("echo 'unbalanced")[0] != 0
    assert shell.run("printf %s '" + "it is long; " * 300 + "'") == (0, "it is long; " * 300)
    assert shell.run("read line; echo \"[$line]\"") == (0, "[]\n")
    noise = 'i=0; while [ $i -lt 30 ]; do echo "<4>noise $i" >/dev/kmsg; printf x; i=$((i+1)); done'
    assert shell.run(noise) == (0, "x" * 30)
    assert "noise 29" in m.text
    shell.poweroff()
    m.wait_poweroff()


def test_closed_machine_leaves_no_process(guest: Guest) -> None:
    m = guest("hang")
    m.start(DEADLINE)
    pid = m.pid
    m.close()
    assert not Path(f"/proc/{pid}").exists()


def test_guest_dies_with_the_test_run(initrd: Path, tmp_path: Path) -> None:
    program = f"""
import os, sys
sys.path.insert(0, {str(HERE)!r})
from pathlib import Path
from harness import Machine
m = Machine(folder=Path({str(tmp_path)!r}), initrd=Path({str(initrd)!r}), cmdline="mode=hang")
m.start({DEADLINE})
print(m.pid, flush=True)
os.kill(os.getpid(), 9)
"""
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True,
                          timeout=host.seconds(DEADLINE), check=False)
    assert done.returncode == -signal.SIGKILL
    assert ended(int(done.stdout)), "QEMU outlived the process that started it"


def ended(pid: int) -> bool:
    """Wait for the end of a process that is not a child of this one."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    with open(handle, "rb"):
        return bool(select.select([handle], [], [], host.seconds(SHORT))[0])
