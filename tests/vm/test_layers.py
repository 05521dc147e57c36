# SPDX-License-Identifier: GPL-3.0-or-later
"""Every kind of layer: built, written to, torn down, opened, read back, with nothing left."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from harness import Disk, Stick
from harness.matrix import matrix
from harness.shell import Shell

DISKS = 4
TRY_TIME = 300.0  # seconds, for one stack
# A command by hand locks the disks that it does not name, as a run does.
SET_WRITABLE = "for d in /dev/vd? /dev/sd? /dev/nvme?n1; do [ ! -b $d ] || blockdev --setrw $d; done"


@dataclass(frozen=True)
class Row:
    """One stack of the matrix. `sample`: it is tried by default, on the first bus."""

    stack: str
    disks: int = 1
    sample: bool = False


ROWS = (
    Row("disk/gpt,a=10M,b=rest,c=10M/ext4"),
    Row("disk/mbr/ext2"),
    Row("disk/gpt/xfs"),
    Row("disk/mbr/vfat"),
    Row("disk/ext3"),
    Row("disk/gpt/swap"),
    Row("disk/dmcrypt,cipher=aes-cbc-essiv:sha256,key-size=256/ext3"),
    Row("disk/gpt/luks1,cipher=aes,key-size=256,hash=sha256/ext4"),
    Row("disk/luks2,sector-size=4096/ext4"),
    Row("disk/lvm,x=20M,y=rest/ext4"),
    Row("disk/gpt/raid0,chunk=64K/lvm/ext4", 2),
    Row("disk/raid1,metadata=1.0,assume-clean=no/ext4", 2, sample=True),
    Row("disk/raid1,metadata=0.90/ext4", 3),
    Row("disk/raid10,layout=n2/ext4", 4),
    Row("disk/raid10,layout=o2,chunk=128K,metadata=1.1/ext4", 3),
    Row("disk/raid10,layout=f2,chunk=256K/luks1,cipher=aes,key-size=256,hash=sha256/lvm/xfs", 4),
    Row("disk/luks1/raid10,layout=f2,chunk=256K/lvm/xfs", 4, sample=True),
    Row("disk/gpt/ext4,encrypt/fscrypt", sample=True),
    Row("disk/gpt/ext4/ecryptfs", sample=True),
    Row("disk/gpt/vfat/ecryptfs,ecryptfs_key_bytes=32,filenames"),
    Row("disk/gpt/btrfs", sample=True),
    Row("disk/gpt/f2fs", sample=True),
    Row("disk/gpt/exfat"),
    Row("disk/gpt/tcrypt,hash=ripemd160/ext4", sample=True),
    Row("disk/tcrypt,hash=sha512,cipher=serpent/ext4"),
    Row("disk/gpt/loopaes/ext4", sample=True),
    Row("disk/gpt,big=440M,small=rest/integrity/ext4", sample=True),
    Row("disk/gpt,big=440M,small=rest/luks2,integrity=hmac-sha256/ext4"),
    Row("disk/gpt,big=440M,small=rest/luks2,cipher=aes-gcm-random,key-size=256,integrity=aead/ext4"),
    Row("disk/gpt/linear,offset=16M/ext4"),
    Row("disk/gpt/delay,read-ms=2,write-ms=3/ext4"),
    Row("disk/zero,size=100M/dmcrypt"),
    Row("disk/null_blk,size=100M,memory/ext4"),
    Row("disk/brd,size=64M/luks2/ext2", sample=True),
    # the volumes of the articles: crypt on LVM, LVM on crypt, and plain partitions alike
    Row("disk/gpt/lvm,root=40M,boot=20M,usr=40M,var=40M,tmp=20M,swap=20M,home=rest/luks1/ext3"),
    Row("disk/gpt/luks1/lvm,root=40M,boot=20M,usr=40M,var=40M,tmp=20M,swap=20M,home=rest/ext3"),
    Row("disk/gpt,root=40M,boot=20M,usr=40M,var=40M,tmp=20M,swap=20M,home=rest/ext3"),
)

FORGET = ("disk/zero", "disk/null_blk", "disk/brd")  # nothing is on the disk

# The buses, and what their disks are beside that.
BUSES = {
    "virtio": {}, "ide": {}, "ahci": {}, "nvme": {},
    "512e": {"bus": "scsi", "physical": 4096}, "4Kn": {"bus": "scsi", "sector": 4096},
}


def disks_of(bus: str) -> list[Disk]:
    parts = {"bus": bus, **BUSES[bus]}
    return [Disk(serial=f"D{n}", size="512M", **parts) for n in range(DISKS)]


@pytest.fixture
def shell_on(machine) -> Iterator:
    """`shell_on(disks)`: the appliance's own shell on a machine with these disks."""
    def start(disks: list[Disk]) -> Shell:
        m = machine(disks=disks, memory="512M", cmdline="assay.then=shell")
        m.start(6 * 3600)
        shell = Shell(m).ready()
        shell.check("assay devices >/dev/null; n=0; "
                    f"until [ $(ls /sys/block | grep -c -E '^(sd|vd|nvme)') -ge {len(disks)} ] "
                    "|| [ $n -ge 300 ]; do n=$((n+1)); usleep 100000; done")
        return shell
    return start


