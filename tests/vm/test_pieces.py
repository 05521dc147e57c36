# SPDX-License-Identifier: GPL-3.0-or-later
"""The harness's pieces, without a guest: seconds."""

import hashlib
import json
from pathlib import Path

import pytest

from harness import Disk, Stick, blockdev, results
from harness.devices import Net, Wiring
from harness.errors import NoResult
from harness.kernel import messages, trouble, without_messages
from harness.keyboard import keys_for

MIB = 1 << 20


@pytest.mark.parametrize("message", [
    "WARNING: CPU: 1 PID: 2 at fs/inode.c:42 drop+0x1", "BUG: kernel NULL pointer dereference",
    "watchdog: BUG: soft lockup - CPU#0 stuck for 23s!", "Oops: 0002 [#1] PREEMPT SMP",
    "general protection fault, probably for non-canonical address", "kernel BUG at mm/slub.c:1!",
    "INFO: task bonnie:99 blocked for more than 120 seconds.", "Call Trace:",
    "Initramfs unpacking failed: junk within compressed archive", "invalid opcode: 0000 [#1]",
    "rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:", "UBSAN: shift-out-of-bounds in x.c",
    "assay[70]: segfault at 0 ip 0000 sp 0000 error 4", "Out of memory: Killed process 70 (fio)"])
def test_trouble_is_found(message: str) -> None:
    assert [t.headline for t in trouble(f"x\n[    1.234567] {message}\n")] == [message]


@pytest.mark.parametrize("line", [
    "WARNING: Failed to connect to lvmetad", "BUG: a report's own words", "  Call Trace:",
    "[    1.234567] assay: lvm said WARNING: duplicate PV", "[    1.234567] debug BUG=0",
    "[    1.234567] EXT4-fs (sda1): mounted filesystem with ordered data mode",
    "[    1.234567] smpboot: CPU0: no Oops here"])
def test_talk_is_no_trouble(line: str) -> None:
    assert trouble(line + "\n") == []


def test_trace_belongs_to_its_headline() -> None:
    log = ("[    1.000000] WARNING: CPU: 0 PID: 1 at a.c:1\n[    1.000001] Call Trace:\n"
           "[    1.000002]  <TASK>\n")
    (found,) = trouble(log)
    assert "Call Trace:" in found.lines
    assert trouble(log, allow=[r"at a\.c"]) == []


def test_message_in_the_middle_of_a_line() -> None:
    text = "par[    1.000000] usb 1-1: new device\nt of a line\n"
    assert without_messages(text) == "part of a line\n"
    assert messages(text) == ["usb 1-1: new device"]


@pytest.mark.parametrize("layout", ["superfloppy", "mbr", "gpt"])
@pytest.mark.parametrize("fs", ["vfat", "ext4"])
def test_stick_reads_back_what_was_put(tmp_path: Path, layout: str, fs: str) -> None:
    stick = Stick(plan="[plan]\n", layout=layout, fs=fs,
                  files={"assay/Host Name/a long name.json": b"\0" * 70000, "raw/x": "text"})
    stick.make(tmp_path, "stick")
    assert stick.tree() == {"assay.ini": b"[plan]\n", "raw/x": b"text",
                            "assay/Host Name/a long name.json": b"\0" * 70000}
    allocated = stick.file().stat().st_blocks * 512
    assert allocated < 16 * MIB, "the image is sparse"


def test_empty_stick(tmp_path: Path) -> None:
    stick = Stick(folder=False, label=None)
    stick.make(tmp_path, "stick")
    assert stick.tree() == {}


def test_hash_is_that_of_every_byte(tmp_path: Path) -> None:
    disk = Disk(size="20M", pattern=7, data={15 * MIB + 3: b"here"})
    disk.make(tmp_path, "disk")
    assert disk.sha256() == hashlib.sha256(disk.file().read_bytes()).hexdigest()
    assert disk.read(15 * MIB + 3, 4) == b"here"


