# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults that others had: each test is named after the symptom."""

import json
import subprocess
from pathlib import Path

import pytest
from harness import Disk, Stick
from harness.matrix import matrix
from harness.prepare import Recipe
from harness.results import runs
from harness.shell import Shell
from plans import tiny
from test_power import started

VANISHED = ["device offline", "I/O error", "Buffer I/O"]

LAYERS = """
[plan]
name = layers
[target]
disk  = serial:A
erase = A
[arm ext2]
stack = disk/gpt/ext2
[arm ext3]
stack = disk/mbr/ext3
[arm xfs]
stack = disk/gpt/xfs
[arm vfat]
stack = disk/mbr/vfat
[arm swap]
stack = disk/gpt/swap
[arm swapped]
stack = disk/gpt/swap,on=yes
[arm plain]
stack = disk/gpt/dmcrypt,cipher=aes-cbc-essiv:sha256,key-size=256/ext4
[arm old]
stack = disk/mbr/luks1,cipher=aes-cbc-plain64,key-size=128/ext3
[arm below]
stack = disk/gpt/lvm/luks2,sector-size=4096/ext4
[arm volumes]
stack = disk/gpt/luks2/lvm,boot=32M,swap=32M,home=rest/xfs
[test null]
"""


def outcomes(out) -> dict[str, str]:
    return {run["arm"]: run["outcome"] for run in out.result["runs"]}


# What a plan may stack


@pytest.mark.whole
def test_every_kind_of_layer_comes_up_and_goes_away(machine) -> None:
    """A cipher's or a filesystem's module that is missing in the image would show here."""
    m = machine(disks=[Disk(serial="A", size="512M")], stick=Stick(plan=LAYERS))
    out = m.run(timeout=900)
    assert out.result["verdict"] == "passed", out.report
    assert len(outcomes(out)) == 10 and set(outcomes(out).values()) == {"passed"}
    for stack in out.result["stacks"]:
        assert stack["outcome"] == "passed" and "leftovers" not in stack, stack
    torn_down = [s["arm"] for s in out.result["stacks"] if s["phase"] == "teardown"]
    assert sorted(torn_down) == sorted(outcomes(out))


@pytest.mark.whole
def test_layers_on_a_disk_with_sectors_of_4096_bytes(machine) -> None:
    out = machine(disks=[Disk(serial="A", bus="scsi", sector=4096)],
                  stick=Stick(plan=tiny("serial:A", stack="disk/gpt/luks2/lvm/ext4"))).run()
    assert out.result["verdict"] == "passed", out.report
    disk = next(d for d in out.result["devices"] if d["serial"] == "A")
    assert disk["logical_sector"] == 4096


PLAIN_VG = Recipe(
    name="active-lv",
    disks=("256M",),
    script=(
        "modprobe raid1; modprobe dm_mod; modprobe dm_crypt; printf x >/tmp/k",
        "printf 'label: gpt\\nstart=2048,size=200000\\n\\n' | sfdisk -q $DISK0",
        "mdadm --create /dev/md9 --run --force --level=1 --raid-devices=1 --metadata=1.0 "
        "${DISK0}1 </dev/null",
        "lvm vgcreate -qq mdvg /dev/md9 && lvm lvcreate -qq -an -Zn -l 5 -n mdlv mdvg",
        "lvm vgcreate -qq oldvg ${DISK0}2 && lvm lvcreate -qq -an -Zn -l 10 -n oldlv oldvg",
        "lvm vgchange -qq -ay oldvg && cryptsetup luksFormat -q --type luks1 "
        "--pbkdf-force-iterations 1000 /dev/oldvg/oldlv /tmp/k",
        "lvm vgchange -qq -an oldvg; mdadm --stop /dev/md9",
    ))


@pytest.mark.whole
def test_volumes_of_an_old_array_do_not_hold_the_disk(machine, prepared) -> None:
    """md and LVM that activate what they find make a disk busy before a plan can format it."""
    m = machine(disks=[Disk(serial="A", image=prepared(PLAIN_VG)[0])],
                stick=Stick(plan=tiny("serial:A", stack="disk/gpt/lvm/luks2/ext4")))
    out = m.run()
    assert out.result["verdict"] == "passed", out.report
    left = [d["name"] for d in out.result["devices"] if d["kind"] in ("dm", "md")]
    assert left == []
    assert "oldvg" not in out.serial and "mdvg" not in out.serial


# Which disk is written