def words(row: Row) -> str:
    serials = [f"D{n}" for n in range(row.disks)]
    return f"{','.join('serial:' + s for s in serials)} {','.join(serials)}"


def tried(shell: Shell, row: Row) -> str:
    """What is wrong with that stack here; nothing when it keeps its data."""
    shell.check(SET_WRITABLE)
    status, said = shell.run(f"assay stack try {words(row)} {row.stack}", TRY_TIME)
    left = shell.check(f"assay stack show {words(row)}; grep ^md /proc/mdstat || :")
    if shell.run("dmesg | grep 'Trying to write to read-only'")[0] == 0:
        return "opening wrote to the disk"
    if "nothing sits on this disk" not in left or "md_" in left:
        return f"left: {left}"
    last = said.strip().splitlines()[-1:]
    forgets = row.stack.startswith(FORGET) or row.stack.endswith("swap")
    expected = "not compared" if forgets else "kept"
    return "" if status == 0 and last and last[0].startswith(expected) else said


@matrix("bus", list(BUSES))
def test_layers_keep_data(shell_on, request, bus: str) -> None:
    whole = request.config.getoption("--whole")
    shell = shell_on(disks_of(bus))
    wrong = {row.stack: said for row in ROWS if (whole or row.sample)
             and (said := tried(shell, row))}
    assert wrong == {}


@pytest.mark.whole
def test_an_array_with_a_bitmap_is_not_opened_by_stealth(shell_on) -> None:
    """The kernel would write to its disks."""
    row = Row("disk/raid1,bitmap=internal/ext4", 2)
    said = tried(shell_on(disks_of("virtio")), row)
    assert "has a bitmap, and the kernel cannot start it without writing" in said


@matrix("row", ROWS, sample=0)
def test_whatever_step_fails_nothing_is_left(shell_on, row: Row) -> None:
    """For every step of building and opening: the error names layer and device."""
    shell = shell_on(disks_of("virtio"))
    loop = (f"n=1; while ! assay stack try {words(row)} {row.stack} --fail=$n >/tmp/o 2>&1; do "
            "grep -q \"layer [a-z0-9_]* on /dev/[^:]*: step [0-9]*, \" /tmp/o && "
            f"assay stack show {words(row)} | grep -q 'nothing sits' && "
            "! grep -q ^md /proc/mdstat || { echo \"step $n\"; cat /tmp/o /proc/mdstat; "
            f"assay stack show {words(row)}; exit 1; }}; n=$((n+1)); done; "
            "echo $n steps; cat /tmp/o")
    shell.check("modprobe md_mod")
    said = shell.check(loop, 3600)
    steps = int(said.split()[0])
    assert f"steps {steps - 1}\n" in said and steps > 3


