# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing is written to a disk that the plan did not name and consent to."""

import pytest
from harness import Disk, Stick
from harness.prepare import Recipe
from harness.shell import Shell
from plans import tiny


def test_the_other_disk_is_untouched_and_read_only(machine) -> None:
    m = machine(disks=[Disk(serial="A"), Disk(serial="B", pattern=7)],
                stick=Stick(plan=tiny("serial:A")))
    before = m.disks[1].sha256()
    out = m.run()
    assert out.result["verdict"] == "passed"
    assert m.disks[1].sha256() == before
    other = next(d for d in out.result["devices"] if d["serial"] == "B")
    assert other["readonly"] is True


def test_other_disks_cannot_be_written_meanwhile(machine) -> None:
    """A person tries it from the second console; one disk was pulled and comes back."""
    photos = Stick(folder=False, label="PHOTOS", serial="PHOTOS", size="34M")
    m = machine(disks=[Disk(serial="A"), Disk(serial="B", size="96M", pattern=7)],
                stick=Stick(plan=tiny("serial:A", plan="blocks = 5", tests="time = 4s")),
                sticks=[photos])
    before = m.disks[1].sha256(), photos.sha256()
    m.start()
    m.wait_serial("block 2/5", 300)
    m.unplug(photos)
    m.wait_serial("block 3/5", 120)
    m.plug(photos)
    m.wait_serial(r"\[sd[a-z]\] Attached SCSI removable disk", 60)
    m.wait_serial("block 4/5", 120)
    sizes = "|".join(str(mb << 11) for mb in (96, 34))  # of the two disks, in sectors
    m.type_in_shell(f"for d in /sys/block/sd*;do case $(cat $d/size) in {sizes})"
                    "dd if=/dev/zero of=/dev/${d##*/} count=1||echo refused;;esac;done"
                    ">/dev/ttyS0;echo tried>/dev/ttyS0")
    tried = m.wait_serial(r"refused\s+refused\s+tried", 60)
    out = m.wait_poweroff(300)
    assert tried and out.result["verdict"] == "passed", out.report
    assert (m.disks[1].sha256(), photos.sha256()) == before
    readonly = {d["serial"]: d["readonly"] for d in out.result["devices"]}
    assert readonly["B"] is True and readonly["PHOTOS"] is True, readonly


@pytest.mark.parametrize(("plan", "reason"), [
    (tiny("serial:A", erase=""), "consent"),
    (tiny("serial:A", erase="B"), "must name the same disk"),
    (tiny("serial:C"), "no disk"),
], ids=["no consent", "consent for another disk", "no such disk"])
def test_refused_with_the_reason(machine, plan: str, reason: str) -> None:
    m = machine(disks=[Disk(serial="A", pattern=1), Disk(serial="B", pattern=2)],
                stick=Stick(plan=plan.replace("[plan]", "[plan]\nwait = 2s")))
    before = [disk.sha256() for disk in m.disks]
    out = m.run()
    assert out.result["verdict"] == "aborted"
    assert reason in out.result["why"].lower(), out.result["why"]
    assert [disk.sha256() for disk in m.disks] == before


@pytest.mark.whole
def test_two_disks_of_the_same_serial(machine) -> None:
    m = machine(disks=[Disk(serial="SAME", pattern=1, bus="scsi"),
                       Disk(serial="SAME", pattern=2, bus="scsi")],
                stick=Stick(plan=tiny("serial:SAME")))
    before = [disk.sha256() for disk in m.disks]
    out = m.run()
    assert out.result["verdict"] == "aborted"
    assert "2 disks" in out.result["why"] or "two disks" in out.result["why"]
    assert [disk.sha256() for disk in m.disks] == before


@pytest.mark.whole
def test_a_read_only_disk_is_refused(machine) -> None:
    m = machine(disks=[Disk(serial="A", bus="scsi", readonly=True, pattern=1)],
                stick=Stick(plan=tiny("serial:A")))
    out = m.run()
    assert out.result["verdict"] == "aborted"
    assert "read-only" in out.result["why"]


@pytest.mark.whole
def test_same_serial_after_the_order_of_disks_changed(machine) -> None:
    """The disk is found by its serial wherever it is plugged."""
    m = machine(disks=[Disk(serial="A", pattern=1), Disk(serial="B", pattern=2)],
                stick=Stick(plan=tiny("serial:B", plan="again = start")))
    a = m.disks[0].sha256()
    assert m.run().result["verdict"] == "passed"
    m.disks = [m.disks[1], m.disks[0]]
    assert m.run().result["verdict"] == "passed"
    assert m.disks[1].sha256() == a


