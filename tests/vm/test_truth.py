# SPDX-License-Identifier: GPL-3.0-or-later
"""Speeds that are known beforehand are measured; what a run costs the machine is found, and so is
what disturbed it or cannot be true.

How exact a throttled disk is: QEMU's throttle is a leaky bucket that lets 100 ms of the rate pass
at once before it holds anything back, and after that it is exact over any longer time. A transfer
of T seconds so takes at least T - 0.1 s - the time of one request: that is the error of the truth
itself, BUCKET below. To it comes the 1 % that Assay may be wrong. (A job that ends by its time, not
by its size, may be wrong by all requests that are under way at its end.)"""

import json
from pathlib import Path
from typing import Any

import pytest
from harness import Disk, Stick, host
from harness.initramfs import archive
from harness.shell import Shell

MIB = 1 << 20
BUCKET = 0.1  # seconds
OWN_ERROR = 0.01


def run_of(out: Any, arm: str, test: str, block: int = 1) -> dict[str, Any]:
    """The one run of that arm and test in that block."""
    return next(r for r in out.result["runs"]
                if (r["arm"], r["test"], r["block"]) == (arm, test, block))


def value(run: dict[str, Any], name: str) -> float:
    """A metric of a run."""
    return next(float(m["value"]) for m in run["metrics"] if m["name"] == name)


def remarks(run: dict[str, Any], what: str = "gates") -> dict[str, str]:
    """The gates or flags of a run, name to words."""
    return {g["name"]: g["words"] for g in run.get(what, [])}


def assert_true(measured: float, truth: float, seconds: float, request: float) -> None:
    """`seconds` is how long the transfer takes at the true rate, `request` one of its requests."""
    bound = (BUCKET + request) / seconds
    assert truth * (1 - OWN_ERROR) <= measured <= truth * (1 + bound + OWN_ERROR), (
        measured / truth, bound)


def with_files(tmp_path: Path, files: dict[str, bytes]) -> Path:
    """The appliance's initramfs with other files laid over it."""
    image = tmp_path / "initrd.img"
    data = host.image_file("initrd.img", "amd64").read_bytes()
    image.write_bytes(data + bytes(-len(data) % 4) + archive(files))
    return image


# What encryption costs, and numbers that cannot be

COSTS = """
[plan]
name = costs
[target]
disk  = serial:A
erase = A
[arm plain]
stack = disk
[arm encrypted]
stack = disk/dmcrypt
[test read]
engine = fio
rw = read
bs = 1M
size = 48M
[test cached]
engine = fio
rw = read
bs = 1M
size = 16M
io_size = 96M
direct = 0
invalidate = 0
"""


@pytest.mark.whole
def test_encryption_is_found_in_kcryptd_and_caches_are_not_believed(machine) -> None:
    """The tool's own CPU figure would not show encryption. This CPU has AES instructions, but the
    driver for them is forbidden. The disk is on an IDE cable that QEMU does not slow down, and the
    guest cannot know that it is one."""
    m = machine(disks=[Disk(serial="A", size="64M")], stick=Stick(plan=COSTS),
                cpu="max,-hypervisor", cmdline="module_blacklist=aesni_intel")
    out = m.run(timeout=900)
    assert out.result["verdict"] == "passed", out.report
    plain, crypt = run_of(out, "plain", "read"), run_of(out, "encrypted", "read")

    assert value(crypt, "cpu_per_gib") > 2 * value(plain, "cpu_per_gib")
    threads = crypt["detail"]["cpu"]["threads"]
    storage = {name: s for name, s in threads.items() if not name.startswith("rcu")}
    assert max(storage, key=lambda name: storage[name]) == "kcryptd", threads
    assert crypt["detail"]["devices"]["sda"]["read_bytes"] >= 48 * MIB
    assert crypt["detail"]["crypto"][0]["driver"] == "xts(ecb(aes-generic))"

    assert set(remarks(plain)) == {"link"} and "more than ATA" in remarks(plain)["link"]
    assert "xts(ecb(aes-generic))" in remarks(crypt)["generic-cipher"]
    cached = remarks(run_of(out, "plain", "cached"))
    assert set(cached) == {"link", "cache"}, cached
    assert "only 16.8 MB came to the device" in cached["cache"], cached
    assert "Runs whose numbers must not be compared" in out.report
    assert "kcryptd" in out.report

    before = out.result["environment"]["before"]
    assert all(rule["done"] for rule in before["quiet"]), before["quiet"]
    assert before["baseline"]["measured_s"] >= 2
    assert list(plain["detail"]["smart"]["after"]) == ["sda"]
    kernel = out.result["machine"]["kernel"]
    assert kernel["config"]["HZ"] == "250" and len(kernel["build_id"]) == 40
    assert len(out.result["machine"]["tools"]["fio"]) == 64
    assert len({r["comparability"] for r in out.result["runs"]}) == 4


