# SPDX-License-Identifier: GPL-3.0-or-later
"""Arms that open what exists: unlocked by key file or by a person, never written."""

from harness import Disk, Stick
from harness.prepare import Recipe

PLAN = """
[plan]
name = open
[target]
disk = serial:A
[arm old]
stack = disk/gpt/luks2/ext4
open  = yes
{key}
[test read]
engine = hdparm
"""

LUKS = Recipe(name="luks-ext4", disks=("128M",), script=(
    "modprobe dm_crypt; printf sesame >/tmp/k",
    "printf 'label: gpt\\nstart=2048\\n' | sfdisk -q $DISK0",
    "cryptsetup luksFormat -q --type luks2 --pbkdf pbkdf2 --pbkdf-force-iterations 1000 "
    "${DISK0}1 /tmp/k",
    "cryptsetup open --key-file /tmp/k ${DISK0}1 c && mkfs.ext4 -q /dev/mapper/c",
    "cryptsetup close c"))


def test_by_key_file_from_the_stick(machine, prepared) -> None:
    m = machine(disks=[Disk(serial="A", image=prepared(LUKS)[0])],
                stick=Stick(plan=PLAN.format(key="key-file = keys/a.key"),
                            files={"keys/a.key": "sesame"}))
    before = m.disks[0].sha256()
    out = m.run()
    assert out.result["verdict"] == "passed", out.result["why"]
    assert m.disks[0].sha256() == before
    assert "sesame" not in out.serial


def test_by_passphrase_at_the_second_try(machine, prepared) -> None:
    m = machine(disks=[Disk(serial="A", image=prepared(LUKS)[0])],
                stick=Stick(plan=PLAN.format(key="")))
    before = m.disks[0].sha256()
    m.start()
    m.wait_serial("Passphrase for luks2", 240)
    m.send("open\n")
    m.wait_serial("Not the right one", 60)
    m.type("sesame\n")  # on the keyboard this time
    out = m.wait_poweroff(300)
    assert out.result["verdict"] == "passed", out.result["why"]
    assert m.disks[0].sha256() == before
    for text in (out.serial, out.report, out.run.text("records.jsonl"),
                 out.run.text("kernel.log")):
        assert "sesame" not in text


def test_the_wrong_key_is_told(machine, prepared) -> None:
    m = machine(disks=[Disk(serial="A", image=prepared(LUKS)[0])],
                stick=Stick(plan=PLAN.format(key="key-file = a.key"),
                            files={"a.key": "simsalabim"}))
    before = m.disks[0].sha256()
    out = m.run()
    assert out.result["verdict"] == "failed"
    assert m.disks[0].sha256() == before


def test_a_crash_leaves_nothing_open(machine, prepared) -> None:
    """There is no consent in such a plan, and none is needed to close what was opened."""
    plan = PLAN.format(key="key-file = a.key").replace("engine = hdparm",
                                                       "engine = null\ntime = 60s")
    m = machine(disks=[Disk(serial="A", image=prepared(LUKS)[0])],
                stick=Stick(plan=plan, files={"a.key": "sesame"}))
    before = m.disks[0].sha256()
    m.start()
    m.wait_serial("test read", 300)
    m.type_in_shell("killall -9 assay")
    out = m.wait_poweroff(300)
    assert out.result["verdict"] == "aborted" and "signal 9" in out.result["why"], out.report
    assert "left behind" not in out.report and "leftovers" not in out.report, out.report
    assert [d["name"] for d in out.result["devices"] if d["kind"] == "dm"] == []
    assert m.disks[0].sha256() == before