BUSY = {
    "mounted": "mkfs.ext4 -q $D && mkdir -p /mnt && mount -t ext4 -o ro,noload $D /mnt",
    "swap": "mkswap $D && swapon $D",
    "held by dm": "modprobe dm_mod && echo 0 2048 linear $D 0 | dmsetup create held",
    "held by md": "modprobe raid1 && mdadm --create /dev/md7 --run --force --level=1 "
                  "--raid-devices=1 --metadata=1.2 $D </dev/null",
    "mounted through luks and lvm":
        "modprobe dm_crypt && printf x >/tmp/k && cryptsetup luksFormat -q --type luks1 "
        "--pbkdf-force-iterations 1000 $D /tmp/k && cryptsetup open --key-file /tmp/k $D c && "
        "lvm vgcreate -qq v /dev/mapper/c && lvm lvcreate -qq -an -Zn -l 100%FREE -n l v && "
        "lvm vgchange -qq -ay v && mkfs.ext4 -q /dev/v/l && mkdir -p /mnt && "
        "mount -t ext4 /dev/v/l /mnt",
}


@pytest.mark.whole
@pytest.mark.parametrize("how", list(BUSY))
def test_a_disk_in_use_is_refused(machine, how: str) -> None:
    """The shell puts the disk to use; then the sequence is started by hand."""
    m = machine(disks=[Disk(serial="A", bus="virtio")], memory="512M",
                stick=Stick(plan=tiny("serial:A")), cmdline="assay.then=shell")
    m.start(600)
    shell = Shell(m).ready()
    shell.check("until [ -e /dev/vda ]; do sleep 1; done")
    shell.check("D=/dev/vda; " + BUSY[how], timeout=120)
    shell.check("sync")
    before = m.disks[0].sha256()
    status, said = shell.run("assay run", timeout=180)
    assert status == 0, said
    if how in ("mounted", "swap", "held by dm"):  # the others write by themselves
        assert m.disks[0].sha256() == before
    shell.poweroff()
    out = m.wait_poweroff()
    assert out.result["verdict"] == "aborted"
    assert "vda" in out.result["why"]
    assert not any(record["kind"] == "stack" for record in out.records)


FOREIGN = Recipe(
    name="foreign",
    disks=("256M",),
    script=(
        "modprobe raid1; modprobe dm_mod; modprobe dm_crypt; printf x >/tmp/k",
        # The same offsets as a plan's first partition: everything a disk may have been.
        "printf 'label: gpt\\nstart=2048\\n' | sfdisk -q $DISK0",
        "mdadm --create /dev/md9 --run --force --level=1 --raid-devices=1 --metadata=1.2 "
        "${DISK0}1 </dev/null",
        "cryptsetup luksFormat -q --type luks2 --pbkdf pbkdf2 --pbkdf-force-iterations 1000 "
        "/dev/md9 /tmp/k",
        "cryptsetup open --key-file /tmp/k /dev/md9 old",
        "lvm vgcreate -qq oldvg /dev/mapper/old",
        "lvm lvcreate -qq -an -Zn -l 10 -n oldlv oldvg",
        "cryptsetup close old; mdadm --stop /dev/md9",
    ))


@pytest.mark.whole
def test_what_a_disk_was_before_is_not_assembled(machine, prepared) -> None:
    m = machine(disks=[Disk(serial="A", image=prepared(FOREIGN)[0])],
                stick=Stick(plan=tiny("serial:A", stack="disk/gpt/luks2/lvm/ext4",
                                      plan="again = start")))
    out = m.run()
    assert out.result["verdict"] == "passed", out.report
    assert "md9" not in out.serial and "oldvg" not in out.serial
    other = machine(disks=[Disk(serial="A", image=m.disks[0].file())],
                    stick=Stick(plan=tiny("serial:A", stack="disk/mbr/lvm/luks1/ext4")))
    out = other.run()
    assert out.result["verdict"] == "passed", out.report


@pytest.mark.whole
def test_an_inventory_assembles_nothing(machine, prepared) -> None:
    disk = Disk(serial="A", image=prepared(FOREIGN)[0])
    m = machine(disks=[disk], stick=Stick(plan=tiny("serial:A", erase="")))
    before = m.disks[0].sha256()
    out = m.run()
    assert out.result["verdict"] == "aborted"
    assert m.disks[0].sha256() == before
    assert [d["name"] for d in out.result["devices"] if d["kind"] in ("dm", "md")] == []