def test_prepared_disk_is_a_copy(tmp_path: Path) -> None:
    source = tmp_path / "prepared"
    source.write_bytes(b"a" * MIB + bytes(MIB))
    disk = Disk(image=source)
    disk.make(tmp_path, "disk")
    assert disk.size == 2 * MIB
    assert disk.file().read_bytes() == source.read_bytes()


def run_tree(**changed: bytes) -> dict[str, bytes]:
    files = {"result.json": b'{"verdict": "passed"}', "records.jsonl": b'{"seq": 1}\n{"seq": 2}\n',
             "report.txt": b"all well\n", "raw/fio.json": b"{}"}
    files.update({name.replace("_", "."): data for name, data in changed.items()})
    return {f"assay/laptop/2026-01-02-abc/{name}": data for name, data in files.items()}


def test_run_is_found_and_read() -> None:
    (run,) = results.runs({"assay.ini": b"", "assay/notes": b"", **run_tree()})
    assert (run.machine, run.name) == ("laptop", "2026-01-02-abc")
    assert run.result["verdict"] == "passed"
    assert [record["seq"] for record in run.records] == [1, 2]
    assert run.report == "all well\n"
    with pytest.raises(NoResult, match=r"no report.html, only: raw/fio.json"):
        run.text("report.html")


def test_only_what_a_boot_wrote_counts() -> None:
    before = results.runs(run_tree())
    assert results.written(before, results.runs(run_tree())) == []
    assert len(results.written(before, results.runs(run_tree(report_txt=b"again\n")))) == 1


def test_differences_are_named() -> None:
    assert results.differences({"a": b"12", "b": b""}, {"a": b"13", "c": b""}) == [
        "a: differs from byte 1 (2 and 2 bytes long)", "b: only in the first",
        "c: only in the second"]


def test_throttled_disk_with_bad_sectors(tmp_path: Path) -> None:
    group, node = blockdev.calls("disk0", tmp_path, iops=100, bad_sectors=(5,))
    assert group[1]["limits"] == {"iops-total": 100}
    assert node[1]["driver"] == "throttle"
    assert node[1]["file"]["inject-error"][0]["sector"] == 5


@pytest.mark.parametrize("disk", [
    Disk(bus="floppy"), Disk(bus="ide", readonly=True), Disk(bus="virtio", model="X"),
    Disk(bus="nvme", wwn=1), Disk(bus="ahci", sector=4096), Disk(serial="x" * 21)])
def test_impossible_disk_is_refused(tmp_path: Path, disk: Disk) -> None:
    disk.make(tmp_path, "disk")
    with pytest.raises(ValueError, match="Disk"):
        Wiring("pc", "kernel").disks([disk])


def test_disks_find_their_buses(tmp_path: Path) -> None:
    disks = [Disk(bus=bus, serial=bus) for bus in ("ide", "ide", "ahci", "scsi", "scsi", "usb")]
    for number, disk in enumerate(disks):
        disk.make(tmp_path, f"disk{number}")
    wiring = Wiring("pc", "disk")
    wiring.disks(disks)
    wiring.net(Net(tftp=tmp_path, bootfile="boot.ipxe"))
    line = " ".join(wiring.words)
    assert "ide-hd,drive=disk0,id=disk0-device,bus=ide.0,unit=0,serial=ide,bootindex=0" in line
    assert "bus=ide.0,unit=1" in line and "scsi-id=1" in line and "bus=ahci.0" in line
    assert line.count("virtio-scsi-pci") == 1 and "bootfile=boot.ipxe" in line


def test_keys() -> None:
    assert [keys_for(c) for c in "aA_!\n"] == ["a", "shift-a", "shift-minus", "shift-1", "ret"]


def test_block_words_are_the_qmp_calls(tmp_path: Path) -> None:
    option, text = blockdev.words(blockdev.calls("stick0", tmp_path))
    assert option == "-blockdev"
    assert json.loads(text)["node-name"] == "stick0"