# Known truth, with a CPU hog in the second block

# So slow, and so many requests at once, that a guest which is held up for two seconds by a busy
# host loses nothing.
RATE = 2 * MIB
THROTTLED = """
[plan]
name = truth
blocks = 2
[target]
disk  = serial:A
erase = A
[arm plain]
stack = disk
[test read]
engine = fio
rw = read
bs = 256k
size = 40M
ioengine = libaio
iodepth = 16
"""

# In front of the real fio: in its second run another program works beside it, outside of its
# cgroup, and ends with it.
FIO_WITH_HOG = b"""#!/bin/sh
n=$(cat /run/fio-runs 2>/dev/null || echo 0)
echo $((n + 1)) >/run/fio-runs
if [ "$n" = 1 ]; then
    /usr/bin/hog &
    hog=$!
fi
/usr/bin/fio "$@"
status=$?
[ -z "$hog" ] || kill $hog
exit $status
"""
HOG = b"""#!/bin/sh
echo 0 >/sys/fs/cgroup/cgroup.procs
while :; do :; done
"""


@pytest.mark.whole
def test_a_throttled_disk_is_as_fast_as_it_is_and_a_hog_is_named(machine, tmp_path: Path) -> None:
    m = machine(disks=[Disk(serial="A", size="128M", bus="virtio", bps=RATE)],
                stick=Stick(plan=THROTTLED),
                initrd=with_files(tmp_path, {"usr/sbin/fio": FIO_WITH_HOG, "usr/bin/hog": HOG}))
    out = m.run(timeout=900)
    assert out.result["verdict"] == "passed", out.report
    clean, hogged = (run_of(out, "plain", "read", block) for block in (1, 2))
    assert_true(value(clean, "read"), RATE, 40 * MIB / RATE, 256 * 1024 / RATE)
    assert remarks(clean) == {}
    assert set(remarks(hogged)) == {"cpu-hog"}
    assert "the program hog used" in remarks(hogged)["cpu-hog"]
    assert list(hogged["detail"]["cpu"]["programs"])[0] == "hog"


IOPS = 50
OPERATIONS = """
[plan]
name = truth
[target]
disk  = serial:A
erase = A
[arm plain]
stack = disk
[test random]
engine = fio
rw = randread
bs = 4k
ioengine = libaio
iodepth = 64
runtime = 40
time_based = 1
"""


@pytest.mark.whole
def test_operations_of_a_throttled_disk(machine) -> None:
    m = machine(disks=[Disk(serial="A", size="64M", bus="virtio", iops=IOPS)],
                stick=Stick(plan=OPERATIONS))
    out = m.run(timeout=900)
    assert out.result["verdict"] == "passed", out.report
    assert_true(value(run_of(out, "plain", "random"), "read_iops"), IOPS, 40, 64 / IOPS)


TOOLS = """
[plan]
name = truth
[target]
disk  = serial:A
erase = A
[arm plain]
stack = disk/gpt/ext2
[test hdparm]
direct = yes
[test bonnie]
size = 160M
ram = 16M
cap = 48M
files = 0
fast = yes
"""