@pytest.mark.whole
def test_a_stick_of_the_same_label_is_left_alone(machine) -> None:
    """Another stick, such as the one that the machine was started from, is no place for results."""
    other = Stick(folder=False, label="ASSAY", serial="OTHER", files={"boot/kernel": "x" * 4096})
    m = machine(disks=[Disk(serial="A")], stick=Stick(plan=tiny("serial:A")), sticks=[other])
    before = other.sha256()
    out = m.run()
    assert out.result["verdict"] == "passed", out.result["why"]
    assert other.sha256() == before
    found = next(d for d in out.result["devices"] if d["serial"] == "OTHER")
    assert found["readonly"] is True


@pytest.mark.whole
@matrix(("erase", "verdict"), [("wwn:0x5000c500a0b0c0d2", "aborted"),
                               ("wwn:0x5000c500a0b0c0d1", "passed")])
def test_consent_by_another_kind_of_name(machine, erase: str, verdict: str) -> None:
    """Named by serial, consented to by WWN: both must be the same disk."""
    m = machine(disks=[Disk(serial="A", wwn=0x5000C500A0B0C0D1, bus="scsi"),
                       Disk(serial="B", wwn=0x5000C500A0B0C0D2, bus="scsi", pattern=2)],
                stick=Stick(plan=tiny("serial:A", erase=erase)))
    before = [disk.sha256() for disk in m.disks]
    out = m.run()
    assert out.result["verdict"] == verdict, out.result["why"]
    assert m.disks[1].sha256() == before[1]
    assert (m.disks[0].sha256() == before[0]) is (verdict == "aborted")


@pytest.mark.whole
def test_a_write_protected_disk_beside_an_nvme_target(machine) -> None:
    """A vendor's read-only disk does not break the run; hdparm's ioctls, which NVMe and dm do
    not have, do not cost its numbers."""
    plan = tiny("serial:A", stack="disk/gpt/luks2/ext4", tests="[test hdparm]")
    out = machine(disks=[Disk(serial="A", bus="nvme"),
                         Disk(serial="VENDOR", bus="scsi", readonly=True)],
                  stick=Stick(plan=plan)).run()
    assert out.result["verdict"] == "passed", out.result["why"]
    disk = next(d for d in out.result["devices"] if d["serial"] == "VENDOR")
    assert disk["readonly"] is True
    run = next(run for run in out.result["runs"] if run["test"] == "hdparm")
    assert {"disk_buffered", "top_buffered"} <= {metric["name"] for metric in run["metrics"]}


@pytest.mark.whole
def test_a_disk_that_appears_late_is_waited_for(machine) -> None:
    late = Stick(folder=False, label=None, serial="LATE", removable=False)
    m = machine(disks=[Disk(serial="A", pattern=1)],
                stick=Stick(plan=tiny("serial:LATE", plan="wait = 90s")))
    before = m.disks[0].sha256()
    m.start()
    m.wait_serial("plan: tiny", 240)
    m.let_run(5)
    m.plug(late)
    out = m.wait_poweroff()
    assert out.result["verdict"] == "passed", out.result["why"]
    assert m.disks[0].sha256() == before
    seen = {d["serial"]: d.get("seen", 0) for d in out.result["devices"] if d.get("serial")}
    assert seen["LATE"] > seen["A"], "how long each took to appear is told"


@pytest.mark.whole
def test_the_disk_vanishes_before_the_start(machine) -> None:
    """No success of a run that never began."""
    m = machine(disks=[Disk(serial="A", bus="usb")], allow=VANISHED,
                stick=Stick(plan=tiny("serial:A", tests="time = 20s")))
    m.start()
    m.wait_serial("target: ", 240)
    m.qmp("device_del", id="disk0-device")
    out = m.wait_poweroff()
    assert out.result["verdict"] in ("aborted", "failed", "not-run")
    assert "passed" not in outcomes(out).values()


@pytest.mark.whole
def test_the_disk_drops_off_the_bus_while_fio_writes(machine) -> None:
    """EIO and then ENOSPC for ever: told as what it is, and not as a figure."""
    tests = ("[test w]\nengine = fio\nrw = write\nbs = 64k\nsize = 64M\n"
             "runtime = 10m\ntime_based = 1\n")
    m = machine(disks=[Disk(serial="A", bus="usb")], allow=VANISHED,
                stick=Stick(plan=tiny("serial:A", stack="disk/gpt", tests=tests)))
    m.start()
    m.wait_serial("test w: started", 240)
    m.let_run(3)
    m.qmp("device_del", id="disk0-device")
    out = m.wait_poweroff()
    run = next(run for run in out.result["runs"] if run["test"] == "w")
    assert run["outcome"] == "aborted" and "has vanished" in run["why"], run
    assert run["metrics"] == []