CANNOT = {
    "disk/luks2,cipher=foo-xts-plain64/ext4": "this kernel has no cipher xts(foo)",
    "disk/dmcrypt,cipher=foo-cbc-plain64,key-size=192/ext4": "this kernel has no cipher cbc(foo)",
    "disk/luks2,key-size=128/ext4": "512 bits (XTS counts both halves), not 128",
    "disk/luks2,pbkdf=argon2id,pbkdf-memory=2G/ext4": "of memory for Argon2",
    "disk/gpt/ext4,block-size=1024": "cannot be on this disk, whose sectors have 4096 bytes",
    "disk/raid10,layout=f2,chunk=3K/xfs": "chunk = 3K must be at least 4096",
    "disk/raid10,layout=f2,chunk=96K/xfs": "joins at least 2 devices, and there is 1",
    "disk/tcrypt,veracrypt/ext4": "can be opened, not made",
    "disk/ext4/fscrypt": "wants ext4 with the feature encrypt",
}


def test_what_cannot_be_done_is_told_before_anything_is_written(machine) -> None:
    """Everything at once, and the disk as it was."""
    arms = "".join(f"[arm a{n}]\nstack = {stack}\n" for n, stack in enumerate(CANNOT))
    plan = f"[plan]\nname = cannot\n[target]\ndisk = serial:A\nerase = A\n{arms}[test null]\n"
    m = machine(disks=[Disk(serial="A", bus="scsi", sector=4096, pattern=4)],
                stick=Stick(plan=plan))
    before = m.disks[0].sha256()
    out = m.run()
    assert out.result["verdict"] == "aborted"
    assert m.disks[0].sha256() == before
    report = " ".join(out.report.split())  # its lines are folded
    missing = [why for why in CANNOT.values() if why not in report]
    assert missing == []


RVDM = """
[plan]
name = rvdm
[target]
disk  = serial:D0, serial:D1, serial:D2, serial:D3
erase = D0, D1, D2, D3
[arm above]
stack = disk/raid10,layout=f2,chunk=256K/luks1,cipher=aes,key-size=256,hash=sha256/lvm/xfs
[arm single]
stack = disk,use=1/ext4
[test null]
[test read]
engine  = fio
rw      = read
bs      = 64k
size    = 4M
runtime = 2s
"""


def test_four_disks_one_array(machine) -> None:
    """Rvdm's case as a campaign: every disk recorded, the array at rest before each test."""
    m = machine(disks=[Disk(serial=f"D{n}", size="256M", bus="virtio") for n in range(DISKS)]
                + [Disk(serial="OTHER", pattern=5)], stick=Stick(plan=RVDM))
    other = m.disks[4].sha256()
    out = m.run(timeout=900)
    assert out.result["verdict"] == "passed", out.report
    assert m.disks[4].sha256() == other
    built = next(s for s in out.result["stacks"] if (s["arm"], s["phase"]) == ("above", "build"))
    kinds = [layer["kind"] for layer in built["layers"]]
    assert kinds == ["disk"] * 4 + ["raid10", "luks1", "lvm", "xfs"]
    raid, luks = built["layers"][4:6]
    assert (raid["layout"], raid["chunk"], raid["sync_action"]) == ("f2", 256 << 10, "idle")
    assert luks["cipher"] == "aes-cbc-plain" and luks["key_bits"] == 256
    for run in out.result["runs"]:
        if run["arm"] == "above":
            (state,) = run["detail"]["state"].values()
            assert (state["kind"], state["sync_action"], state["degraded"]) == ("raid10", "idle", 0)
    for disk in m.disks[:4]:  # torn down: no superblock that another system would assemble
        assert disk.read(4096, 4) != b"\xfc\x4e\x2b\xa9"


def test_one_disk_without_consent_spares_all(machine) -> None:
    plan = RVDM.replace("D0, D1, D2, D3", "D0, D1, D2, D2")
    m = machine(disks=[Disk(serial=f"D{n}", bus="virtio", pattern=n) for n in range(DISKS)],
                stick=Stick(plan=plan))
    before = [disk.sha256() for disk in m.disks]
    out = m.run()
    assert out.result["verdict"] == "aborted" and "D3" in out.result["why"], out.result["why"]
    assert [disk.sha256() for disk in m.disks] == before