@pytest.mark.whole
def test_hdparm_and_bonnie_on_a_throttled_disk(machine) -> None:
    """hdparm reads for 3 s only, in requests of 2 MiB. bonnie++ reads back through the page
    cache, of which its cap leaves 48 MiB; what it writes includes the filesystem's own blocks,
    less than 1 % of ext2."""
    m = machine(disks=[Disk(serial="A", size="256M", bus="virtio", bps=RATE)],
                stick=Stick(plan=TOOLS))
    out = m.run(timeout=1800)
    assert out.result["verdict"] == "passed", out.report
    hdparm, bonnie = run_of(out, "plain", "hdparm"), run_of(out, "plain", "bonnie")
    assert_true(value(hdparm, "disk_buffered"), RATE, 3, 2 * MIB / RATE)
    assert_true(value(bonnie, "get_block"), RATE, 20, MIB / RATE)
    wrote = value(bonnie, "put_block")
    assert RATE * (1 - 2 * OWN_ERROR) <= wrote <= RATE * (1 + BUCKET / 20 + OWN_ERROR), wrote
    assert remarks(bonnie) == {} and remarks(hdparm) == {}


# Latency that is known: dm-delay, in the shell, with the appliance's own engine's job

DELAY = 1.0  # seconds; dm-delay counts in ticks of 4 ms, and may be one late


@pytest.mark.whole
def test_latency_of_dm_delay(machine) -> None:
    m = machine(disks=[Disk(serial="A", size="64M", bus="virtio")],
                cmdline="assay.then=shell")
    with m:
        shell = Shell(m).ready()
        shell.check("modprobe dm-delay")
        shell.check(f"echo 0 100000 delay /dev/vda 0 {int(DELAY * 1000)} | dmsetup create slow")
        text = shell.check("fio --name=d --filename=/dev/mapper/slow --rw=randread --bs=4k "
                           "--direct=1 --readonly --ioengine=libaio --iodepth=8 --runtime=10 "
                           "--time_based --output-format=json --eta=never")
        job = json.loads(text[text.index("{"):])["jobs"][0]["read"]
        assert DELAY <= job["clat_ns"]["mean"] / 1e9 <= DELAY * (1 + OWN_ERROR) + 2 * 0.004
        shell.check("dmsetup remove slow")
        shell.poweroff()
        m.wait_poweroff()


# What Assay itself costs: the same job by its hand and by ours, on a disk that takes no time

NULL_DISK = json.dumps({"driver": "null-co", "node-name": "null", "size": 256 * MIB,
                        "read-zeroes": True})
OVERHEAD = """
[plan]
name = overhead
blocks = 3
then = shell
[target]
disk  = serial:NULL
erase = NULL
[arm plain]
stack = disk
[test job]
engine = fio
rw = randread
bs = 4k
size = 64M
"""


@pytest.mark.whole
def test_what_assay_itself_costs(machine) -> None:
    """Under -icount a guest's clock counts its instructions: throughput is then decided by how
    many each operation takes, whatever this host does meanwhile. The job by hand is the very
    command line that the record holds."""
    m = machine(stick=Stick(plan=OVERHEAD), cpus=1,
                extra=["-icount", "shift=1,sleep=off", "-blockdev", NULL_DISK,
                       "-device", "virtio-blk-pci,drive=null,serial=NULL"])
    m.start(3600)
    shell = Shell(m).ready(3000)
    by_hand = []
    command = "fio --name=assay --filename=/dev/vda --readonly --rw=randread --bs=4k " \
              "--size=67108864 --direct=1 --ioengine=psync --refill_buffers=1 " \
              "--group_reporting --randseed=1 --output-format=json --eta=never"
    for _ in range(3):
        shell.check("sync; echo 3 >/proc/sys/vm/drop_caches")
        text = shell.check(command, 1200)
        by_hand.append(json.loads(text[text.index("{"):])["jobs"][0]["read"]["bw_bytes"])
    shell.poweroff()
    out = m.wait_poweroff()
    ours = sorted(value(run_of(out, "plain", "job", block), "read") for block in (1, 2, 3))
    ratio = ours[1] / sorted(by_hand)[1]
    print(f"under assay / by hand: {ratio:.4f}; {ours} {by_hand}")
    assert abs(ratio - 1) < OWN_ERROR