# Where results go


@pytest.mark.whole
def test_the_stick_is_pulled_for_good(machine, assay_host, tmp_path: Path) -> None:
    """Results do not go to the next disk that could be mounted: not to an ESP, not to a stick
    that is none of ours."""
    folder = tmp_path / "decoy"
    folder.mkdir()
    decoy = Stick(plan=tiny("serial:B"), layout="gpt").make(folder, "decoy")
    other = Stick(folder=False, serial="OTHER")
    m = machine(disks=[Disk(serial="A"), Disk(image=decoy, serial="B")], sticks=[other],
                stick=Stick(plan=tiny("serial:A", plan="blocks = 3", tests="time = 3s")))
    before = m.disks[1].sha256(), other.sha256()
    m.start()
    m.wait_serial("block 2/3", 240)
    m.unplug(m.stick)
    out = m.wait_poweroff()
    assert (m.disks[1].sha256(), other.sha256()) == before
    received = out.received(assay_host, tmp_path / "received")
    assert [run["outcome"] for run in received.result["runs"]] == ["passed"] * 3
    assert received.result["problems"], "the stick's end is told"


@pytest.mark.whole
def test_a_reset_in_the_middle_is_no_second_start(machine) -> None:
    """What was recorded up to then is whole, and the next boot says what happened."""
    m = machine(disks=[Disk(serial="A")], reboot=True, resets=6,
                stick=Stick(plan=tiny("serial:A", plan="blocks = 3", tests="time = 6s")))
    m.start(900)
    m.wait_serial("block 2/3, arm plain, test null: started", 240)
    m.qmp("system_reset")
    m.wait_serial("VERDICT aborted", 400)
    m.wait_poweroff()
    assert started(m.stick) == 1
    died, told = runs(m.stick.tree())
    if "result.json" in died.files:
        died, told = told, died
    whole = died.files["records.jsonl"].rstrip(b"\0").split(b"\n")[:-1]
    records = [json.loads(line) for line in whole if line]
    done = [r for r in records if r["kind"] == "run"]
    assert [(r["block"], r["outcome"]) for r in done] == [(1, "passed")]
    assert "block 1" in told.result["why"] or "block 2" in told.result["why"], told.result["why"]


@pytest.mark.whole
def test_a_shell_builds_stacks_and_runs_the_plan_twice(machine) -> None:
    """By hand: the same words as the sequence; two runs of one boot do not overwrite each
    other; screen and serial line get the same."""
    m = machine(disks=[Disk(serial="A")], cmdline="assay.then=shell",
                stick=Stick(plan=tiny("serial:A", plan="again = start")))
    m.start(900)
    shell = Shell(m).ready()
    shell.check("i=0; until [ -e /dev/sda ] || [ $i = 60 ]; do sleep 1; i=$((i+1)); done")
    refused, said = shell.run("assay stack up serial:A B disk/gpt/ext4")
    assert refused != 0 and "consent" in said, said
    shell.check("assay stack up serial:A A disk/gpt/luks2/lvm/ext4")
    assert "mounted at /run/assay/mnt/" in shell.check("assay stack show serial:A A")
    shell.check("assay stack down serial:A A")
    assert "nothing sits on this disk" in shell.check("assay stack show serial:A A")
    for _ in range(2):
        shell.check("assay run", timeout=240)
    assert "VERDICT passed" in shell.check("cat /dev/vcs1"), "the screen lacks the last line"
    shell.poweroff()
    out = m.wait_poweroff()
    assert len(out.runs) == 2
    assert {run.result["verdict"] for run in out.runs} == {"passed"}


# The machine and the person at it


@pytest.mark.whole
def test_ctrl_alt_del_ends_with_a_result(machine) -> None:
    m = machine(disks=[Disk(serial="A")],
                stick=Stick(plan=tiny("serial:A", stack="disk/gpt/luks2/ext4",
                                      tests="time = 10m")))
    m.start()
    m.wait_serial("test null: started", 240)
    m.sendkey("ctrl-alt-delete")
    m.wait_serial("Ctrl-Alt-Del was pressed", 60)
    out = m.wait_end(400, "reset")
    assert out.result["verdict"] == "aborted"
    assert "stopped by a person" in out.result["why"], out.result["why"]
    for warning in out.result["warnings"]:
        assert "left behind" not in warning and "leftovers" not in warning, warning


@pytest.mark.whole
def test_a_machine_without_name_and_clock(machine) -> None:
    """An empty battery, and a serial number that nobody filled in."""
    out = machine(disks=[Disk(serial="A")], stick=Stick(plan=tiny("serial:A")), extra=[
        "-rtc", "base=1990-01-01",
        "-smbios", "type=1,serial=To be filled by O.E.M."]).run()
    assert out.result["verdict"] == "passed", out.result["why"]
    assert out.run.machine.startswith("kind-"), out.run.machine
    assert out.result["started"]["suspect"] is True
    assert "clock" in out.report


@pytest.mark.whole
def test_a_machine_that_cannot_power_off_says_so(machine) -> None:
    m = machine(disks=[Disk(serial="A")], stick=Stick(plan=tiny("serial:A")), cpus=1,
                cmdline="acpi=off apm=off")
    m.start()
    m.wait_serial("VERDICT passed", 400)
    m.wait_serial("switch it off by hand", 120)
    m.wait_serial("System halted|machine is stopped", 120)
    m.kill()
    assert runs(m.stick.tree())[0].result["verdict"] == "passed"


@pytest.mark.whole
def test_a_passphrase_on_the_kernel_command_line_is_refused(machine) -> None:
    m = machine(disks=[Disk(serial="A", pattern=1)], stick=Stick(plan=tiny("serial:A")),
                cmdline="assay.arm.plain.passphrase=simsalabim")
    before = m.disks[0].sha256()
    out = m.run()
    assert out.result["verdict"] == "aborted"
    assert "secret" in out.result["why"], out.result["why"]
    assert m.disks[0].sha256() == before
    for name in ("result.json", "report.txt", "records.jsonl"):
        assert "simsalabim" not in out.run.text(name), name


LARGE = Recipe(name="argon2-512M", memory="1280M", disks=("128M",), script=(
    "printf sesame >/tmp/k",
    "cryptsetup luksFormat -q --type luks2 --pbkdf argon2id --pbkdf-memory 524288 "
    "--pbkdf-force-iterations 4 --pbkdf-parallel 1 $DISK0 /tmp/k"))


@pytest.mark.whole
def test_a_volume_of_a_larger_machine_is_told_before_the_prompt(machine, prepared) -> None:
    plan = tiny("serial:A", erase="", stack="disk/luks2").replace(
        "stack = disk/luks2", "stack = disk/luks2\nopen = yes")
    m = machine(disks=[Disk(serial="A", image=prepared(LARGE)[0])], stick=Stick(plan=plan))
    before = m.disks[0].sha256()
    out = m.run()
    assert "Passphrase for" not in out.serial
    assert out.result["verdict"] in ("failed", "aborted")
    assert "of memory for Argon2" in out.result["why"] and "is free" in out.result["why"]
    assert m.disks[0].sha256() == before


# On a workstation


@pytest.mark.whole
def test_a_workstation_tells_all_faults_of_a_plan_at_once(assay_host, tmp_path: Path) -> None:
    plan = tmp_path / "assay.ini"
    plan.write_text("[plan]\nblocks = many\nthen = fly\n[target]\ndisk = /dev/sda\n"
                    "[arm a]\nstack = disk/gpt/luks9/ext4\n[arm b]\n"
                    "stack = disk/gpt/luks2,cypher=aes/ext4\n[test fio]\nrw = read\n"
                    "filename = /dev/sda\n", encoding="utf-8")
    done = subprocess.run([assay_host, "plan", "check", plan], capture_output=True, text=True,
                          timeout=30, check=False)
    assert done.returncode != 0
    for line in (2, 3, 5, 9, 12):
        assert f"assay.ini:{line}: " in done.stderr + done.stdout, line


@pytest.mark.whole
@pytest.mark.parametrize("preset", ["quick", "smoke", "full"])
def test_a_workstation_finds_no_fault_in_the_presets(assay_host, preset: str) -> None:
    file = Path(__file__).parents[2] / f"configs/{preset}.ini"
    done = subprocess.run([assay_host, "plan", "check", file], capture_output=True, text=True,
                          timeout=30, check=False)
    assert done.returncode == 0, done.stderr
